/**
 * The names that a decision relies on: those of the option that it adopts. A decision is historic once none of them
 * occurs in the code.
 */
import type { Decision } from "../decision.ts";
import { choiceIn, isSpecific } from "./choices.ts";

const CODE_SPAN = /`([^`\n]{2,80})`/g;
/** Names of code, options, files and packages, as they are written without backticks. */
const BARE =
  /(?<![\w./@-])(?:--[a-z][\w-]+|@[\w-]+\/[\w.-]+|[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Za-z]+_[A-Za-z0-9_]+|[a-z]+(?:-[a-z0-9]+){2,}|(?:[\w-]+\/)*[\w-]+\.(?:[a-z]{1,5})(?![\w.])|[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?|[A-Za-z_]\w*\(\))(?![\w/])/g;
/** A text that removes things relies on none of the names in it. */
const REMOVES =
  /^(?:we )?(?:remov|drop|delet|retir|deprecat|disallow|forbid|stop|no\b)|\b(?:no longer|not|never) (?:supported|exported|needed|used|allowed|accepted|available)\b|\b(?:has|have|was|were|is|are|been) (?:removed|dropped|deleted|deprecated)\b|\b(?:should|must) be (?:hard[- ])?(?:deprecated|removed)\b/i;
const MAX_NAMES = 8;

/** In lower case. */
export function namesReliedOn({
  text,
  alternatives,
  origin,
}: Pick<Decision, "text" | "alternatives" | "origin">): string[] {
  const choice = choiceIn(text);
  if (choice?.adopts !== undefined) {
    const named = namesIn(choice.adopts);
    if (named.length > 0) return named;
    if (isPackageLike(choice.adopts) || (isWord(choice.adopts) && isWord(choice.drops ?? "") && origin === "commit"))
      return [choice.adopts];
  } else if (choice?.drops !== undefined || REMOVES.test(text)) return [];
  let chosen = text;
  for (const each of alternatives) chosen = chosen.replace(each, " ");
  return namesIn(chosen);
}

function isPackageLike(term: string): boolean {
  return /^[\w@./:$-]{3,}$/.test(term) && isSpecific(term);
}

/**
 * In a commit, a choice between two plain words is mostly one between two tools; in a conversation, "a timer" is a
 * timer.
 */
function isWord(term: string): boolean {
  return /^\p{L}{3,}$/u.test(term);
}

function namesIn(text: string): string[] {
  const spans = [...text.matchAll(CODE_SPAN)].map((match) => match[1] ?? "").filter((span) => !/\s/.test(span));
  const bare = text.replace(CODE_SPAN, " ").match(BARE) ?? [];
  const names = [...spans, ...bare].flatMap((name) => searchable(name));
  return [...new Set(names)].slice(0, MAX_NAMES);
}

/** `store.open()` occurs in code as `open`, after any variable; a file or an option occurs as it is. */
function searchable(name: string): string[] {
  const plain = name
    .replace(/\(.*\)$/, "")
    .replace(/[,.;:]+$/, "")
    .replace(/:\d+$/, "")
    .toLowerCase();
  if (
    /^--|^@|\/|-/.test(plain) ||
    /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|go|py|rs|java|rb|sh|md|html|css|sql)$/.test(plain)
  )
    return plain.length > 2 ? [plain] : [];
  const last = plain.split(/[.#:]+/).at(-1) ?? "";
  return /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(last) ? [last] : [];
}

const FORBIDS = /^(?:we )?(?:do not|don't|never)\b/i;

/**
 * Half of the names are enough: a text also names things that it only compares with. A rule that forbids something is
 * about all of its names.
 */
export function occurs(text: string, names: readonly string[], seen: ReadonlySet<string>): boolean {
  const found = names.filter((name) => seen.has(name)).length;
  return FORBIDS.test(text) ? found === names.length : found * 2 >= names.length;
}
