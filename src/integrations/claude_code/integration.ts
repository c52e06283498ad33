/** Claude Code, Anthropic's command line agent. */
import type { Integration } from "../integration.ts";

export const claudeCode: Integration = {
  id: "claude_code",
  name: "Claude Code",
  aliases: ["claude"],
  sessionVariables: ["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"],
  handoff: { filePrefix: "@", resume: ["claude", "--resume"], start: ["claude"] },
  hookName: "claude",
  history: async () => (await import("./history/source.ts")).claudeCodeHistory,
  settings: async () => (await import("./settings.ts")).claudeCodeSettings,
  hooks: async () => (await import("./hooks.ts")).claudeCodeHooks,
};
