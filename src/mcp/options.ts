/** The options of `dex serve`: sets of tools, transport and scope. */

import type { LibraryScope } from "../collections/library.ts";
import { DexError } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import { TOOLSETS, type Toolset } from "../operations/operation.ts";

export interface ServeOptions {
  sets: ReadonlySet<Toolset>;
  /** Over HTTP; undefined for stdio. */
  port: number | undefined;
  /** Documentation that is served; nothing else can be asked for. */
  scope: LibraryScope;
}

/** As typed on the command line. */
export interface ServeInput {
  tools?: string | undefined;
  port?: number | undefined;
  collections: readonly string[];
  no_global: boolean;
}

export function serveOptions({ tools, port, collections, no_global }: ServeInput): ServeOptions {
  const scope = {
    ...(collections.length > 0 ? { collections: [...collections] } : {}),
    ...(no_global ? { global: false } : {}),
  };
  // A caller who limits the documentation wants it served, and nothing that was not named.
  const usual: Toolset = Object.keys(scope).length > 0 ? "documents" : "conversations";
  return { sets: tools === undefined ? new Set([usual]) : setsOf(tools), port, scope };
}

function setsOf(value: string): Set<Toolset> {
  const names = value.split(",").map((name) => name.trim());
  return new Set(names.flatMap((name) => (name === "all" ? TOOLSETS : [setOf(name)])));
}

function setOf(name: string): Toolset {
  const set = TOOLSETS.find((each) => each === name);
  if (set) return set;
  const meant = nearest(name, [...TOOLSETS, "all"]);
  throw new DexError("bad_flag", `There is no set of tools "${name}"${meant ? `; did you mean ${meant}?` : "."}`, {
    hint: `--tools takes ${TOOLSETS.join(", ")}, several with commas, or all.`,
  });
}
