/** Claude Code, Anthropic's command line agent. */
import { join } from "node:path";
import type { SourceEnv } from "../../history/source.ts";
import type { Integration } from "../../integration.ts";

export const claudeCode: Integration = {
  id: "claude_code",
  name: "Claude Code",
  aliases: ["claude"],
  sessionVariables: ["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"],
  handoff: { filePrefix: "@", resume: ["claude", "--resume"], start: ["claude"] },
  hookName: "claude",
  folders: (env) => claudeHomes(env),
  history: async () => (await import("./history/source.ts")).claudeCodeHistory,
  settings: async () => (await import("./settings.ts")).claudeCodeSettings,
  hooks: async () => (await import("./hooks.ts")).claudeCodeHooks,
};

/** The newer default under XDG exists next to the older one. */
export function claudeHomes(env: SourceEnv): string[] {
  const home = env.vars.CLAUDE_CONFIG_DIR || join(env.home, ".claude");
  const xdg = join(env.vars.XDG_CONFIG_HOME || join(env.home, ".config"), "claude");
  return [...new Set([home, xdg, ...xcodeFolders(env)])];
}

/** Xcode runs Claude Code with settings folders of its own. */
function xcodeFolders({ home, platform }: SourceEnv): string[] {
  if (platform !== "darwin") return [];
  const assistant = join(home, "Library", "Developer", "Xcode", "CodingAssistant");
  return [join(assistant, "ClaudeAgentConfig"), join(assistant, "Agents", "claude")];
}
