/** The caller's own conversation, from the environment variables of the agent that runs dex. */
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { resolveConversation } from "./resolve.ts";

/**
 * Variables that agents set for the commands they run. OpenCode (1.18) passes its session to neither commands nor
 * servers; Codex (0.166) sets these for commands, and gives MCP servers its thread only in the `_meta` of each call.
 */
const SESSION_VARIABLES = [
  "DEX_SESSION",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_SESSION_ID",
] as const;

/** The agent that sets the variable. */
const AGENT_OF: Readonly<Partial<Record<(typeof SESSION_VARIABLES)[number], string>>> = {
  CLAUDE_CODE_SESSION_ID: "claude_code",
  CLAUDE_SESSION_ID: "claude_code",
  CODEX_THREAD_ID: "codex",
  CODEX_SESSION_ID: "codex",
};

/** Undefined for `all`. */
export function sessionRow(dex: Dex, session: string): ConversationRow | undefined {
  if (session === "all") return undefined;
  const id = session === "current" ? currentSession(dex.vars) : session;
  if (id === undefined) {
    throw new DexError("no_session", "The current session is not known here.", {
      hint: "Set DEX_SESSION to its id, or use --session <id>.",
    });
  }
  return resolveConversation(dex, id);
}

/** Refuses an address outside the session: an agent limited to one session must not read another by mistake. */
export function checkSession(dex: Dex, session: string, row: ConversationRow): void {
  const allowed = sessionRow(dex, session);
  if (!allowed || allowed.no === row.no) return;
  throw new DexError("other_session", `${row.source}:${row.id} is not the session ${allowed.id}.`, {
    hint: "Use --session all to read any conversation.",
  });
}

/** For a process that serves several callers: its own session is not theirs. An explicit DEX_SESSION stays. */
export function withoutSession(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const copy = { ...vars };
  for (const name of SESSION_VARIABLES) if (name !== "DEX_SESSION") delete copy[name];
  return copy;
}

export function currentSession(vars: NodeJS.ProcessEnv): string | undefined {
  for (const name of SESSION_VARIABLES) {
    const value = vars[name];
    if (value) return value;
  }
  return undefined;
}

/** The agent that runs the command, if its variables are set. */
export function currentAgent(vars: NodeJS.ProcessEnv): string | undefined {
  const name = SESSION_VARIABLES.find((each) => vars[each]);
  return name && AGENT_OF[name];
}
