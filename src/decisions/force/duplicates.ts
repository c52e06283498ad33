/**
 * Merges duplicates: one decision that is stated in several places, in the same words, as the same choice ("A instead
 * of B") or in nearly the same words, as in a squashed commit and its pull request, or in a conversation and its
 * commit.
 */
import { type Decision, ORIGINS } from "../decision.ts";
import { choiceIn } from "./choices.ts";

/** The share of words, of both texts together, that two wordings of one decision have in common. */
const MIN_SHARED = 0.75;
const MIN_WORDS = 4;
/** Only this many of the newest decisions are compared in pairs. */
const MAX_COMPARED = 1000;
const NAME = /\b(?:\w*[a-z][A-Z]\w*|\w+_\w+|\w*\d\w*)\b|--[\w-]+/g;
const MAX_PLACES = 10;
const MAX_FILES = 20;

export function mergeDuplicates(found: readonly Decision[]): Decision[] {
  const byId = new Map<string, Decision>();
  for (const each of found) {
    const known = byId.get(each.id);
    byId.set(each.id, known ? joined(known, each) : each);
  }
  const all = [...byId.values()].sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1));
  const groups: { decision: Decision; words: ReadonlySet<string>; choice: string | undefined }[] = [];
  const rest: Decision[] = [];
  for (const decision of all) {
    if (!decision.shown || groups.length >= MAX_COMPARED) {
      rest.push(decision);
      continue;
    }
    const words = wordsOf(decision.text);
    const choice = choiceKey(decision.text);
    const same = groups.find(
      (group) =>
        !areSeparate(group.decision, decision) &&
        ((choice !== undefined && choice === group.choice) ||
          (words.size >= MIN_WORDS && shared(words, group.words) && sameNames(decision.text, group.decision.text))),
    );
    if (same) same.decision = joined(same.decision, decision);
    else groups.push({ decision, words, choice });
  }
  return [...groups.map(({ decision }) => decision), ...rest];
}

/** Two records, or two decisions of a person, are never duplicates: each was written down on its own. */
function areSeparate(a: Decision, b: Decision): boolean {
  return a.origin === b.origin && (a.origin === "user" || a.origin === "adr");
}

function choiceKey(text: string): string | undefined {
  const choice = choiceIn(text);
  return choice?.adopts === undefined || choice.drops === undefined ? undefined : `${choice.adopts} < ${choice.drops}`;
}

function wordsOf(text: string): ReadonlySet<string> {
  const plain = text.toLowerCase().replace(/\(#\d+\)|\b(?:fix(?:e[sd])?|close[sd]?|refs?) #\d+/g, " ");
  return new Set(plain.match(/[\p{L}\p{N}_]{2,}/gu) ?? []);
}

/** Two sentences that differ only in the options they name are two decisions. */
function sameNames(a: string, b: string): boolean {
  const names = (text: string): string => [...new Set(text.match(NAME) ?? [])].sort().join(" ");
  return names(a) === names(b);
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  return common >= MIN_SHARED * (a.size + b.size - common);
}

/** The best-stated text, with all places and files, and the time it was last said. */
function joined(a: Decision, b: Decision): Decision {
  const [best, other] = isBetter(b, a) ? [b, a] : [a, b];
  const places = [...new Set([...placesOf(best), ...placesOf(other)])].slice(0, MAX_PLACES);
  return {
    ...best,
    because: best.because ?? other.because,
    alternatives: best.alternatives.length > 0 ? best.alternatives : other.alternatives,
    files: [...new Set([...best.files, ...other.files])].slice(0, MAX_FILES),
    symbols: [...new Set([...best.symbols, ...other.symbols])],
    score: Math.max(best.score, other.score),
    shown: best.shown || other.shown,
    time: Math.max(best.time, other.time),
    ...(places.length > 1 ? { places } : {}),
  };
}

function placesOf({ place, places }: Decision): readonly string[] {
  return places ?? [place];
}

/** The more reliable source, then the text that gives a reason, then the longer one. */
function isBetter(a: Decision, b: Decision): boolean {
  const rank = (each: Decision): number => ORIGINS.indexOf(each.origin);
  if (rank(a) !== rank(b)) return rank(a) < rank(b);
  if ((a.because === null) !== (b.because === null)) return a.because !== null;
  return a.text.length !== b.text.length ? a.text.length > b.text.length : a.time < b.time;
}
