/**
 * Factory Droid: `mcp.json` in a folder `.factory`; hooks in `hooks.json` there or, as long as that does not exist, under
 * `hooks` in `settings.json`. dex never creates `hooks.json`: Droid would then ignore the hooks in `settings.json`.
 * `hooks.json` has the events at its top or, as older versions wrote it, under `hooks`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../../kernel/json.ts";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { readConfig } from "../../settings/config_file.ts";
import { JSONC_EDITOR } from "../../settings/editing/jsonc.ts";
import { groupedList } from "../../settings/hook_entries.ts";

export const factoryDroidSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) =>
    serverEntry(join(folder(env, scope), "mcp.json"), "mcpServers", { before: { type: "stdio" }, format: "json" }),
  hooks: (env, scope) => {
    const own = join(folder(env, scope), "hooks.json");
    const file = existsSync(own) ? own : join(folder(env, scope), "settings.json");
    const at = file === own && !hasHooksKey(own) ? [] : ["hooks"];
    return {
      file,
      lists: (command) =>
        EVENTS.map(([event, matcher]) => {
          const list = groupedList(event, command, {
            more: HOOK_OPTIONS,
            ...(matcher === undefined ? {} : { matcher }),
          });
          return { ...list, path: [...at, event] };
        }),
    };
  },
};

const EVENTS: readonly (readonly [event: string, matcher?: string])[] = [
  ["SessionStart"],
  ["UserPromptSubmit"],
  ["PostToolUse", "Read|Edit|MultiEdit|Create|ApplyPatch|Execute"],
  ["PreCompact"],
  ["SessionEnd"],
];
/** Seconds. dex ends long before; this is for a machine that hangs. */
const HOOK_OPTIONS = { timeout: 5 };

function hasHooksKey(file: string): boolean {
  try {
    return isObject(JSONC_EDITOR.read(readConfig(file) ?? "", ["hooks"]));
  } catch {
    return false;
  }
}

function folder(env: AgentEnv, scope: Scope): string {
  if (scope === "project") return join(env.project, ".factory");
  return join(env.vars.FACTORY_HOME_OVERRIDE || env.home, ".factory");
}
