/**
 * A part of a public set, the same in every run, for models that take long to embed the whole: some conversations with
 * their questions, or the right documents of all queries with some of the others.
 */
import type { PublicSet } from "./data.ts";

const CONVERSATIONS: Readonly<Record<string, readonly string[]>> = {
  beam: Array.from({ length: 8 }, (_, i) => `beam-100K-${i + 1}`),
};
const OTHER_DOCUMENTS: Readonly<Record<string, number>> = { cosqa: 1000, scifact: 250 };

export function sampleOf(name: string, set: PublicSet): PublicSet {
  const conversations = CONVERSATIONS[name];
  if (conversations) {
    const isIn = ({ conversation }: { conversation: string }): boolean => conversations.includes(conversation);
    return { items: set.items.filter(isIn), queries: set.queries.filter(isIn) };
  }
  const count = OTHER_DOCUMENTS[name];
  if (count === undefined) return set;
  const gold = new Set(set.queries.flatMap((query) => query.gold));
  const others = set.items.filter(({ id }) => !gold.has(id));
  const step = others.length / count;
  const chosen = new Set(Array.from({ length: count }, (_, i) => others[Math.floor(i * step)]?.id));
  return { items: set.items.filter(({ id }) => gold.has(id) || chosen.has(id)), queries: set.queries };
}
