/** Folders that a user of Roo, or of an extension made from it, chose in the editor's settings to keep the tasks in. */
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { asString, parseJson } from "../../../../kernel/json.ts";
import { isPresent } from "../../../history/reading/files.ts";

const MAX_SETTINGS_CHARS = 1 << 20;
/** An editor allows comments in its settings, which a JSON parser does not; this one value is found without a parser. */
const SETTING =
  /^[^\n/]{0,200}"(?:roo-cline|zoo-code|kilo-code)\.customStoragePath"\s{0,20}:\s{0,20}("(?:[^"\\\n]|\\.){1,1000}")/gm;

/** `user` is the editor's `User` folder. */
export function customStorages(user: string): string[] {
  const path = join(user, "settings.json");
  if (!isPresent(path)) return [];
  try {
    const settings = readFileSync(path, "utf8").slice(0, MAX_SETTINGS_CHARS);
    const paths = [...settings.matchAll(SETTING)].map(([, text = ""]) => asString(parseJson(text)) ?? "");
    return paths.filter((storage) => isAbsolute(storage));
  } catch {
    return [];
  }
}
