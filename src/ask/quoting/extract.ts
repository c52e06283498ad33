/**
 * An answer without a model: quotes those sentences, items, rows and code blocks of the passages found that cover the
 * question and its use case, in their order and under their headings. The same question over the same documents gives
 * the same answer.
 */

import { cleanText, escapeNamedFrames } from "../../text/clean.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { MAX_QUOTED_PASSAGES, type Ranked } from "../evidence/answering.ts";
import { placeName, type ReadPassage } from "../passage.ts";
import { coverage, type QuestionTerms, termsOf, weigh } from "../terms.ts";
import { type Unit, unitsOf } from "./blocks.ts";
import { isInstruction } from "./injected.ts";

/** A passage that covers less of the question is not quoted, unless it ranks first: it may say it in other words. */
const MIN_COVERAGE = 0.2;
/** A term that was already quoted counts this fraction the next time. */
const REPEAT_DISCOUNT = 0.15;
/** Weight of the heading's terms for a unit below it. */
const HEADING_WEIGHT = 0.5;
/** Units that are worth less per token are left out. */
const MIN_WORTH_PER_TOKEN = 0.0006;
const MIN_WORTH = 0.03;
/** A question in the text repeats the words of the question, but answers nothing. */
const QUESTION_DISCOUNT = 0.4;
/** A further passage is quoted when its worth is at least this share of the best one's. */
const MIN_SHARE_OF_BEST = 0.75;
/** A unit must cover this share of the question without its heading. */
const MIN_OWN_SHARE = 0.12;
/** Sentences quoted after the best one, in its paragraph. */
const MAX_FOLLOWING = 3;
/** A section is short, and quoted whole, up to this share of the budget. */
const SHORT_SECTION_SHARE = 0.5;
/** Of a unit that is too long for the answer, lines are quoted up to this share of the budget; half of it after the best section. */
const EXCERPT_SHARE = 0.5;
/** Lines that are quoted below one with words of the question. */
const LINES_BELOW = 2;
/** Units of the best section, and of the next, that are quoted for their meaning. */
const MAX_NEAREST: readonly number[] = [4, 2, 2];
/** Weight of a unit's meaning relative to its words. */
const NEAR_WEIGHT = 0.15;

export interface Extract {
  text: string;
  /** Best first; each holds only its quoted text. */
  quoted: ReadPassage[];
}

interface Candidate {
  passage: ReadPassage;
  rank: number;
  place: number;
  unit: Unit;
  terms: Set<string>;
  /** How near its meaning is to the question, 0 to 1. */
  near: number;
  tokens: number;
}

/** An answer to a how-to question should have code, and one to a question for a number should have a number. */
export interface Wants {
  how?: boolean;
  quantity?: boolean;
  /** How near the meaning of a text is to the question, 0 to 1. */
  near?(text: string): number;
}

const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|unlimited|infinite|no limit)\b/i;
const HOW_TO = /\bhow (?:do|does|can|could|should|would|to|must)\b|\bshow me\b|\bexample\b/i;

export function asksHow(query: string): boolean {
  return HOW_TO.test(query);
}

/**
 * `ranked`: best first; `found`: the passage that the search found first, which is always quoted. Undefined when none of the passages covers the question.
 */
export function extract(
  ranked: readonly Ranked[],
  found: ReadPassage | undefined,
  question: QuestionTerms,
  maxTokens: number,
  wants: Wants = {},
): Extract | undefined {
  const held = ranked.map(({ passage }) => termsOf(`${headingOf(passage)}\n${passage.text}`));
  const terms = weigh(question, held);
  const covering = ranked.filter(
    ({ passage }, i) => i === 0 || passage === found || coverage(terms, held[i] ?? new Set()) >= MIN_COVERAGE,
  );
  const best = covering[0];
  if (!best) return undefined;
  const near = covering.filter(({ worth }) => worth >= best.worth * MIN_SHARE_OF_BEST).slice(0, MAX_QUOTED_PASSAGES);
  const first = covering.find(({ passage }) => passage === found);
  if (first && !near.includes(first)) near.push(first);
  const budget = Math.floor(maxTokens / BUDGET_MARGIN);
  const room = budget - near.length * 12;
  const candidates = near.flatMap(({ passage }, rank) => candidatesOf(passage, rank, terms, room, wants));
  const chosen = choose(candidates, terms, room);
  for (const rank of near.keys()) chosen.push(...ofUnquoted(rank, candidates, chosen, terms, room));
  if (wants.how) chosen.push(...shownCode(candidates, chosen, room));
  chosen.push(...nearest(candidates, chosen, room));
  if (wants.quantity) chosen.push(...shownNumber(candidates, chosen, terms, room));
  const quoted = near.flatMap(({ passage }) => {
    const text = quotation(passage, chosen);
    return text === "" ? [] : { ...passage, text };
  });
  if (quoted.length === 0) return undefined;
  const text = quoted.map((passage) => `**${placeName(passage)}** [${passage.ref}]\n\n${passage.text}`).join("\n\n");
  return { text, quoted };
}

function headingOf({ title, section, document }: ReadPassage): string {
  return `${title}\n${section ?? ""}\n${document}`;
}

function candidatesOf(
  passage: ReadPassage,
  rank: number,
  terms: QuestionTerms,
  room: number,
  { near = () => 0 }: Wants,
): Candidate[] {
  return unitsOf(escapeNamedFrames(cleanText(passage.text))).flatMap((given, place) => {
    if (isInstruction(given.text)) return [];
    const fits = estimateTokens(given.text) < room;
    const share = rank === 0 ? EXCERPT_SHARE : EXCERPT_SHARE / 2;
    const unit = fits ? given : { ...given, text: excerpt(given.text, terms, room * share) };
    const held = termsOf(unit.text);
    return { passage, rank, place, unit, terms: held, near: near(unit.text), tokens: estimateTokens(unit.text) + 1 };
  });
}

/** Of a unit that is too long for an answer, the lines with words of the question and those below them. */
function excerpt(text: string, terms: QuestionTerms, maxTokens: number): string {
  const lines = text.split("\n");
  const ranked = lines
    .map((line, at) => ({ at, covered: coverage(terms, termsOf(line)) }))
    .filter(({ covered }) => covered > 0)
    .sort((a, b) => b.covered - a.covered || a.at - b.at);
  const kept = new Set(lines.keys().filter((at) => /^\s*(?:`{3,}|~{3,})/.test(lines[at] ?? "")));
  const said = [...lines.keys()].filter((at) => (lines[at] ?? "").trim() !== "");
  let left = maxTokens;
  for (const { at } of ranked) {
    const from = said.indexOf(at);
    const group = said.slice(from, from + 1 + LINES_BELOW).filter((each) => !kept.has(each));
    left -= group.reduce((sum, each) => sum + estimateTokens(lines[each] ?? "") + 2, 0);
    if (left < 0) break;
    for (const each of group) kept.add(each);
  }
  return lines.flatMap((line, at) => (kept.has(at) ? line : kept.has(at - 1) ? "…" : [])).join("\n");
}

/** Greedily takes the unit that adds most per token, with the units it needs to be understood. */
function choose(candidates: readonly Candidate[], terms: QuestionTerms, budget: number): Candidate[] {
  const total = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
  const chosen = new Set<Candidate>();
  const said = new Map<string, number>();
  let left = budget;
  const worthOf = (candidate: Candidate): number => {
    const heading = termsOf(headingOf(candidate.passage));
    const intro = introOf(candidate, candidates);
    const isCode = candidate.unit.kind === "code";
    let worth = 0;
    for (const [term, weight] of terms) {
      const share = candidate.terms.has(term)
        ? 1
        : intro?.terms.has(term)
          ? 0.7
          : heading.has(term)
            ? HEADING_WEIGHT
            : 0;
      worth +=
        (weight / total) *
        share *
        (candidate.terms.has(term) && said.has(term) ? REPEAT_DISCOUNT : 1) *
        (share < 1 && chosen.size > 0 ? REPEAT_DISCOUNT : 1);
    }
    const place = 1 / (1 + candidate.rank * 0.35) / (1 + candidate.place * 0.02);
    const kind = isCode ? 1.15 : isQuestion(candidate) ? QUESTION_DISCOUNT : 1;
    return worth * place * kind - candidate.tokens * MIN_WORTH_PER_TOKEN * (isCode ? 0.4 : 1);
  };
  for (;;) {
    let best: { candidate: Candidate; worth: number; group: Candidate[]; tokens: number } | undefined;
    for (const candidate of candidates) {
      if (chosen.has(candidate) || coverage(terms, ownTerms(candidate, candidates)) < MIN_OWN_SHARE) continue;
      const worth = worthOf(candidate);
      if (worth < MIN_WORTH || (best && worth <= best.worth)) continue;
      const group = withNeeded(candidate, candidates).filter((each) => !chosen.has(each));
      const tokens = group.reduce((sum, each) => sum + each.tokens, 0);
      if (tokens > left) continue;
      best = { candidate, worth, group, tokens };
    }
    if (!best) break;
    for (const each of best.group) {
      chosen.add(each);
      for (const term of each.terms) said.set(term, 1);
    }
    left -= best.tokens;
  }
  for (const each of ofUnquoted(0, candidates, [...chosen], terms, budget)) {
    chosen.add(each);
    left -= each.tokens;
  }
  for (const group of following(candidates, chosen, terms, budget)) {
    const missing = group.filter((each) => !chosen.has(each));
    const tokens = missing.reduce((sum, each) => sum + each.tokens, 0);
    if (tokens > left) break;
    for (const each of missing) chosen.add(each);
    left -= tokens;
  }
  return [...chosen];
}

function isQuestion({ unit }: Candidate): boolean {
  return unit.kind === "sentence" && /[?？]["'”)*_]{0,3}$/.test(unit.text);
}

/** The best unit of a section of which nothing is quoted; the first one if only its heading covers the question. */
function ofUnquoted(
  rank: number,
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  if (chosen.some((each) => each.rank === rank)) return [];
  const left = leftOf(budget, chosen);
  const best = candidates
    .filter((each) => each.rank === rank)
    .map((each) => ({
      group: withNeeded(each, candidates),
      covered:
        (isQuestion(each) ? QUESTION_DISCOUNT : 1) *
        (coverage(terms, ownTerms(each, candidates)) + NEAR_WEIGHT * each.near),
      each,
    }))
    .filter(({ group }) => sizeOf(group) <= left)
    .sort((a, b) => b.covered - a.covered || a.each.place - b.each.place)[0];
  return best?.group ?? [];
}

/** The units of the best sections that are nearest in meaning, because an answer may have none of the question's words. */
function nearest(candidates: readonly Candidate[], chosen: readonly Candidate[], budget: number): Candidate[] {
  const added: Candidate[] = [];
  let left = leftOf(budget, chosen);
  for (const rank of MAX_NEAREST.keys()) {
    const near = candidates
      .filter((each) => each.rank === rank && each.near > 0 && !isQuestion(each))
      .sort((a, b) => b.near - a.near || a.place - b.place)
      .slice(0, MAX_NEAREST[rank]);
    for (const each of near) {
      const group = withNeeded(each, candidates).filter((one) => !chosen.includes(one) && !added.includes(one));
      const tokens = sizeOf(group);
      if (tokens > left) continue;
      added.push(...group);
      left -= tokens;
    }
  }
  return added;
}

/** The best unit with a number of the best section, for a question that asks for one, unless one is quoted already. */
function shownNumber(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  const hasNumber = ({ rank, unit }: Candidate): boolean => rank === 0 && NUMBER.test(unit.text);
  if (chosen.some(hasNumber)) return [];
  const left = leftOf(budget, chosen);
  return (
    candidates
      .filter(hasNumber)
      .map((each) => ({ group: withNeeded(each, candidates).filter((needed) => !chosen.includes(needed)), each }))
      .filter(({ group }) => sizeOf(group) <= left)
      .sort((a, b) => coverage(terms, b.each.terms) - coverage(terms, a.each.terms) || a.each.place - b.each.place)[0]
      ?.group ?? []
  );
}

function sizeOf(group: readonly Candidate[]): number {
  return group.reduce((sum, { tokens }) => sum + tokens, 0);
}

function leftOf(budget: number, chosen: readonly Candidate[]): number {
  return budget - sizeOf(chosen);
}

/** The code block of the best section that is nearest to its quoted units, unless one is quoted already. */
function shownCode(candidates: readonly Candidate[], chosen: readonly Candidate[], budget: number): Candidate[] {
  const said = chosen.filter(({ rank }) => rank === 0);
  if (said.length === 0 || said.some(({ unit }) => unit.kind === "code")) return [];
  const left = leftOf(budget, chosen);
  const far = ({ unit }: Candidate): number => Math.min(...said.map((each) => Math.abs(each.unit.block - unit.block)));
  const shown = candidates
    .filter(({ rank, unit }) => rank === 0 && unit.kind === "code")
    .map((each) => withNeeded(each, candidates).filter((needed) => !chosen.includes(needed)))
    .filter((group) => sizeOf(group) <= left)
    .sort((a, b) => far(a.at(-1) as Candidate) - far(b.at(-1) as Candidate));
  return shown[0] ?? [];
}

/** The rest of a short section; in a longer one, the sentences that follow the best one in its paragraph. */
function following(
  candidates: readonly Candidate[],
  chosen: ReadonlySet<Candidate>,
  terms: QuestionTerms,
  budget: number,
): Candidate[][] {
  const own = candidates.filter(({ rank }) => rank === 0);
  if (!own.some((each) => chosen.has(each))) return [];
  if (own.reduce((sum, each) => sum + each.tokens, 0) <= budget * SHORT_SECTION_SHARE) return own.map((each) => [each]);
  const said = own.filter((each) => chosen.has(each) && each.unit.kind === "sentence");
  const best = said.sort((a, b) => coverage(terms, b.terms) - coverage(terms, a.terms) || a.place - b.place)[0];
  if (!best) return [];
  return own
    .filter(({ place, unit }) => unit.block === best.unit.block && place >= best.place)
    .slice(0, MAX_FOLLOWING + 1)
    .map((each) => withNeeded(each, candidates));
}

function ownTerms(candidate: Candidate, all: readonly Candidate[]): Set<string> {
  return new Set([...candidate.terms, ...(introOf(candidate, all)?.terms ?? [])]);
}

/** The sentence that introduces a code block or a list. */
function introOf(candidate: Candidate, all: readonly Candidate[]): Candidate | undefined {
  if (candidate.unit.kind === "sentence") return undefined;
  const before = all.findLast((each) => each.passage === candidate.passage && each.unit.block < candidate.unit.block);
  const leads = before?.unit.kind === "sentence" && before.unit.block === candidate.unit.block - 1;
  return leads && (candidate.unit.kind === "code" || /[:：]$/.test(before.unit.text)) ? before : undefined;
}

/** A sentence that introduces a block needs that block; one that refers back needs the sentence before it. */
function withNeeded(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  const own = all.filter((each) => each.passage === candidate.passage);
  const at = own.indexOf(candidate);
  const intro = introOf(candidate, all);
  if (intro) return [intro, candidate];
  if (candidate.unit.kind !== "sentence") return [candidate];
  const next = own[at + 1];
  if (/[:：]$/.test(candidate.unit.text) && next && next.unit.block === candidate.unit.block + 1) {
    return [candidate, ...own.filter((each) => each.unit.block === next.unit.block).slice(0, 12)];
  }
  const before = own[at - 1];
  const pointsBack =
    /^(?:(?:it|this|that|these|those|they|then|so|otherwise|instead|there|both|neither|either)\b|one (?:that|of)\b|with(?:out)?(?:,| it\b| them\b)|(?:also|but|and)\b)/i.test(
      candidate.unit.text,
    );
  return pointsBack && before?.unit.block === candidate.unit.block ? [before, candidate] : [candidate];
}

function quotation(passage: ReadPassage, chosen: readonly Candidate[]): string {
  const own = chosen.filter((each) => each.passage === passage).sort((a, b) => a.place - b.place);
  const parts: string[] = [];
  let last: Candidate | undefined;
  for (const each of own) {
    const { kind, text, block, head } = each.unit;
    const goesOn = last?.unit.block === block;
    if (goesOn && kind === "sentence")
      parts[parts.length - 1] += `${last?.place === each.place - 1 ? "" : " …"} ${text}`;
    else if (goesOn) parts[parts.length - 1] += `\n${text}`;
    else parts.push(kind === "row" && head ? `${head}\n${text}` : text);
    last = each;
  }
  return parts.join("\n\n");
}
