/** Ruby: classes that are records of a database (Active Record): their queries lead to instances of themselves. */
import { type Expression, TAG } from "../../expression.ts";
import type { Value } from "../evaluating/values.ts";
import type { Surfaces } from "../project/surface_index.ts";
import { type Library, listOf, RELATION } from "./collections.ts";

type Definition = Extract<Value, { kind: "definition" }>;

const COUNTED = /^(?:first|last|take)$/;
const BASE = "ApplicationRecord";
const MANY =
  /^(?:all|where|order|limit|offset|includes|preload|eager_load|joins|left_joins|group|having|distinct|reorder|unscoped|none|lock|readonly|select|find_each|in_batches|not|or|merge)$/;
const ONE =
  /^(?:find|find_by!?|first!?|last!?|take!?|create!?|find_or_create_by!?|find_or_initialize_by|build|sole|find_sole_by)$/;

interface RecordsInput {
  files: Surfaces;
  bases(path: string, slot: number): readonly (Value | undefined)[];
}

/** Whether the class extends `ApplicationRecord` or `ActiveRecord::Base`. */
export function isRecord(input: RecordsInput, { path, slot }: Definition): boolean {
  const stated = input.files.get(path)?.surface.bases.filter((each) => each.slot === slot) ?? [];
  return stated.some(({ target }) => isBase(target));
}

function isBase(target: Expression): boolean {
  if (target[0] === TAG.freeName) return target[1] === BASE;
  if (target[0] === TAG.memberOrFree) return target[2] === BASE;
  return target[0] === TAG.member && target[2] === "Base" && isNamed(target[1], "ActiveRecord");
}

function isNamed(of: Expression, name: string): boolean {
  return (of[0] === TAG.freeName && of[1] === name) || (of[0] === TAG.memberOrFree && of[2] === name);
}

/** The result of a query that the class does not define itself. */
export function recordCall(type: Definition, method: string): Value | undefined {
  const instance: Value = { kind: "instance", path: type.path, slot: type.slot, of: [] };
  if (ONE.test(method)) return instance;
  return MANY.test(method) ? { kind: "library", name: RELATION, of: [instance] } : undefined;
}

/** The result of a query of what another query found. */
export function relationCall(relation: Library, method: string, isCounted: boolean): Value | undefined {
  if (relation.name !== RELATION) return undefined;
  if (ONE.test(method)) return isCounted && COUNTED.test(method) ? listOf(relation.of[0]) : relation.of[0];
  return MANY.test(method) ? relation : undefined;
}
