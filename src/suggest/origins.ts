/** Where a fact comes from, in words and as an address that one call opens: a conversation by its title, a commit. */
import { agentName } from "../integrations/registry.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteLine } from "../redact/quote.ts";
import type { HistoryReader } from "../store/history.ts";
import type { ConversationReader, TeamOrigin } from "../store/ports.ts";

const MAX_TITLE_CHARS = 60;

export interface NamedConversation {
  source: string;
  id: string;
  title: string;
  /** In milliseconds. */
  updated: number;
  team?: TeamOrigin;
}

/** `source:id#12`, or `source:id` for the whole conversation. */
export function conversationAddress({ source, id }: Pick<NamedConversation, "source" | "id">, message?: number | null) {
  return message === undefined || message === null ? `${source}:${id}` : `${source}:${id}#${message}`;
}

/** ` of ada on laptop`; empty for a conversation of this home. */
export function ownerOf({ team }: { team?: TeamOrigin }): string {
  return team ? ` of ${quoteLine(`${team.owner}${team.machine ? ` on ${team.machine}` : ""}`, MAX_TITLE_CHARS)}` : "";
}

/** `Claude Code conversation "Retries pile up"`. */
export function conversationInWords(conversation: Pick<NamedConversation, "source" | "title" | "team">): string {
  const { source, title } = conversation;
  const named = title === "" ? "" : ` "${quoteLine(title, MAX_TITLE_CHARS)}"`;
  return `${agentName(source)} conversation${named}${ownerOf(conversation)}`;
}

/** The same with its date and address, for the middle of a sentence. */
export function conversationReference(conversation: NamedConversation): string {
  const { title, updated } = conversation;
  const named = `"${quoteLine(title, MAX_TITLE_CHARS)}"${ownerOf(conversation)}`;
  return `${named}, ${dayOf(updated)}, ${conversationAddress(conversation)}`;
}

/** The date of a fact is its own field, so `from` has none. */
export interface Origin {
  from: string;
  address: string;
}

/**
 * The origin of a finding that names its owner (`source:id`, or a commit) and its place in it (`id#index`, a commit, a
 * file with a line).
 */
export function originOf(
  { owner, place }: { owner: string; place: string },
  known: { index: ConversationReader; history: HistoryReader },
): Origin {
  const conversation = conversationOf(known.index, owner);
  if (conversation) {
    const message = /#(\d+)$/.exec(place)?.[1];
    return {
      from: conversationInWords(conversation),
      address: conversationAddress(conversation, message === undefined ? null : Number(message)),
    };
  }
  if (/^[0-9a-f]{7,64}$/.test(place)) {
    const subject = known.history.byPrefix(place, 1)[0]?.subject;
    const named = subject === undefined ? "" : ` "${quoteLine(subject, MAX_TITLE_CHARS)}"`;
    return { from: `commit${named}`, address: place };
  }
  return { from: "", address: place };
}

function conversationOf(index: ConversationReader, owner: string): NamedConversation | undefined {
  const [, source, id] = /^([a-z][a-z0-9_-]+):(.+)$/.exec(owner) ?? [];
  if (source === undefined || id === undefined) return undefined;
  return index.byPrefix(id, source, 2).find((row) => row.id === id);
}
