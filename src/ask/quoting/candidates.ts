/** The units of a passage that an answer may quote, and the other units that each needs to be understood. */
import { cleanText, escapeNamedFrames } from "../../text/clean.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { CODE, type ReadPassage } from "../passage.ts";
import { coverage, type QuestionTerms, termsOf } from "../question/terms.ts";
import { isInstruction } from "./injected.ts";
import { withoutAsciidocLinks } from "./markup/asciidoc_links.ts";
import { withoutRstMarkup } from "./markup/rst_roles.ts";
import type { Unit } from "./units/unit.ts";
import { unitsOf } from "./units/units.ts";

/**
 * The excerpt of a unit that is too long for the answer gets this share of the budget, and half of it outside the best
 * section.
 */
const EXCERPT_SHARE = 0.5;
/** A definition that takes a larger share of the budget leaves too little for its comment and for other passages. */
const DEFINITION_SHARE = 0.7;
/** At most so many items above a nested item, and introductions, are quoted with it. */
const MAX_LEADS = 4;
/** At most so many items of a list are quoted with the sentence that introduces it. */
export const MAX_ANNOUNCED = 12;
/** An introduction may introduce another one: "Set the limit:", then "In the settings:", then the code. */
const MAX_INTRODUCTIONS = 2;
const ENDS_IN_COLON = /[:：][*_]{0,3}$/;
/** So many lines are quoted below a line with words of the question. */
const LINES_BELOW = 2;

/** A passage to quote: its index among the others, and its worth relative to the best one, 0 to 1. */
export interface Quotable {
  passage: ReadPassage;
  rank: number;
  share: number;
}

export interface Candidate extends Quotable {
  place: number;
  unit: Unit;
  terms: Set<string>;
  /** Similarity of its meaning to the question, 0 to 1. */
  near: number;
  tokens: number;
}

/** An answer to a how-to question should have code, and one to a question for a number should have a number. */
export interface Wants {
  how?: boolean;
  quantity?: boolean;
  /** Similarity of a text's meaning to the question, 0 to 1. */
  near?(text: string): number;
  /** The same by the sentence encoder, which takes milliseconds. */
  sentence?(text: string): number;
}

export function headingOf({ title, section, document, problem }: ReadPassage): string {
  return `${title}\n${section ?? ""}\n${document}\n${problem ?? ""}`;
}

export function candidatesOf(
  { passage, rank, share: worth }: Quotable,
  terms: QuestionTerms,
  room: number,
  { near = () => 0 }: Wants,
): Candidate[] {
  return unitsOf(escapeNamedFrames(cleanText(passage.text))).flatMap((raw, place) => {
    if (isInstruction(raw.text)) return [];
    const given = raw.kind === "code" ? raw : { ...raw, text: withoutAsciidocLinks(withoutRstMarkup(raw.text)) };
    const fits = estimateTokens(given.text) < room * (passage.collection === CODE ? DEFINITION_SHARE : 1);
    const share = rank === 0 ? EXCERPT_SHARE : EXCERPT_SHARE / 2;
    const unit = fits ? given : { ...given, text: excerpt(given.text, terms, room * share) };
    const held = termsOf(unit.text);
    const tokens = estimateTokens(unit.text) + 1;
    return { passage, rank, share: worth, place, unit, terms: held, near: near(unit.text), tokens };
  });
}

/** Excerpts a unit that is too long for an answer: the lines with words of the question, and those below them. */
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

export function isQuestion({ unit }: Candidate): boolean {
  return (unit.kind === "sentence" || unit.kind === "item") && /[?？]["'”)*_]{0,3}$/.test(unit.text);
}

export function sizeOf(group: readonly Candidate[]): number {
  return group.reduce((sum, { tokens }) => sum + tokens, 0);
}

export function ownTerms(candidate: Candidate, all: readonly Candidate[]): Set<string> {
  return new Set([candidate, ...leadsOf(candidate, all)].flatMap(({ terms }) => [...terms]));
}

/** The units that introduce a unit, the nearest first. */
export function leadsOf(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  const leads: Candidate[] = [];
  let { unit } = candidate;
  while (unit.lead !== undefined && leads.length < MAX_LEADS) {
    const lead = all.find(({ passage, place }) => passage === candidate.passage && place === unit.lead);
    if (!lead) break;
    leads.push(lead);
    unit = lead.unit;
  }
  return leads;
}

/**
 * A unit with all units it needs: those that introduce it, the block that it introduces, and the sentence that it
 * refers back to.
 */
export function withNeeded(candidate: Candidate, all: readonly Candidate[]): Candidate[] {
  const leads = leadsOf(candidate, all).reverse();
  if (candidate.unit.kind !== "sentence") return [...leads, candidate];
  const own = all.filter((each) => each.passage === candidate.passage);
  const at = own.indexOf(candidate);
  const introduced = introducedBy(own, at);
  if (introduced.length > 0) return [...leads, candidate, ...introduced];
  const before = own[at - 1];
  const pointsBack =
    /^(?:(?:it|this|that|these|those|they|then|so|otherwise|instead|there|both|neither|either)\b|one (?:that|of)\b|another (?:is|one|option|way)\b|the (?:former|latter|same)\b|with(?:out)?(?:,| it\b| them\b)|(?:also|but|and)\b)/i.test(
      candidate.unit.text,
    );
  return pointsBack && before?.unit.block === candidate.unit.block
    ? [...leads, before, candidate]
    : [...leads, candidate];
}

/** The list, code or sentence below a unit that ends in a colon; if a title introduces it, that comes along. */
function introducedBy(own: readonly Candidate[], at: number): Candidate[] {
  const introduced: Candidate[] = [];
  for (let i = at, levels = 0; ENDS_IN_COLON.test(own[i]?.unit.text ?? "") && levels < MAX_INTRODUCTIONS; levels += 1) {
    const next = own[i + 1];
    if (next?.unit.block !== (own[i]?.unit.block ?? 0) + 1) break;
    const block = own.filter((each) => each.unit.block === next.unit.block);
    introduced.push(...block.slice(0, MAX_ANNOUNCED));
    i += block.length;
  }
  return introduced;
}
