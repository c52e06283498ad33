/**
 * Other names of input fields, which a call may use as well: those of earlier versions, and those that other verbs have
 * for the same thing.
 */
import { isObject } from "../kernel/json.ts";
import type { Operation } from "./operation.ts";
import { projectFolderField } from "./shared/fields.ts";

type Named = Pick<Operation, "input" | "aliases">;

/** The field that each alias stands for. */
export function aliasesOf({ input, aliases = {} }: Named): Map<string, string> {
  const names = Object.entries(aliases).flatMap(([field, others]) => others.map((each) => [each, field] as const));
  return new Map(namesProjectFolder(input) ? [["repository", "project"], ...names] : names);
}

/** Whether `project` is the folder of a project, and not a filter of conversations. */
export function namesProjectFolder({ shape }: Operation["input"]): boolean {
  return shape.project === projectFolderField;
}

/** The input with the names of the schema. A value given under two names keeps both, and the schema rejects one. */
export function withoutAliases(operation: Named, given: unknown): unknown {
  if (!isObject(given)) return given;
  const aliases = aliasesOf(operation);
  if (!Object.keys(given).some((name) => aliases.has(name))) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = aliases.get(name);
      return [field === undefined || Object.hasOwn(given, field) ? name : field, value];
    }),
  );
}
