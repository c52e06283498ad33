/**
 * A project's files as their edges are worked out from them: out of the store, each when it is asked for, so that one
 * changed file does not need all the others.
 */
import type { CodeWriter } from "../../store/code.ts";
import type { Surface } from "../facts.ts";
import type { Family } from "../languages/language.ts";
import { familyOf } from "../languages/registry.ts";
import type { ProjectFiles } from "../modules/module.ts";
import type { Place } from "./resolver.ts";

/** What a file shows, or, of a file that says how imports are followed, its text. */
export interface Outside {
  surface?: Surface;
  config?: string;
}

/** A definition that may be found by its name alone: at the top of a file, or a method. */
export interface NamedPlace extends Place {
  family: Family;
  member: boolean;
}

export interface WholeProject extends ProjectFiles {
  /** In the order of paths and places. */
  named(name: string): readonly NamedPlace[];
  /** The number of a file. */
  number(path: string): number | undefined;
}

export function projectFiles(writer: CodeWriter): WholeProject {
  const rows = writer.known();
  const numbers = new Map(rows.map(({ path, no }) => [path, no]));
  const outside = (path: string): Outside => readOutside(writer.outside(numbers.get(path) ?? -1));
  const configs = new Map<string, string>();
  for (const { path, language } of rows) if (language === "config") configs.set(path, outside(path).config ?? "");
  const names = new Map<string, readonly NamedPlace[]>();
  return {
    configs,
    surfaces: { get: (path) => (numbers.has(path) ? outside(path).surface : undefined) },
    paths: { has: (path) => numbers.has(path), [Symbol.iterator]: () => numbers.keys() },
    modules: () => rows,
    number: (path) => numbers.get(path),
    named: (name) => {
      const known = names.get(name);
      if (known) return known;
      const found = placesOf(writer, name);
      names.set(name, found);
      return found;
    },
  };
}

export function readOutside(text: string): Outside {
  return JSON.parse(text) as Outside;
}

/** Tests are called by nobody; of what stands in their files, classes may be based on. */
function placesOf(writer: CodeWriter, name: string): NamedPlace[] {
  const found: NamedPlace[] = [];
  for (const { path, slot, kind, owner, language, test } of writer.places(name)) {
    if (kind === "test" || (test && kind !== "class")) continue;
    const top = owner === "file" || owner === "module";
    if (top || kind === "method") found.push({ path, slot: slot - 1, family: familyOf(language), member: !top });
  }
  return found;
}
