/**
 * A question such as "why did we remove the flag?" takes a removal for granted. A text about the flag that knows of none
 * must not be given as its answer: that would confirm what never happened.
 */

import type { Ranked } from "./answering.ts";
import { type Asked, type AskedTerm, weightOf } from "./asked.ts";
import { wholeOf } from "./matching.ts";
import { hasForm, wordingOf } from "./similar.ts";

/** Verbs that say the same of a change, in all forms: sources may use another one than the question. */
const CHANGES: readonly RegExp[] = [
  /\b(?:remov|delet|disabl|retir|eliminat|deprecat|abandon|discard)(?:e[sd]?|ed|ing|s|al|ion)?\b|\b(?:drop|stop|strip)(?:s|ped|ping)?\b|\bkill(?:s|ed|ing)?\b|\b(?:threw|throw(?:ing|n)?) (?:out|away)\b|\b(?:get|got|getting) rid\b|\bno longer\b|\bunsupported\b|\bobsolete\b/i,
  /\brevert(?:s|ed|ing)?\b|\bund(?:o|oes|id|one|oing)\b|\brestor(?:e[sd]?|ing)\b|\broll(?:s|ed|ing)? back\b|\brollback\b|\b(?:go|goes|going|went|gone|chang(?:e|es|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing)|bring|brought|put|set) back\b|\bback to\b|\btook back\b/i,
  /\brenam(?:e[sd]?|ing)\b|\bnew name\b|\b(?:is|was|are|were) now called\b/i,
];

/** Questions about a change in the past. "How do I remove the flag?" takes nothing for granted. */
const OF_THE_PAST = /\b(?:why|when|who|since when|how come)\b.{0,40}?\b(?:did|was|were|has|have|had|been)\b/i;

/** Lines that are read together: a list stands below the words that introduce it. */
const WINDOW_LINES = 3;
/** The share of the question's other words that must stand next to the change. */
const MIN_SUBJECT_SHARE = 0.3;

/** Says that these passages do not tell of the change that the question takes for granted; empty if they do. */
export function untoldChange(asked: Asked, passages: readonly Ranked[]): string[] {
  if (!OF_THE_PAST.test(asked.query)) return [];
  const change = CHANGES.find((verbs) => verbs.test(asked.query));
  const [claimed] = change?.exec(asked.query) ?? [];
  if (change === undefined || claimed === undefined) return [];
  const subject = asked.terms.filter(({ word }) => !claimed.toLowerCase().includes(word));
  if (subject.length === 0 || passages.some(({ passage }) => tells(wholeOf(passage), change, subject))) return [];
  return [`The quoted sections do not tell of the change that the question names ("${claimed}").`];
}

function tells(text: string, change: RegExp, subject: readonly AskedTerm[]): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const least = weightOf(subject) * MIN_SUBJECT_SHARE;
  return lines.some((line, at) => {
    if (!change.test(line)) return false;
    const around = wordingOf(lines.slice(Math.max(0, at - WINDOW_LINES + 1), at + WINDOW_LINES).join("\n"));
    return weightOf(subject.filter((term) => hasForm(term, around))) >= least;
  });
}
