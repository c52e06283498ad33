/** Java: a class may have one overload of a method, and its base another: the number of arguments tells them apart. */
import type { Value } from "../evaluating/values.ts";
import type { Surfaces } from "../project/surface_index.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Bases of bases that are looked into. */
const MAX_LEVELS = 8;

interface OverloadsInput {
  files: Surfaces;
  bases(path: string, slot: number): readonly (Value | undefined)[];
  member(path: string, slot: number, name: string): Value | undefined;
}

/** The method of a base that takes as many arguments, if no method of that name in the class itself does; else the value. */
export function inBase(input: OverloadsInput, value: Value | undefined, given: number | undefined): Value | undefined {
  if (given === undefined || value?.kind !== "definition" || takes(input.files, value, given)) return value;
  return fitting(input, value, given, 0) ?? value;
}

function fitting(input: OverloadsInput, value: Definition, given: number, level: number): Definition | undefined {
  const entity = input.files.get(value.path)?.surface.entities[value.slot];
  if (entity?.kind !== "method" || entity.parent < 0 || level >= MAX_LEVELS) return undefined;
  for (const base of input.bases(value.path, entity.parent)) {
    const member = base?.kind === "definition" ? input.member(base.path, base.slot, entity.name) : undefined;
    if (member?.kind !== "definition") continue;
    const found = takes(input.files, member, given) ? member : fitting(input, member, given, level + 1);
    if (found) return found;
  }
  return undefined;
}

/** Whether the method, or another of its name in the same class, takes as many arguments. */
function takes(files: Surfaces, { path, slot }: Definition, given: number): boolean {
  const index = files.get(path);
  if (index?.family !== "jvm") return true;
  return (index.overloads.get(slot) ?? [slot]).some((each) => {
    const parameters = index.surface.entities[each]?.parameters;
    return !parameters || (given >= parameters[0] && given <= parameters[1]);
  });
}
