/** A conversation of an export as an import takes it: with its abandoned branches as conversations of their own. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { asString, type Json } from "../../../kernel/json.ts";
import { toIso } from "../../../kernel/time.ts";
import { titleFrom } from "../building/wrappers.ts";
import { abandonedConversations, rejoinedIds, type WholeConversation } from "../forms/conversation.ts";
import type { PlainConversation } from "./plain.ts";

/** The metadata that every chat service exports. */
export function chatMeta(
  source: string,
  id: string,
  { title, created, updated }: Readonly<Record<"title" | "created" | "updated", Json | undefined>>,
): ConversationMeta {
  return defined({
    id,
    source,
    title: titleFrom(asString(title)),
    created: toIso(created),
    updated: toIso(updated),
  });
}

export function withBranches(meta: ConversationMeta, whole: WholeConversation): PlainConversation[] {
  const main = { meta, messages: [...whole.messages], rejoined: rejoinedIds(meta, whole) };
  const branches = abandonedConversations(meta, whole);
  return [main, ...branches.map((branch) => ({ meta: branch.meta, messages: [...branch.messages] }))];
}
