/** Which conversation the caller itself is in, when the agent that runs dex says so. */
const SESSION_VARIABLES = [
  "DEX_SESSION",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_SESSION_ID",
  "OPENCODE_SESSION_ID",
] as const;

export function currentSession(vars: NodeJS.ProcessEnv): string | undefined {
  for (const name of SESSION_VARIABLES) {
    const value = vars[name];
    if (value) return value;
  }
  return undefined;
}
