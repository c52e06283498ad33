/** Limits a verb to one conversation: a named one, or the one that the caller itself is in. */
import type { Dex } from "../../dex.ts";
import { currentSession } from "../../integrations/session.ts";
import { DexError } from "../../kernel/errors.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { resolveConversation } from "./resolve.ts";

/** Undefined for `all`. */
export function sessionRow(dex: Dex, session: string): ConversationRow | undefined {
  if (session === "all") return undefined;
  const id = session === "current" ? currentSession(dex.vars) : session;
  if (id === undefined) {
    throw new DexError("no_session", "dex does not know which conversation is the current one.", {
      hint: "Give the id of the conversation, or set DEX_SESSION to it.",
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
