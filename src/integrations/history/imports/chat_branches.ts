/** A conversation of an export as an import takes it: with its abandoned branches as conversations of their own. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { abandonedConversations, rejoinedIds, type WholeConversation } from "../forms/conversation.ts";
import type { PlainConversation } from "./plain.ts";

export function withBranches(meta: ConversationMeta, whole: WholeConversation): PlainConversation[] {
  const main = { meta, messages: [...whole.messages], rejoined: rejoinedIds(meta, whole) };
  const branches = abandonedConversations(meta, whole);
  return [main, ...branches.map((branch) => ({ meta: branch.meta, messages: [...branch.messages] }))];
}
