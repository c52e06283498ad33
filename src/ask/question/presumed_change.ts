/**
 * Checks the presupposition of a question such as "why did we remove the flag?". A text about the flag that does not
 * mention a removal must not be given as the answer: it would confirm something that never happened.
 */
import type { Ranked } from "../evidence/answering.ts";
import { fullText } from "../evidence/matching.ts";
import { hasForm, wordingOf } from "../evidence/similar.ts";
import { type WeighedQuestion, type WeighedTerm, weightOf } from "./question_words.ts";

/** Groups of verbs for the same change, in all their forms: the sources may use another verb than the question. */
const CHANGES: readonly RegExp[] = [
  /\b(?:remov|delet|disabl|retir|eliminat|deprecat|abandon|discard)(?:e[sd]?|ed|ing|s|al|ion)?\b|\b(?:drop|stop|strip)(?:s|ped|ping)?\b|\bkill(?:s|ed|ing)?\b|\b(?:threw|throw(?:ing|n)?) (?:out|away)\b|\b(?:get|got|getting) rid\b|\bno longer\b|\bunsupported\b|\bobsolete\b/i,
  /\brevert(?:s|ed|ing)?\b|\bund(?:o|oes|id|one|oing)\b|\brestor(?:e[sd]?|ing)\b|\broll(?:s|ed|ing)? back\b|\brollback\b|\b(?:go|goes|going|went|gone|chang(?:e|es|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing)|bring|brought|put|set) back\b|\bback to\b|\btook back\b/i,
  /\brenam(?:e[sd]?|ing)\b|\bnew name\b|\b(?:is|was|are|were) now called\b/i,
];

/** Questions about a change in the past. "How do I remove the flag?" presupposes no removal. */
const OF_THE_PAST = /\b(?:why|when|who|since when|how come)\b.{0,40}?\b(?:did|was|were|has|have|had|been)\b/i;

/**
 * Lines before and after a line, itself included, that count as its context: a list is below the words that introduce
 * it.
 */
const WINDOW_LINES = 3;
/** The share of the question's other words that must stand next to the change. */
const MIN_SUBJECT_SHARE = 0.3;

/** A note that these passages do not mention the change that the question presupposes; empty if they do. */
export function presumedChangeNote(asked: WeighedQuestion, passages: readonly Ranked[]): string[] {
  if (!OF_THE_PAST.test(asked.query)) return [];
  const change = CHANGES.find((verbs) => verbs.test(asked.query));
  const [claimed] = change?.exec(asked.query) ?? [];
  if (change === undefined || claimed === undefined) return [];
  const subject = asked.terms.filter(({ word }) => !claimed.toLowerCase().includes(word));
  if (subject.length === 0 || passages.some(({ passage }) => mentionsChange(fullText(passage), change, subject)))
    return [];
  return [`The quoted sections do not mention the change that the question names ("${claimed}").`];
}

function mentionsChange(text: string, change: RegExp, subject: readonly WeighedTerm[]): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const least = weightOf(subject) * MIN_SUBJECT_SHARE;
  return lines.some((line, at) => {
    if (!change.test(line)) return false;
    const around = wordingOf(lines.slice(Math.max(0, at - WINDOW_LINES + 1), at + WINDOW_LINES).join("\n"));
    return weightOf(subject.filter((term) => hasForm(term, around))) >= least;
  });
}
