/**
 * Cline starts a program named after the event, in a folder for all projects: a shell script, on Windows a PowerShell
 * script. If dex is gone, the script answers that the task goes on.
 */
import { join } from "node:path";
import type { AgentEnv } from "../../settings/agent_settings.ts";
import { commandLine, type HookFile } from "../../settings/hook_entries.ts";

const EVENTS = [
  "TaskStart",
  "TaskResume",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "TaskComplete",
];
const MARK = "# Written by dex install --hooks; dex uninstall removes it.";
const GO_ON = '{"cancel":false}';

export function clineHookFiles(env: AgentEnv): HookFile[] {
  const isWindows = env.platform === "win32";
  const text = isWindows ? powershellScript : shellScript;
  return EVENTS.map((event) => ({
    file: join(env.home, "Documents", "Cline", "Hooks", isWindows ? `${event}.ps1` : event),
    event,
    isProgram: true,
    text,
    isOurs: (content) => content.split("\n", 2).some((line) => line.trim() === MARK),
    // The command differs from machine to machine.
    isCurrent: (content) => withoutCommand(content) === withoutCommand(text([])),
    ...(event === EVENTS[0] ? { note: "hooks must be turned on in Cline's settings" } : {}),
  }));
}

function shellScript(words: readonly string[]): string {
  return `#!/bin/sh\n${MARK}\n${commandLine(words, "linux")} || echo '${GO_ON}'\n`;
}

/** PowerShell 5 would otherwise recode what passes through it. */
function powershellScript(words: readonly string[]): string {
  const command = words.map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
  return [
    MARK,
    "$OutputEncoding = [Console]::InputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false",
    `try { [Console]::In.ReadToEnd() | & ${command} } catch { '${GO_ON}' }`,
    "",
  ].join("\r\n");
}

function withoutCommand(script: string): string {
  return script.replace(/^.*(?= \|\| echo)/m, "").replace(/(?<=\| & ).*(?= \} catch)/, "");
}
