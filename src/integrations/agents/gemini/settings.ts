/** Gemini CLI: `settings.json` in a folder `.gemini`, among all its other settings. */
import { join } from "node:path";
import { asArray } from "../../../kernel/json.ts";
import { type AgentEnv, type AgentSettings, type Scope, serverEntry } from "../../settings/agent_settings.ts";
import { groupedList, type OffSwitch } from "../../settings/hook_entries.ts";

export const geminiSettings: AgentSettings = {
  traces: (env, scope) => [folder(env, scope)],
  mcp: (env, scope) =>
    serverEntry(join(folder(env, scope), "settings.json"), "mcpServers", { format: "json_with_comments" }),
  hooks: (env, scope) => ({
    file: join(folder(env, scope), "settings.json"),
    format: "json_with_comments",
    offBy: offSwitches([join(folder(env, "project"), "settings.json"), join(folder(env, "user"), "settings.json")]),
    lists: (command) => [
      groupedList("SessionStart", command, { more: HOOK_OPTIONS }),
      groupedList("BeforeAgent", command, { more: HOOK_OPTIONS }),
      groupedList("AfterTool", command, {
        matcher: "read_file|read_many_files|write_file|replace|run_shell_command",
        formerMatchers: ["read_file|read_many_files|write_file|replace"],
        more: HOOK_OPTIONS,
      }),
      // The automatic one comes before every request, and Gemini CLI waits for each hook.
      groupedList("PreCompress", command, { matcher: "manual", formerMatchers: [""], more: HOOK_OPTIONS }),
      groupedList("SessionEnd", command, { more: HOOK_OPTIONS }),
    ],
  }),
};

/** Milliseconds, and the name under which Gemini CLI lists a hook and turns it off. */
const HOOK_OPTIONS = { name: "dex", timeout: 5000 };

/** All hooks, or this one by its name. Gemini CLI joins the lists of names in its files. */
function offSwitches(files: readonly string[]): OffSwitch[] {
  const byName = (file: string): OffSwitch => ({
    files: [file],
    path: ["hooksConfig", "disabled"],
    isOff: (names) => asArray(names).includes(HOOK_OPTIONS.name),
  });
  return [{ files, path: ["hooksConfig", "enabled"], isOff: (value) => value === false }, ...files.map(byName)];
}

function folder({ home, vars, project }: AgentEnv, scope: Scope): string {
  return join(scope === "project" ? project : vars.GEMINI_CLI_HOME || home, ".gemini");
}
