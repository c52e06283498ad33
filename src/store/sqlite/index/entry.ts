/** Fields of a conversation's row that follow from its metadata and its messages. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { toIso } from "../../../kernel/time.ts";

const UNTITLED = "(no title)";

/** `prompt`: the first thing that was asked. */
export function shownTitle({ title }: ConversationMeta, prompt: string | null | undefined): string {
  return title || prompt || UNTITLED;
}

/** `first` and `last`: the times of its messages, where any has one. */
export function timesOf(
  meta: ConversationMeta,
  first: number | null,
  last: number | null,
): { created: number; updated: number } {
  const made = millis(meta.created);
  const changed = millis(meta.updated);
  const created = first ?? made ?? changed ?? 0;
  return { created, updated: last ?? changed ?? created };
}

function millis(time: string | undefined): number | undefined {
  const iso = toIso(time);
  return iso === undefined ? undefined : Date.parse(iso);
}
