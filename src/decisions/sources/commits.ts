/** Finds decisions in a commit: decision trailers, breaking changes, and sentences of its message. */
import { breakingChange, parseTrailers, revertedCommit, type Trailer } from "../../history/trailers.ts";
import type { CommitInfo, FoundDecision } from "../../store/history_records.ts";
import { decisionId, mentionsIn, type NameResolver } from "../decision.ts";
import { standsAlone } from "../wording/alone.ts";
import { MIN_SHOWN_SCORE, MIN_STORED_SCORE, scoreSentence } from "../wording/cues.ts";
import { sentencesOf } from "../wording/sentences.ts";
import { commitType, hasSubstance, touchesManifest } from "../wording/substance.ts";

const TRAILER_SCORE = 9;
const BREAKING_SCORE = 8;
/** A candidate with this score is listed only on request. */
const MAX_HIDDEN_SCORE = MIN_SHOWN_SCORE - 1;
const MAX_FILES = 10;
const MAX_TEXT_CHARS = 400;
const DECISIVE = /^(?:decision|decided|directive|constraint)$/i;
const REASON = /^(?:why|reason|rationale|because)$/i;

export function commitDecisions(commit: CommitInfo, files: readonly string[], names: NameResolver): FoundDecision[] {
  // A merge repeats the merged messages, and a revert the reverted one.
  if (commit.parents > 1 || revertedCommit(commit.body) !== undefined) return [];
  const trailers = parseTrailers(commit.body);
  const why = firstValue(trailers, REASON);
  const rejected = trailers.filter(({ key }) => /^rejected$/i.test(key)).map(({ value }) => value.split("|"));
  const whyNot = rejected.length === 1 ? rejected[0]?.[1]?.trim() || null : null;
  const alternatives = rejected.map(([what = ""]) => what.trim()).filter((what) => what !== "");
  const base = {
    owner: commit.sha,
    place: commit.sha.slice(0, 12),
    time: commit.time,
    status: "accepted" as const,
  };
  const make = (
    origin: FoundDecision["origin"],
    text: string,
    score: number,
    because: string | null,
    others: readonly string[],
  ): FoundDecision => {
    const { symbols, files: named } = mentionsIn(text, names);
    return {
      ...base,
      origin,
      id: decisionId(text),
      text: text.slice(0, MAX_TEXT_CHARS),
      because,
      alternatives: [...others],
      files: [...new Set([...named, ...files])].slice(0, MAX_FILES),
      symbols,
      score,
    };
  };
  const found: FoundDecision[] = [];
  for (const { key, value } of trailers) {
    if (DECISIVE.test(key)) found.push(make("trailer", value, TRAILER_SCORE, why ?? whyNot, alternatives));
  }
  if (found.length === 0 && alternatives.length > 0) {
    const reason = why ?? (rejected[0]?.[1]?.trim() || null);
    found.push(make("trailer", plainSubject(commit.subject), TRAILER_SCORE, reason, alternatives));
  }
  const breaking = breakingChange(commit.subject, commit.body);
  if (breaking) {
    const text = plainText(breaking.text);
    found.push(make("breaking", text, saysWhatBreaks(text) ? BREAKING_SCORE : MAX_HIDDEN_SCORE, why, []));
  }
  return [...found, ...prose(commit, files, names, make)];
}

/**
 * Whether a breaking change says what breaks: a subject such as "remove old features" does not tell a caller what to
 * change.
 */
function saysWhatBreaks(text: string): boolean {
  const vague =
    /^(?:simplif(?:y|ied)|refactor(?:ed)?|renamed?|upgraded?|updated?|bump(?:ed)?|add(?:ed)?|clean(?:ed)?|goodbye|bye|improved?|rework(?:ed)?|changed?|increased?|decreased?)\s/i;
  const named = /`[^`]+`|--[a-z]|[a-z][A-Z]|_[a-zA-Z]|\w\.\w|\(\)|\w+-\w+|[A-Z]{3,}|["'].+["']/;
  const clause = /\b(?:is|are|was|were|has|have|must|should|now|no longer|instead|rather|requires?|throws?|on|when)\b/i;
  return (
    !vague.test(text) && standsAlone(text) && (named.test(text) || (clause.test(text) && text.split(" ").length > 5))
  );
}

function firstValue(trailers: readonly Trailer[], key: RegExp): string | null {
  return trailers.find((trailer) => key.test(trailer.key))?.value ?? null;
}

/** Without the numbers of pull requests and issues at the end. */
function plainText(text: string): string {
  return text.replace(/(?:[.,]?\s+(?:\(#\d+\)|(?:fix(?:e[sd])?|close[sd]?|refs?) #\d+))+\s*$/i, "").trim();
}

/** Without the prefix of a conventional commit: `feat(mcp): add a tool` is `add a tool`. */
function plainSubject(subject: string): string {
  return subject.replace(/^[a-z]+(?:\([^)]*\))?!?:\s+/, "");
}

function prose(
  commit: CommitInfo,
  files: readonly string[],
  names: NameResolver,
  make: (
    origin: FoundDecision["origin"],
    text: string,
    score: number,
    because: string | null,
    others: readonly string[],
  ) => FoundDecision,
): FoundDecision[] {
  const body = commit.body.replace(/^(?:[A-Za-z][A-Za-z-]*|BREAKING[ -]CHANGE): .*$/gm, "");
  const context = {
    type: commitType(commit.subject),
    manifest: touchesManifest(files),
    dependency: (name: string): boolean => names.dependency?.(name) ?? false,
  };
  const found: FoundDecision[] = [];
  for (const sentence of [plainSubject(commit.subject), ...sentencesOf(body)]) {
    const { known } = mentionsIn(sentence, names);
    const { score, because, alternatives } = scoreSentence(sentence, { who: "commit", known });
    if (score < MIN_STORED_SCORE) continue;
    const text = plainText(sentence);
    const shown = standsAlone(text) && hasSubstance(text, context);
    found.push(make("commit", text, shown ? score : Math.min(score, MAX_HIDDEN_SCORE), because, alternatives));
  }
  return found;
}
