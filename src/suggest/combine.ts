/**
 * From candidates to an answer: evidence for the same thing adds up, what is too unlikely falls under the gate, no type
 * takes all places, and what is left is cut to a number and to a budget of tokens. The same input, the same answer.
 */
import { compareText } from "../kernel/text.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import type { Candidate, Evidence } from "./evidence.ts";
import type { ItemType, SuggestionItem } from "./model.ts";
import { chanceAt, chanceOf, logit } from "./scale.ts";
import { itemText, plainItem } from "./text.ts";

/** Evidence that adds up is seldom independent: no sum of it makes a thing certain. */
const MOST_CHANCE = 0.97;
/** What the second item of a type counts beside the first of another, and the third beside the second. */
const AGAIN = 0.8;
const MOST_REASONS = 2;

export interface Cut {
  gate: number;
  most: number;
  maxTokens: number | undefined;
  types: ReadonlySet<ItemType>;
  without: ReadonlySet<string>;
  /** What feedback says of a type, in logits. */
  shift(type: ItemType): number;
}

export interface Chosen {
  items: SuggestionItem[];
  /** Of each item, its score before feedback. */
  base: number[];
  tokens: number;
  /** All that was scored. */
  candidates: number;
  /** Under the gate: how many, and the best of them. */
  below: { count: number; best: number | null; items: { entityId: string; score: number }[] };
  /** Above the gate, and cut by the number or the budget. */
  cut: number;
}

export function choose(candidates: readonly Candidate[], cut: Cut): Chosen {
  const merged = merge(candidates);
  const scored = merged
    .filter(({ type, entityId }) => cut.types.has(type) && !cut.without.has(entityId))
    .map((candidate) => scoredItem(candidate, cut.shift(candidate.type)));
  const summaries = new Map(merged.map(({ entityId, summary }) => [entityId, summary]));
  const base = new Map(scored.map(({ item, base }) => [item.entityId, base]));
  const ranked = scored.map(({ item }) => item).sort(byScore);
  const above = ranked.filter(({ relevanceScore }) => relevanceScore >= cut.gate);
  const under = ranked.slice(above.length);
  const worded = (item: SuggestionItem): SuggestionItem => {
    const summary = summaries.get(item.entityId);
    return plainItem(typeof summary === "function" ? { ...item, summary: summary() } : item);
  };
  const { items, tokens } = fill(diversified(above), cut.most, cut.maxTokens, worded);
  return {
    items,
    base: items.map(({ entityId }) => base.get(entityId) ?? 0),
    tokens,
    candidates: ranked.length,
    below: {
      count: under.length,
      best: under[0]?.relevanceScore ?? null,
      items: under.map(({ entityId, relevanceScore }) => ({ entityId, score: relevanceScore })),
    },
    cut: above.length - items.length,
  };
}

/** One candidate for each thing; the type and words of the one with the strongest evidence stand. */
function merge(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const each of candidates) {
    const known = found.get(each.entityId);
    if (!known) {
      found.set(each.entityId, { ...each, evidence: [...each.evidence] });
      continue;
    }
    const evidence = [...known.evidence, ...each.evidence];
    const stronger = strongest(each.evidence) > strongest(known.evidence) ? each : known;
    found.set(each.entityId, { ...stronger, evidence });
  }
  return [...found.values()];
}

function strongest(evidence: readonly Evidence[]): number {
  return Math.max(0, ...evidence.map(chance));
}

function chance({ kind, strength, share }: Evidence): number {
  return chanceOf(kind, strength) * Math.min(1, Math.max(0, share));
}

function scoredItem({ evidence, summary, ...rest }: Candidate, shift: number): { item: SuggestionItem; base: number } {
  const ordered = [...evidence].sort((a, b) => chance(b) - chance(a) || compareText(a.reason, b.reason));
  // Two sentences of one kind say the same again: only the best of a kind counts.
  const kinds = new Map(ordered.toReversed().map((each) => [each.kind, each]));
  const unlikely = [...kinds.values()].reduce((left, each) => left * (1 - chance(each)), 1);
  const base = Math.min(MOST_CHANCE, 1 - unlikely);
  const moved = base <= 0 ? 0 : chanceAt(logit(base) + shift);
  const reasons = [...new Set(ordered.map(({ reason }) => reason))].slice(0, MOST_REASONS);
  const item = {
    ...rest,
    summary: typeof summary === "string" ? summary : "",
    relevanceScore: rounded(moved),
    reason: reasons.join("; "),
  };
  return { item, base: rounded(base) };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function byScore(a: SuggestionItem, b: SuggestionItem): number {
  return b.relevanceScore - a.relevanceScore || (b.time ?? 0) - (a.time ?? 0) || compareText(a.entityId, b.entityId);
}

/** By what each is worth beside those taken already. The scores stay what they are: only the order changes. */
function diversified(items: readonly SuggestionItem[]): SuggestionItem[] {
  const left = [...items];
  const taken = new Map<ItemType, number>();
  const order: SuggestionItem[] = [];
  const worth = (item: SuggestionItem): number => item.relevanceScore * AGAIN ** (taken.get(item.type) ?? 0);
  while (left.length > 0) {
    let best = 0;
    for (let i = 1; i < left.length; i += 1) {
      if (worth(left[i] as SuggestionItem) > worth(left[best] as SuggestionItem)) best = i;
    }
    const [item] = left.splice(best, 1);
    if (!item) break;
    taken.set(item.type, (taken.get(item.type) ?? 0) + 1);
    order.push(item);
  }
  return order;
}

/** What does not fit is passed over for something shorter. Shown by score again. */
function fill(
  items: readonly SuggestionItem[],
  most: number,
  maxTokens: number | undefined,
  worded: (item: SuggestionItem) => SuggestionItem,
): { items: SuggestionItem[]; tokens: number } {
  let kept: SuggestionItem[] = [];
  let tokens = 0;
  for (const item of items) {
    if (kept.length >= most) break;
    const more = [...kept, worded(item)].sort(byScore);
    const all = estimateTokens(more.map(itemText).join("\n"));
    if (maxTokens !== undefined && all > maxTokens) continue;
    kept = more;
    tokens = all;
  }
  return { items: kept, tokens };
}
