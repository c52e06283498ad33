/** Locates the parts of a provider: the built-in model, and packages that the user installed. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../config/schema.ts";
import { DexError } from "../kernel/errors.ts";

export function modelPath(): string {
  return builtIn("static.bin", "model.bin");
}

/** The file of the sentence encoder; undefined if this copy of dex has none. */
export function encoderPath(): string | undefined {
  const path = builtIn("encoder.bin", "encoder.bin");
  return existsSync(path) ? path : undefined;
}

/** A model in the repository when running from source, or next to the built program. */
function builtIn(inSource: string, inBuild: string): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith(".ts") ? `../../models/${inSource}` : `./${inBuild}`, here));
}

/**
 * The built-in model, which embeds during a sync: with another provider, it serves until that has computed its vectors.
 * Undefined if the settings turn vectors off or the model is missing.
 */
export function staticModel({ embedding }: Settings): string | undefined {
  return embedding.provider !== "none" && hasModel() ? modelPath() : undefined;
}

export function hasModel(): boolean {
  return existsSync(modelPath());
}

export function requireModel(): string {
  const path = modelPath();
  if (existsSync(path)) return path;
  throw new DexError("no_embedding_model", `The built-in embedding model is missing: ${path} does not exist.`, {
    hint: "Reinstall dex, or set embedding.provider: none to search by words alone.",
  });
}

/**
 * The folder of an installed package: in DEX_HOME, next to dex itself, or among the global packages. Never in the current
 * folder: dex runs the package, and a repository is not trusted to provide programs.
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
