/** A conversation as a reader returns it when it reads a whole document, and how it is passed to a sink. */
import { BRANCH_MARK, type ConversationMeta, type Message } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import type { Branches } from "../building/branch.ts";
import { completed } from "../building/results.ts";
import { ConversationWriter } from "../building/writer.ts";
import type { Container, HistoryPlace, Sink, SourceEnv } from "../source.ts";

export interface WholeConversation {
  meta: Omit<ConversationMeta, "source">;
  messages: readonly Message[];
  /** Branches that the person left to continue from an earlier message. */
  abandoned?: readonly AbandonedBranch[];
  /** Keys of branches that were abandoned once and that the conversation goes through now. */
  rejoined?: readonly string[];
}

/** The messages after the point where the conversation took another way. */
export interface AbandonedBranch {
  /** Names the branch within its conversation: the agent's id of its first record. */
  key: string;
  /** The key of the abandoned branch that it leaves; absent if it leaves the conversation itself. */
  from?: string;
  messages: readonly Message[];
}

/** The parts of a source that every form shares. */
export interface SourceForm {
  /** The integration's id. */
  id: string;
  places(env: SourceEnv): HistoryPlace[];
  discover(env: SourceEnv): Container[];
}

/** False if the user excluded the conversation. */
export function writeConversation(sink: Sink, source: string, conversation: WholeConversation): boolean {
  const { meta, messages } = conversation;
  const model = meta.model ?? messages.findLast((message) => message.model !== undefined)?.model;
  const known = { ...meta, source, ...(model === undefined ? {} : { model }) };
  const writer = new ConversationWriter(sink, known);
  for (const message of completed(messages)) {
    if (message.parts.length === 0) continue;
    writer.message(message);
    if (writer.refused) return false;
  }
  writer.close();
  writeAbandoned(sink, known, conversation);
  return true;
}

/** Passes on the abandoned branches of a conversation. */
export function writeAbandoned(
  sink: Sink,
  conversation: ConversationMeta,
  branches: Pick<WholeConversation, "abandoned" | "rejoined">,
): void {
  for (const id of rejoinedIds(conversation, branches)) sink.rejoined?.(conversation.source, id);
  for (const { meta, messages } of abandonedConversations(conversation, branches)) {
    const writer = new ConversationWriter(sink, meta);
    for (const message of completed(messages)) if (message.parts.length > 0) writer.message(message);
    writer.close();
  }
}

/** Each abandoned branch as a conversation of its own. */
export function abandonedConversations(
  conversation: ConversationMeta,
  { abandoned = [] }: Pick<WholeConversation, "abandoned">,
): { meta: ConversationMeta; messages: readonly Message[] }[] {
  return abandoned.map((branch) => ({ meta: branchMeta(conversation, branch), messages: branch.messages }));
}

export function rejoinedIds(
  { id }: ConversationMeta,
  { rejoined = [] }: Pick<WholeConversation, "rejoined">,
): string[] {
  return rejoined.map((key) => branchId(id, key));
}

function branchMeta(conversation: ConversationMeta, { key, from, messages }: AbandonedBranch): ConversationMeta {
  // Only facts that stay: the branch does not change when its conversation goes on.
  const { id, source, project, headless } = conversation;
  const model = messages.findLast((message) => message.model !== undefined)?.model;
  const parent = from === undefined ? id : branchId(id, from);
  return defined({ id: branchId(id, key), source, parent, parent_kind: "abandoned", project, model, headless });
}

function branchId(conversation: string, key: string): string {
  return `${conversation}${BRANCH_MARK}${key.replaceAll(/[\s#]/g, "_")}`;
}

/** The messages of each branch of a tree of records. `key` names a record; one without a name begins no branch. */
export function conversationOf(
  meta: WholeConversation["meta"],
  { branches, joined }: Branches,
  key: (position: number) => string | undefined,
  messagesAt: (positions: readonly number[]) => Message[],
): WholeConversation {
  const [main, ...others] = branches.map(({ positions }) => messagesAt(positions));
  const keys = branches.map(({ positions: [first] }, at) => (at === 0 || first === undefined ? undefined : key(first)));
  const abandoned = others.flatMap((messages, at): AbandonedBranch[] => {
    const own = keys[at + 1];
    if (own === undefined || messages.length === 0) return [];
    const from = keys[branches[at + 1]?.from ?? 0];
    return [{ key: own, ...(from === undefined ? {} : { from }), messages }];
  });
  const rejoined = joined.flatMap((position) => key(position) ?? []);
  return { meta, messages: main ?? [], abandoned, rejoined };
}
