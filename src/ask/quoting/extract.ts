/**
 * An answer without a model: quotes those sentences, items, rows and code blocks of the passages found that cover the
 * question and its use case, in their order and under their headings. The same question over the same documents gives
 * the same answer.
 */
import { BUDGET_MARGIN } from "../../tokens/estimate.ts";
import { MAX_QUOTED_PASSAGES, type Ranked } from "../evidence/answering.ts";
import { sentenceCosine } from "../evidence/sentences.ts";
import { nearTo } from "../evidence/similar.ts";
import { placeName, type ReadPassage } from "../passage.ts";
import type { WeighedQuestion } from "../question/question_words.ts";
import { coverage, type QuestionTerms, termsOf, weigh } from "../question/terms.ts";
import {
  announced,
  bestOfEach,
  following,
  furtherPlaces,
  openingOfAnswer,
  shownCode,
  shownNumber,
} from "./additions.ts";
import {
  type Candidate,
  candidatesOf,
  headingOf,
  isQuestion,
  leadsOf,
  ownTerms,
  sizeOf,
  type Wants,
  withNeeded,
} from "./candidates.ts";
import { QUESTION_DISCOUNT, scoresOf } from "./scores.ts";

/** The weight of a term that is already quoted. */
const REPEAT_DISCOUNT = 0.15;
/** Weight of the heading's terms for the units below it. */
const HEADING_WEIGHT = 0.5;
/** A unit that is worth less per token is left out. */
const MIN_WORTH_PER_TOKEN = 0.0006;
const MIN_WORTH = 0.03;
/** A further passage is quoted when its worth is at least this share of the best one's. */
const MIN_SHARE_OF_BEST = 0.75;
/** The exponent by which the units of a passage with less worth than the best one lose weight. */
const SHARE_POWER = 1.5;
/** A passage is a copy of a better one if the two have this share of their lines in common. */
const COPY_SHARE = 0.9;
/** A unit must cover this share of the question by itself, without its heading. */
const MIN_OWN_SHARE = 0.12;

export interface Extract {
  text: string;
  /** Best first; each holds only its quoted text. */
  quoted: ReadPassage[];
}

const HOW_TO = /\bhow (?:do|does|can|could|should|would|to|must)\b|\bshow me\b|\bexample\b/i;

/** The properties that the answer to a question should have. */
export function wantsOf(asked: WeighedQuestion): Wants {
  return {
    how: HOW_TO.test(asked.query),
    quantity: asked.quantity,
    near: nearTo(asked),
    sentence: (text) => sentenceCosine(asked, text),
  };
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
  const [best] = ranked;
  if (!best) return undefined;
  const terms = weigh(
    question,
    ranked.map(({ passage }) => termsOf(`${headingOf(passage)}\n${passage.text}`)),
  );
  // A statement of a manifest is the whole answer.
  const worthwhile = best.passage.stated
    ? ranked.filter(({ passage }) => passage.stated)
    : ranked.filter(({ worth }) => worth >= best.worth * MIN_SHARE_OF_BEST);
  const near = withoutCopies(worthwhile).slice(0, MAX_QUOTED_PASSAGES);
  const first = ranked.find(({ passage }) => passage === found);
  if (first && !worthwhile.includes(first)) near.push(first);
  const budget = Math.floor(maxTokens / BUDGET_MARGIN);
  const room = budget - near.length * 12;
  const candidates = near.flatMap(({ passage, worth }, rank) =>
    candidatesOf({ passage, rank, share: shareOf(worth, best.worth) }, terms, room, wants).filter(
      ({ unit }) => !near.some((other) => isPart(other.passage, passage) && says(other.passage, unit.text)),
    ),
  );
  const scores = scoresOf(candidates, terms, wants);
  const chosen = choose(candidates, bestOfEach(candidates, scores, room), terms, room);
  chosen.push(...openingOfAnswer(candidates, chosen, terms, room));
  if (wants.how) chosen.push(...shownCode(candidates, chosen, terms, room));
  chosen.push(...announced(candidates, chosen, room));
  if (wants.quantity) chosen.push(...shownNumber(candidates, chosen, terms, room));
  chosen.push(...furtherPlaces(candidates, chosen, scores, room));
  const quoted = near.flatMap(({ passage }) => {
    const text = quotation(passage, chosen);
    return text === "" ? [] : { ...passage, text };
  });
  if (quoted.length === 0) return undefined;
  const text = quoted.map((passage) => `**${placeName(passage)}** [${passage.ref}]\n\n${passage.text}`).join("\n\n");
  return { text, quoted };
}

function shareOf(worth: number, best: number): number {
  return best > 0 ? Math.min(1, Math.max(0, worth / best)) ** SHARE_POWER : 1;
}

/** Leaves out a passage that repeats a better one: a site keeps the pages of several versions side by side. */
function withoutCopies(ranked: readonly Ranked[]): Ranked[] {
  const kept: { each: Ranked; lines: ReadonlySet<string> }[] = [];
  for (const each of ranked) {
    const lines = new Set(each.passage.text.split("\n").map((line) => line.trim()));
    lines.delete("");
    const isCopy = kept.some(
      ({ lines: others }) => lines.intersection(others).size >= Math.max(lines.size, others.size, 1) * COPY_SHARE,
    );
    if (!isCopy) kept.push({ each, lines });
  }
  return kept.map(({ each }) => each);
}

/** Whether a passage is a subsection of one that was read with its subsections: it is cited by itself. */
function isPart(part: ReadPassage, whole: ReadPassage): boolean {
  const [first, last] = part.lines ?? [0, 0];
  const [from, to] = whole.lines ?? [0, 0];
  const isSame = part.collection === whole.collection && part.document === whole.document;
  return part !== whole && isSame && first > from && last <= to;
}

function says({ text }: ReadPassage, part: string): boolean {
  return text.replace(/\s+/g, " ").includes(part.replace(/\s+/g, " "));
}

/**
 * Starts with the given units, then greedily takes the unit that adds most per token, with the units it needs to be
 * understood.
 */
function choose(
  candidates: readonly Candidate[],
  first: readonly Candidate[],
  terms: QuestionTerms,
  budget: number,
): Candidate[] {
  const total = [...terms.values()].reduce((sum, weight) => sum + weight, 0);
  const chosen = new Set(first);
  const said = new Set(first.flatMap(({ terms: held }) => [...held]));
  let left = budget - sizeOf(first);
  const worthOf = (candidate: Candidate): number => {
    const heading = termsOf(headingOf(candidate.passage));
    const leads = leadsOf(candidate, candidates);
    const isCode = candidate.unit.kind === "code";
    let worth = 0;
    for (const [term, weight] of terms) {
      const share = candidate.terms.has(term)
        ? 1
        : leads.some((lead) => lead.terms.has(term))
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
    const place = candidate.share / (1 + candidate.place * 0.02);
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
      const tokens = sizeOf(group);
      if (tokens > left) continue;
      best = { candidate, worth, group, tokens };
    }
    if (!best) break;
    for (const each of best.group) {
      chosen.add(each);
      for (const term of each.terms) said.add(term);
    }
    left -= best.tokens;
  }
  for (const group of following(candidates, chosen, terms, budget)) {
    const missing = group.filter((each) => !chosen.has(each));
    const tokens = sizeOf(missing);
    if (tokens > left) break;
    for (const each of missing) chosen.add(each);
    left -= tokens;
  }
  return [...chosen];
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
