/**
 * The status of a decision record, as its status section words it. Records change: "Accepted, then superseded by ADR 16",
 * or "Accepted" with a later paragraph "Superseded in part by ADR 12". "Supersedes ADR 11" is about the other record.
 */
import { oneLine } from "../../kernel/text.ts";
import type { DecisionStatus } from "../../store/history_records.ts";

export interface AdrStatus {
  status: DecisionStatus;
  /** The number of the record that supersedes it, wholly or in part. */
  by: string | null;
  /** Only parts of it are superseded. */
  isPartly: boolean;
}

const WORDS: readonly [DecisionStatus, RegExp][] = [
  ["superseded", /\bsuperseded\b|\breplaced by\b|\bdeprecated\b|\bobsolete\b|已(?:废弃|取代|替代)|폐기|대체/i],
  ["rejected", /\breject(?:ed)?\b|\bdeclined\b|\bwithdrawn\b|\babandoned\b/i],
  ["reverted", /\breverted\b|\brolled back\b/i],
  ["accepted", /\baccept(?:ed)?\b|\bapproved\b|\bimplemented\b|\bdone\b|\bdecided\b|\badopted\b|\bfinal\b/i],
  [
    "proposed",
    /\bproposed\b|\bdraft\b|\b(?:in|under) (?:review|discussion|consideration)\b|\bpending\b|^\W*open\b|\bundecided\b|\bunresolved\b|\bto be decided\b|\btbd\b|提议|草案|제안/i,
  ],
];

/** A sentence about the record itself, not about a part of its text that is superseded. */
const IS_SUPERSEDED =
  /^\W*(?:(?:accepted|proposed|approved|implemented|partially|partly|refined|status|later|then|now|and|this|adr|decision|record|is|was|has|been)[\s,:*_]+){0,6}superseded\b/i;
const PARTLY = /\b(?:in part|partially|partly)\b/i;
const BY = /\b(?:superseded|replaced)\b.{0,120}?\bby\s+\[?(?:[A-Z]{1,8}[- ]?)?0*(\d{1,5})\b/i;

/** `section`: everything that the record says about its status, paragraph by paragraph. */
export function adrStatus(section: string): AdrStatus {
  const paragraphs = section
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/)
    .map(oneLine)
    .filter((each) => each !== "");
  const stated = firstNamed(paragraphs[0] ?? "");
  const notes = paragraphs.flatMap((each) => each.split(/(?<=\.)\s+/)).filter((each) => IS_SUPERSEDED.test(each));
  const whole = notes.find((note) => !PARTLY.test(note));
  const by = BY.exec(whole ?? notes[0] ?? "")?.[1] ?? null;
  const isSuperseded = stated === "superseded" || (whole !== undefined && stated !== "rejected");
  return { status: isSuperseded ? "superseded" : stated, by, isPartly: !isSuperseded && notes.length > 0 };
}

/** Whether a text states a status at all. */
export function namesStatus(text: string): boolean {
  return WORDS.some(([, words]) => words.test(text));
}

/** The word that comes first; a record without any is only proposed. */
function firstNamed(text: string): DecisionStatus {
  const found = WORDS.map(([status, words]) => ({ status, at: words.exec(text)?.index ?? Number.POSITIVE_INFINITY }));
  const first = found.reduce((best, each) => (each.at < best.at ? each : best));
  const isPartly = first.status === "superseded" && PARTLY.test(text.slice(0, first.at + 40));
  if (isPartly) return "accepted";
  return Number.isFinite(first.at) ? first.status : "proposed";
}
