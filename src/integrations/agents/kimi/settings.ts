/**
 * Kimi Code: `mcp.json` in its home or in a folder `.kimi-code` of the project, hooks in `config.toml` of its home. The older
 * Kimi CLI is not connected.
 */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import type { HookList } from "../../settings/hook_entries.ts";

export const kimiSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(join(folder(env, scope), "mcp.json"), "mcpServers", { format: "json" }),
  hooks: (env, scope) =>
    scope === "project"
      ? []
      : {
          file: join(folder(env, scope), "config.toml"),
          format: "toml",
          lists: (command) => EVENTS.map((event) => inList(event, command)),
        },
};

/** The model gets context with a prompt only; the others keep the record of what it has. */
const EVENTS = ["UserPromptSubmit", "PostCompact", "SessionEnd"];
/** Seconds. dex ends long before; this is for a machine that hangs. */
const TIMEOUT = 5;

/** Kimi Code rejects a file with any other field. */
function inList(event: string, command: string): HookList {
  return { path: ["hooks"], event: { field: "event", name: event }, entry: { event, command, timeout: TIMEOUT } };
}

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".kimi-code") : vars.KIMI_CODE_HOME || join(home, ".kimi-code");
}
