/** A package as people type it, `react`, `react@18`, `npm:@scope/name@^1.2`, and the collection that documents it. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DexError } from "../../kernel/errors.ts";
import { type CollectionsContext, foldersUp } from "../declaring/declared.ts";
import { type CollectionSource, parseSource } from "../declaring/source.ts";
import { lockedVersion } from "../versions/locked.ts";

export interface WantedPackage {
  /** Of the collection: `react@18`, or `react` for the latest version. */
  name: string;
  source: CollectionSource;
  /** Set if the project decided the version. */
  reason?: string;
}

export function wantedPackage(typed: string, context: Pick<CollectionsContext, "vars" | "cwd">): WantedPackage {
  const other = /^([a-z]+):/.exec(typed)?.[1];
  if (other !== undefined && other !== "npm") {
    throw new DexError("bad_source", `dex finds documentation of npm packages, not of ${other}.`, {
      hint: "Name the source yourself: `dex docs add name git+https://…` or a web address.",
    });
  }
  if (other === undefined && statSync(resolve(context.cwd, typed), { throwIfNoEntry: false })) {
    throw new DexError("bad_source", `"${typed}" is a path here, and may also be a package.`, {
      hint: `\`dex docs add ./${typed}\` adds the path, \`dex docs add npm:${typed}\` the npm package.`,
    });
  }
  const text = typed.replace(/^npm:/, "");
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const range = at < 0 ? "" : text.slice(at + 1).trim();
  if (range !== "") return { name: collectionName(name, range), source: npm(name, range) };
  // Checks the name before it becomes part of a path.
  const latest = npm(name, "latest");
  const locked = lockedVersion(foldersUp(context), name);
  if (!locked) return { name, source: latest };
  return {
    name: collectionName(name, locked.version),
    source: npm(name, locked.version),
    reason: `${locked.file} has ${name} ${locked.version}, so dex takes that version.`,
  };
}

function npm(name: string, range: string): CollectionSource {
  return parseSource([`npm:${name}@${range}`], "/");
}

/** Without the marks of a range, which a name cannot have. */
function collectionName(name: string, range: string): string {
  return `${name}@${range.replace(/[^A-Za-z0-9.-]+/g, "").slice(0, 40) || "latest"}`;
}
