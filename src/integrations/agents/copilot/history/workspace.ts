/**
 * The description of the workspace next to a session's events: its folder, its branch, and the session's current name.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asString, parseJson } from "../../../../kernel/json.ts";

export const WORKSPACE_FILE = "workspace.yaml";
const MAX_CHARS = 64 << 10;

export function readWorkspace(folder: string): Map<string, string> {
  try {
    return topLevelFields(readFileSync(join(folder, WORKSPACE_FILE), "utf8").slice(0, MAX_CHARS));
  } catch {
    // Older versions have none.
    return new Map();
  }
}

/** Plain, quoted and block values of a YAML mapping: this file has no others. */
function topLevelFields(yaml: string): Map<string, string> {
  const fields = new Map<string, string>();
  const lines = yaml.split(/\r?\n/);
  lines.forEach((line, index) => {
    const [, key, raw = ""] = /^([A-Za-z_]\w*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key === undefined) return;
    let value = raw.trim();
    if (/^[|>][+-]?\d?$/.test(value)) {
      const rest = lines.slice(index + 1);
      const end = rest.findIndex((each) => /^\S/.test(each));
      value = (end < 0 ? rest : rest.slice(0, end))
        .map((each) => each.trim())
        .join("\n")
        .trim();
    } else if (value.startsWith('"')) {
      value = asString(parseJson(value)) ?? value.slice(1, -1);
    } else if (value.startsWith("'")) {
      value = value.slice(1, -1).replaceAll("''", "'");
    } else if (value === "null" || value === "~") {
      value = "";
    }
    if (value !== "") fields.set(key, value);
  });
  return fields;
}
