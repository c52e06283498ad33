/** Where the built-in model lies. */
import { existsSync } from "node:fs";
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
  throw new DexError("no_model", `The built-in embedding model is not there: ${path} does not exist.`, {
    hint: "Reinstall dex, or set embedding.provider: none to search by words alone.",
  });
}
