/** A decision: its text, reason, rejected alternatives and source, and the project names it mentions. */
import { contentId } from "../kernel/ids.ts";
import type { DecisionStatus, FoundDecision } from "../store/history_records.ts";
import { patternFor } from "../text/patterns.ts";

export const STATUSES = ["proposed", "accepted", "superseded", "reverted", "historic", "rejected"] as const;

/** From the most to the least reliable. */
export const ORIGINS = ["user", "adr", "trailer", "breaking", "marker", "commit", "conversation"] as const;
export type Origin = (typeof ORIGINS)[number];

/** The kinds of places as people read them. */
export const ORIGIN_NAMES: Readonly<Record<Origin, string>> = {
  user: "recorded",
  adr: "record",
  trailer: "trailer of a commit",
  breaking: "breaking change",
  marker: "comment",
  commit: "commit",
  conversation: "conversation",
};

export interface Decision extends Omit<FoundDecision, "origin"> {
  origin: Origin;
  status: DecisionStatus;
  /** The id of the decision, or the commit, that replaces it. */
  superseded_by: string | null;
  /** The agent that recorded it, if no conversation is known to state it; `agent` if it is unknown which. */
  by?: string;
  /** All places that state it, if there are several; `place` is the first. */
  places?: readonly string[];
  /** Certain enough to be shown by default. */
  shown: boolean;
}

/** Decisions that a person or an agent recorded, then the others, each in the order given. */
export function ownFirst<T extends Pick<Decision, "origin">>(decisions: readonly T[]): T[] {
  return [...decisions.filter(isOwn), ...decisions.filter((each) => !isOwn(each))];
}

export function isOwn({ origin }: Pick<Decision, "origin">): boolean {
  return origin === "user";
}

/** A comment this near to the start of a file is about the file or the package. */
const MAX_HEAD_LINE = 10;

/**
 * Whether the decision comes from a comment further down, which is about the lines below it and seldom about the whole
 * project.
 */
export function isAboutLines({ origin, place }: Pick<Decision, "origin" | "place">): boolean {
  return origin === "marker" && Number(/:(\d+)$/.exec(place)?.[1] ?? 0) > MAX_HEAD_LINE;
}

/** Whether the decision was found in a commit, which is then its owner. */
export function isOfCommit({ origin }: Pick<Decision, "origin">): boolean {
  return origin === "commit" || origin === "trailer" || origin === "breaking";
}

const ID_LENGTH = 8;
const NO_WORD = patternFor(String.raw`[^\p{L}\p{N}]+`, "g");

/** The same words are the same decision, in any source. */
export function decisionId(text: string): string {
  const lower = text.toLowerCase();
  const plain = lower.replace(NO_WORD(lower), " ").trim();
  return contentId(plain, ID_LENGTH);
}

/** Files and symbols of the project that a text mentions. */
export interface Mentions {
  files: string[];
  symbols: string[];
}

/** Resolves names. A code graph, if there is one, knows the symbols. */
export interface NameResolver {
  /** The file of the project; undefined if there is none, or several match. */
  file(name: string): string | undefined;
  symbol?(name: string): boolean | undefined;
  dependency?(name: string): boolean;
}

const MAX_NAMES = 10;
const CODE_SPAN = /`([^`\n]{2,120})`/g;
const PATH = /(?<![\w/.:@-])(?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/])/g;
const IDENTIFIER =
  /(?<![\w./])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Za-z]+_[A-Za-z0-9_]+)(?![\w/])/g;

/** `known`: the text mentions something that certainly belongs to the project. */
export function mentionsIn(text: string, names: NameResolver): Mentions & { known: boolean } {
  const files = new Set<string>();
  const symbols = new Set<string>();
  let known = false;
  const spans = [...text.matchAll(CODE_SPAN)].map((match) => match[1] ?? "");
  const bare = text.replace(CODE_SPAN, " ");
  for (const word of [...spans, ...(bare.match(PATH) ?? [])]) {
    const file = word.length < 300 && /[./]/.test(word) ? names.file(word.replace(/:\d+$/, "")) : undefined;
    if (file !== undefined) files.add(file);
    if (names.dependency?.(word)) known = true;
  }
  for (const word of [...spans.map((span) => span.replace(/\(\)$/, "")), ...(bare.match(IDENTIFIER) ?? [])]) {
    const last = /^[\w$.#:]+$/.test(word) ? word.split(/[.#:]+/).at(-1) : undefined;
    if (!last || !/^[A-Za-z_$][\w$]{2,}$/.test(last) || files.has(word)) continue;
    const isKnown = names.symbol?.(last);
    if (isKnown === false) continue;
    symbols.add(last);
    known ||= isKnown === true;
  }
  return {
    files: [...files].slice(0, MAX_NAMES),
    symbols: [...symbols].slice(0, MAX_NAMES),
    known: known || files.size > 0,
  };
}
