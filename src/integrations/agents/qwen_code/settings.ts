/** Qwen Code: `settings.json` in a folder `.qwen`, among all its other settings; hooks are like Claude Code's. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { groupedList } from "../../settings/hook_entries.ts";

export const qwenCodeSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) => serverEntry(file(env, scope), "mcpServers", { format: "json_with_comments" }),
  hooks: (env, scope) => ({
    file: file(env, scope),
    format: "json_with_comments",
    offBy: [
      {
        files: [file(env, "project"), file(env, "user")],
        path: ["disableAllHooks"],
        isOff: (value) => value === true,
      },
    ],
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_OPTIONS }),
      groupedList("UserPromptSubmit", command, { more: HOOK_OPTIONS }),
      groupedList("PostToolUse", command, { matcher: `${FILE_TOOLS}|${SHELL}`, more: HOOK_OPTIONS }),
      groupedList("PostToolUseFailure", command, { matcher: SHELL, more: HOOK_OPTIONS }),
      groupedList("PreCompact", command, { more: HOOK_OPTIONS }),
      groupedList("SessionEnd", command, { more: HOOK_OPTIONS }),
    ],
  }),
};

const FILE_TOOLS = "read_file|read_many_files|edit|write_file";
const SHELL = "run_shell_command";
/** Milliseconds, which newer versions still recognise by their size. dex ends long before; this is for a machine that hangs. */
const HOOK_OPTIONS = { name: "dex", timeout: 5000 };

function file(env: AgentEnv, scope: Scope): string {
  return join(folder(env, scope), "settings.json");
}

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return scope === "project" ? join(project, ".qwen") : vars.QWEN_HOME || join(home, ".qwen");
}
