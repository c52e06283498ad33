/**
 * Copilot CLI: `mcp-config.json` in its own folder. Of the two files it reads in a project, `.github/mcp.json` is its
 * own; `.mcp.json` is Claude Code's, and one entry there serves both. It reads every file in a folder `hooks`, so dex has
 * one of its own there.
 */
import { join } from "node:path";
import {
  type AgentEnv,
  type AgentSettings,
  ENTRY_NAME,
  type Scope,
  serverEntry,
} from "../../settings/agent_settings.ts";
import type { HookSettings } from "../../settings/hook_entries.ts";

export const copilotSettings: AgentSettings = {
  traces: (env, scope) => [scope === "project" ? projectFile(env) : folder(env)],
  mcp: (env, scope) =>
    serverEntry(scope === "project" ? projectFile(env) : join(folder(env), "mcp-config.json"), "mcpServers", {
      before: { type: "local" },
      after: { tools: ["*"] },
    }),
  hooks: (env, scope) => copilotHookSettings(env, scope),
  statusLine: (env, scope) =>
    scope === "project" ? undefined : { file: join(folder(env), "settings.json"), path: ["statusLine"] },
};

/** For VS Code, too, whose agents read the same files; `more`: events that only it answers to. */
export function copilotHookSettings(env: AgentEnv, scope: Scope, more: readonly string[] = []): HookSettings {
  const file = join(scope === "project" ? join(env.project, ".github") : folder(env), "hooks", `${ENTRY_NAME}.json`);
  return {
    file,
    base: { version: 1 },
    offBy: [{ files: [file], path: ["disableAllHooks"], isOff: (value) => value === true }],
    lists: (command) =>
      [...HOOK_EVENTS, ...more].map((event) => ({
        path: ["hooks", event],
        entry: {
          type: "command",
          command,
          timeoutSec: HOOK_TIMEOUT_S,
          ...(event === "postToolUse" ? { matcher: READING_AND_EDITING } : {}),
        },
      })),
  };
}

const HOOK_EVENTS = ["sessionStart", "userPromptTransformed", "postToolUse", "preCompact", "sessionEnd"];
const READING_AND_EDITING = "view|edit|create|str_replace_editor|apply_patch|bash|powershell";
/** dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT_S = 5;

function folder({ home, vars }: AgentEnv): string {
  return vars.COPILOT_HOME || join(home, ".copilot");
}

function projectFile({ project }: AgentEnv): string {
  return join(project, ".github", "mcp.json");
}
