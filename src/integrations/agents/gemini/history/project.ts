/**
 * Which folder a Gemini CLI session belongs to: the name of its folder is a short name or a hash of the project's path.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asObject, asString } from "../../../../kernel/json.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { SourceEnv } from "../../../history/source.ts";

const MAX_PATH_CHARS = 4096;

/**
 * `.project_root` names it directly; `projects.json` maps folders to short names; an older folder is named by the
 * SHA-256 of the path, which only an already known path can match.
 */
export function projectOf(gemini: string, key: string, hash: string | undefined, env: SourceEnv): string | undefined {
  const root = projectRoot(join(gemini, "tmp", key, ".project_root"));
  if (root) return root;
  const projects = Object.entries(asObject(asObject(readSideJson(join(gemini, "projects.json"))).projects));
  const named = projects.find(([, name]) => asString(name) === key);
  if (named) return named[0];
  const known = [...projects.map(([path]) => path), ...env.roots, env.home];
  return known.find((path) => {
    const digest = createHash("sha256").update(path).digest("hex");
    return digest === key || digest === hash;
  });
}

function projectRoot(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text !== "" && text.length <= MAX_PATH_CHARS ? text : undefined;
  } catch {
    return undefined;
  }
}
