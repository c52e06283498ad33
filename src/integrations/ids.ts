/** The names of all sources, apart from their readers: what only checks a name need not load those. */
export const SOURCE_IDS = [
  "claude_code",
  "codex",
  "cursor",
  "opencode",
  "gemini",
  "copilot",
  "pi",
  "cline",
  "aider",
  "factory_droid",
  "specstory",
] as const;
