/** Fields of a conversation's row that follow from its metadata and its messages. */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { toIso } from "../../../kernel/time.ts";
import { TITLE_SLOT } from "../../../ranking/segment.ts";
import type { NewDocument } from "../../../ranking/terms/builder.ts";
import { WEIGHT_UNIT } from "../../../ranking/terms/postings.ts";
import type { TitleDigest } from "../../index_writer.ts";

const TITLE_WEIGHT = 3;
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

/** A title as a document, and the texts of its terms. */
export function titleDocument(
  no: number,
  { terms, vectors }: TitleDigest,
): { document: NewDocument; names: readonly string[] } {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const names = [...counts.keys()];
  const packed = names.flatMap((name, i) => [i, TITLE_WEIGHT * WEIGHT_UNIT * (counts.get(name) ?? 1)]);
  const document = { no, slot: TITLE_SLOT, role: 0, length: terms.length, terms: Uint32Array.from(packed), vectors };
  return { document, names };
}
