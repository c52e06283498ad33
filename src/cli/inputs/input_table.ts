/**
 * The flags and plain inputs of the frequent verbs, which the build makes from their schemas: making the schemas takes
 * several times as long as reading the few words of a command. An input that is not plainly valid goes to the schema,
 * which also says what is wrong with it.
 */
import type { Command } from "../command.ts";
import type { Flag } from "../flags.ts";

/** Defined by the build of the frequent verbs: an `InputTable` as JSON text. */
declare const DEX_INPUT_TABLE: string | undefined;

/** The values that a field takes, as far as a table can say so. */
export interface PlainField {
  type: "text" | "list" | "whole" | "boolean" | "choice";
  choices?: readonly string[];
  /** Of a number, or the length of a text or a list. */
  min?: number;
  max?: number;
  /** The value where none is given; without one the field stays absent. */
  fallback?: unknown;
  required?: true;
}

export interface TableRow {
  flags: Flag[];
  /** In the order of the schema. Null: an optional field, and a table cannot say what it takes. */
  fields: Record<string, PlainField | null>;
}

export type InputTable = Record<string, TableRow>;

let table: InputTable | undefined;

/** Undefined: the build has no row for the command, and its schema answers. */
export function tableRowOf({ verb }: Pick<Command, "verb">): TableRow | undefined {
  if (typeof DEX_INPUT_TABLE !== "string") return undefined;
  table ??= JSON.parse(DEX_INPUT_TABLE) as InputTable;
  return Object.hasOwn(table, verb) ? table[verb] : undefined;
}

/** The result that the schema would return for the input; undefined if only the schema can say. */
export function plainInput(
  { fields }: TableRow,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (!Object.keys(input).every((name) => Object.hasOwn(fields, name))) return undefined;
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = input[name];
    if (value === undefined) {
      if (field?.required) return undefined;
      if (field?.fallback !== undefined) found[name] = field.fallback;
      continue;
    }
    if (field === null || !takes(field, value)) return undefined;
    found[name] = value;
  }
  return found;
}

function takes({ type, choices, min = -Infinity, max = Infinity }: PlainField, value: unknown): boolean {
  const isWithin = (size: number): boolean => size >= min && size <= max;
  if (type === "boolean") return typeof value === "boolean";
  if (type === "whole") return Number.isSafeInteger(value) && isWithin(value as number);
  if (type === "list") {
    return Array.isArray(value) && value.every((each) => typeof each === "string") && isWithin(value.length);
  }
  if (typeof value !== "string") return false;
  return type === "choice" ? choices?.includes(value) === true : isWithin(value.length);
}
