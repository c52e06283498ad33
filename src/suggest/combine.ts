/**
 * Turns candidates into an answer: evidence for the same thing adds up, items below the gate are dropped, no type fills
 * the whole list, and the rest is cut to a number of items and a token budget. Deterministic.
 */
import { compareText } from "../kernel/text.ts";
import { estimateTokens } from "../tokens/estimate.ts";
import type { Candidate, Evidence } from "./evidence.ts";
import type { ItemType, SuggestionItem } from "./model.ts";
import { chanceOf, type KindShifts, shifted } from "./scale.ts";
import { itemText, plainItem } from "./text.ts";

/** Pieces of evidence are seldom independent, so their sum never reaches certainty. */
const MAX_CHANCE = 0.97;
/** While picking, each further item of a type is worth this fraction of the one before it. */
const REPEAT_DISCOUNT = 0.8;
const MAX_REASONS = 2;

export interface ChooseOptions {
  gate: number;
  maxItems: number;
  maxTokens: number | undefined;
  types: ReadonlySet<ItemType>;
  without: ReadonlySet<string>;
  /** Tokens of a text, for callers that cannot wait for the exact estimate. */
  tokensOf?: ((text: string) => number) | undefined;
  /** The shifts of each kind of evidence that the project's own past suggests. */
  kindShifts: KindShifts;
  /** The shift of a type's scores by feedback, in logits. */
  shift(type: ItemType): number;
}

export interface ChosenItems {
  items: SuggestionItem[];
  /** The score of each item before feedback. */
  base: number[];
  tokens: number;
  /** The number of scored candidates. */
  candidates: number;
  /** Items below the gate: how many, and the best score. */
  below: { count: number; best: number | null; items: { entityId: string; score: number }[] };
  /** Items above the gate that the limit or the budget cut. */
  cut: number;
}

export function choose(candidates: readonly Candidate[], cut: ChooseOptions): ChosenItems {
  const chance = chanceIn(cut.kindShifts);
  const merged = merge(candidates, chance);
  const scored = merged
    .filter(({ type, entityId }) => cut.types.has(type) && !cut.without.has(entityId))
    .map((candidate) => scoredItem(candidate, chance, cut.shift(candidate.type)));
  const candidatesById = new Map(merged.map((candidate) => [candidate.entityId, candidate]));
  const base = new Map(scored.map(({ item, base }) => [item.entityId, base]));
  const ranked = scored.map(({ item }) => item).sort(byScore);
  const above = ranked.filter(({ relevanceScore }) => relevanceScore >= cut.gate);
  const under = ranked.slice(above.length);
  const worded = (item: SuggestionItem): SuggestionItem => {
    const { title, summary, origin } = candidatesById.get(item.entityId) ?? {};
    const place = origin?.();
    return plainItem({
      ...item,
      ...(typeof title === "function" ? { title: title() } : {}),
      ...(typeof summary === "function" ? { summary: summary() } : {}),
      ...(place ? { from: place.from, actionUrl: place.address } : {}),
    });
  };
  const { items, tokens } = fill(diversified(above), cut, worded);
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

/**
 * Merges candidates into one per entity, with the type and texts of a document, or of the candidate with the strongest
 * evidence.
 */
function merge(candidates: readonly Candidate[], chance: Chance): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const each of candidates) {
    const known = found.get(each.entityId);
    if (!known) {
      found.set(each.entityId, { ...each, evidence: [...each.evidence] });
      continue;
    }
    const evidence = [...known.evidence, ...each.evidence];
    const rank = ({ type, evidence: of }: Candidate): number =>
      (type === "doc" ? 1 : 0) + Math.max(0, ...of.map(chance));
    const stronger = rank(each) > rank(known) ? each : known;
    found.set(each.entityId, { ...stronger, evidence });
  }
  return [...found.values()];
}

/** The chance that a piece of evidence alone gives. */
type Chance = (evidence: Evidence) => number;

export function chanceIn(shifts: KindShifts): Chance {
  return ({ kind, strength, features, share }) =>
    shifted(chanceOf(kind, strength, features), shifts[kind] ?? 0) * Math.min(1, Math.max(0, share));
}

/** Two pieces of evidence of one kind are not independent, so only the best of each kind counts. */
export function combinedChance(evidence: readonly Evidence[], chance: Chance): number {
  const best = new Map<Evidence["kind"], number>();
  for (const each of evidence) best.set(each.kind, Math.max(best.get(each.kind) ?? 0, chance(each)));
  const unlikely = [...best.values()].reduce((left, each) => left * (1 - each), 1);
  return Math.min(MAX_CHANCE, 1 - unlikely);
}

function scoredItem(
  { evidence, title, summary, origin: _, ...rest }: Candidate,
  chance: Chance,
  shift: number,
): { item: SuggestionItem; base: number } {
  const ordered = [...evidence].sort((a, b) => chance(b) - chance(a) || compareText(a.reason, b.reason));
  const base = combinedChance(evidence, chance);
  const reasons = [...new Set(ordered.map(({ reason }) => reason))].slice(0, MAX_REASONS);
  const item = {
    ...rest,
    from: "",
    title: typeof title === "string" ? title : "",
    summary: typeof summary === "string" ? summary : "",
    relevanceScore: rounded(shifted(base, shift)),
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

/** Orders items by worth, which falls for each item of a type already picked. Their scores stay the same. */
function diversified(items: readonly SuggestionItem[]): SuggestionItem[] {
  const left = [...items];
  const taken = new Map<ItemType, number>();
  const order: SuggestionItem[] = [];
  const worth = (item: SuggestionItem): number => item.relevanceScore * REPEAT_DISCOUNT ** (taken.get(item.type) ?? 0);
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

/** An item that does not fit is skipped for a shorter one. The picked items are sorted by score again. */
function fill(
  items: readonly SuggestionItem[],
  { maxItems, maxTokens, tokensOf = estimateTokens }: Pick<ChooseOptions, "maxItems" | "maxTokens" | "tokensOf">,
  worded: (item: SuggestionItem) => SuggestionItem,
): { items: SuggestionItem[]; tokens: number } {
  let chosen: SuggestionItem[] = [];
  let tokens = 0;
  for (const item of items) {
    if (chosen.length >= maxItems) break;
    const more = [...chosen, worded(item)].sort(byScore);
    const all = tokensOf(more.map(itemText).join("\n"));
    if (maxTokens !== undefined && all > maxTokens) continue;
    chosen = more;
    tokens = all;
  }
  return { items: chosen, tokens };
}
