/** Python: the value of `value[index]`. */
import { indexedValue, type Value } from "../evaluating/values.ts";
import type { Surfaces } from "../project/surface_index.ts";
import type { LibraryBases } from "./library.ts";

type Definition = Extract<Value, { kind: "definition" }>;

export interface IndexingInput {
  files: Surfaces;
  held: LibraryBases;
  member(path: string, of: Value | undefined, name: string): Value | undefined;
  resultOf(value: Definition, of: Definition["of"]): Value | undefined;
}

/** An index that the text states tells which part of a tuple, or which field, is meant. */
export function indexed(input: IndexingInput, path: string, of: Value, index: string): Value | undefined {
  const at = /^\d+$/.test(index) ? Number(index) : undefined;
  if (of.kind === "library") return indexedValue(of, at);
  const method = input.member(path, of, "__getitem__");
  const found = method?.kind === "definition" ? input.resultOf(method, method.of) : method;
  if ((found && found.kind !== "outside") || of.kind !== "instance") return found;
  const held = input.held.of(of);
  if (held?.kind === "library") return indexedValue(held, at);
  if (index === "") return found;
  const fields = input.files.get(of.path)?.properties.get(of.slot);
  const name = at === undefined ? index.slice(1, -1) : [...(fields?.keys() ?? [])][at];
  return (name === undefined ? undefined : input.member(path, of, name)) ?? found;
}
