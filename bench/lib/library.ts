/** The built library, loaded from the copy that is measured, with the types of its source. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Dex } from "../../src/dex.ts";
import type { OwnedCaches } from "../../src/kernel/owned_caches.ts";
import { type Program, variables } from "./program.ts";

export type Library = typeof import("../../src/index.ts");

export async function loadLibrary(program: Program): Promise<Library> {
  const library: Library = await import(pathToFileURL(join(program.dist, "index.js")).href);
  return library;
}

export function openDex(library: Library, program: Program, caches?: OwnedCaches): Promise<Dex> {
  return library.Dex.open({ vars: variables(program), cwd: program.cwd, ...(caches ? { caches } : {}) });
}
