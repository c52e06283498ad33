/** Java, C#: a class may have one overload of a method, and its base another: the number of arguments tells them apart. */
import { OUTSIDE, type Value } from "./evaluating/values.ts";
import type { WholeProject } from "./project/project_files.ts";
import type { Surfaces } from "./project/surface_index.ts";

type Definition = Extract<Value, { kind: "definition" }>;

/** Bases of bases that are looked into. */
const MAX_LEVELS = 8;

interface OverloadsInput {
  files: Surfaces;
  bases(path: string, slot: number): readonly (Value | undefined)[];
  member(path: string, slot: number, name: string): Value | undefined;
  named: WholeProject["named"];
}

/**
 * The method of a base, or of another part of the class, that takes as many arguments, if no method of that name beside the
 * value does. In C# it is otherwise a method that the project does not define: `Equals(a, b)` of every object, an extension.
 */
export function inBase(input: OverloadsInput, value: Value | undefined, given: number | undefined): Value | undefined {
  if (given === undefined || value?.kind !== "definition" || takes(input.files, value, given)) return value;
  const found = inOtherPart(input, value, given) ?? fitting(input, value, given, 0);
  if (found) return found;
  const index = input.files.get(value.path);
  const isMethod = index?.surface.entities[value.slot]?.kind === "method";
  return isMethod && index?.family === "csharp" ? OUTSIDE : value;
}

/** C#: a method in another file of a partial class. */
function inOtherPart({ files, named }: OverloadsInput, value: Definition, given: number): Definition | undefined {
  const own = files.get(value.path)?.surface;
  const method = own?.entities[value.slot];
  if (files.get(value.path)?.family !== "csharp" || !own || !method) return undefined;
  const found = named(method.name).find(({ family, path, slot }) => {
    if (family !== "csharp" || path === value.path) return false;
    const other = files.get(path)?.surface;
    const isPart = other?.module === own.module && other.entities[slot]?.qualified === method.qualified;
    return isPart && takes(files, { kind: "definition", path, slot }, given);
  });
  return found && { kind: "definition", path: found.path, slot: found.slot };
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
  if (index?.family !== "jvm" && index?.family !== "csharp") return true;
  return (index.overloads.get(slot) ?? [slot]).some((each) => {
    const parameters = index.surface.entities[each]?.parameters;
    return !parameters || (given >= parameters[0] && given <= parameters[1]);
  });
}
