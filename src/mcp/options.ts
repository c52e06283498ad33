/** The options of `dex serve`: sets of tools, transport and scope. */
import type { LibraryScope } from "../collections/library.ts";
import { endedWithQuestion } from "../kernel/did_you_mean.ts";
import { DexError } from "../kernel/errors.ts";
import { TOOLSETS, type Toolset } from "../operations/operation.ts";
import type { StructuredForm } from "./tools/answer.ts";

export interface ServeOptions {
  sets: ReadonlySet<Toolset>;
  /** Serves over HTTP; undefined: over stdio. */
  port: number | undefined;
  /** The documentation that is served; calls cannot read any other. */
  scope: LibraryScope;
  structured: StructuredForm;
}

/** As typed on the command line. */
export interface ServeInput {
  tools?: string | undefined;
  port?: number | undefined;
  collections: readonly string[];
  no_global: boolean;
  structured: StructuredForm;
}

export function serveOptions({ tools, port, collections, no_global, structured }: ServeInput): ServeOptions {
  const scope = {
    ...(collections.length > 0 ? { collections: [...collections] } : {}),
    ...(no_global ? { global: false } : {}),
  };
  // A user who limits the documentation wants that served, and nothing else.
  const usual: Toolset = Object.keys(scope).length > 0 ? "documents" : "conversations";
  return { sets: tools === undefined ? new Set([usual]) : setsOf(tools), port, scope, structured };
}

function setsOf(value: string): Set<Toolset> {
  const names = value.split(",").map((name) => name.trim());
  return new Set(names.flatMap((name) => (name === "all" ? TOOLSETS : [setOf(name)])));
}

function setOf(name: string): Toolset {
  const set = TOOLSETS.find((each) => each === name);
  if (set) return set;
  throw new DexError("bad_flag", endedWithQuestion(`There is no tool set "${name}"`, name, [...TOOLSETS, "all"]), {
    hint: `--tools takes ${TOOLSETS.join(", ")}, several with commas, or all.`,
  });
}
