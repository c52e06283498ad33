/**
 * The file of hooks that Copilot CLI and VS Code share: both read every file in a folder `hooks`, so dex has one of its
 * own there.
 */
import { join } from "node:path";
import { type AgentEnv, ENTRY_NAME, type Scope } from "./agent_settings.ts";
import type { HookSettings } from "./hook_entries.ts";

const HOOK_EVENTS = ["sessionStart", "userPromptTransformed", "postToolUse", "preCompact", "sessionEnd"];
const READING_AND_EDITING = "view|edit|create|str_replace_editor|apply_patch|bash|powershell";
/** dex ends long before; this is for a machine that hangs. */
const HOOK_TIMEOUT_S = 5;

/** `more`: events that only VS Code's own agent answers to. */
export function copilotHookSettings(env: AgentEnv, scope: Scope, more: readonly string[] = []): HookSettings {
  const file = join(
    scope === "project" ? join(env.project, ".github") : copilotFolder(env),
    "hooks",
    `${ENTRY_NAME}.json`,
  );
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

export function copilotFolder({ home, vars }: AgentEnv): string {
  return vars.COPILOT_HOME || join(home, ".copilot");
}
