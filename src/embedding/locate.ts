/** Where the parts of a provider lie: the built-in model beside the program, and packages that the user installed. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../config/settings.ts";
import { DexError } from "../kernel/errors.ts";

/** The built program has its model in the same folder; run from source, it is the repository's. */
export function modelPath(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith(".ts") ? "../../models/static.bin" : "./model.bin", here));
}

/** The model that embeds at sync, where the settings want that and it is there. */
export function staticModel({ embedding }: Settings): string | undefined {
  return embedding.provider === "static" && hasModel() ? modelPath() : undefined;
}

export function hasModel(): boolean {
  return existsSync(modelPath());
}

export function requireModel(): string {
  const path = modelPath();
  if (existsSync(path)) return path;
  throw new DexError("no_embedding_model", `The built-in embedding model is not there: ${path} does not exist.`, {
    hint: "Reinstall dex, or set embedding.provider: none to search by words alone.",
  });
}

/**
 * The folder of an installed package: in DEX_HOME, beside dex itself, or among the global ones. Never in the current
 * folder: what is found here is run, and a repository one looks at is not trusted to bring programs.
 */
export function findPackage(name: string, home: string): string | undefined {
  return packageFolders(home)
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, "package.json")));
}

function packageFolders(home: string): string[] {
  const folders = [join(home, "node_modules")];
  for (let at = import.meta.dirname; dirname(at) !== at; at = dirname(at)) folders.push(join(at, "node_modules"));
  const program = dirname(process.execPath);
  return [...folders, join(program, "../lib/node_modules"), join(program, "node_modules")];
}
