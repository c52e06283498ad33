/** Validates the patterns of a new subscription: one that can never match, or is too costly, is refused at once. */
import { DexError } from "../../kernel/errors.ts";
import { matchesGlob } from "../../kernel/files/glob.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { WatchPattern } from "../../store/state/subscriptions.ts";
import { symbolTest } from "./symbols.ts";

/** Bounds on glob cost: each brace multiplies the work, and each star may be tried at every position. */
const MAX_BRACES = 4;
const MAX_CHOICES = 32;
const MAX_STARS = 12;
const MAX_TOPIC_CHARS = 300;
const EXTENDED = /[!?*+@]\(/;

/** Throws a DexError for the first invalid pattern. */
export function checkPatterns(patterns: readonly WatchPattern[]): WatchPattern[] {
  return patterns.map((pattern) => {
    if (pattern.type === "file") return { ...pattern, pattern: checkedGlob(pattern.pattern) };
    if (pattern.type === "symbol") symbolTest(pattern.pattern);
    // A topic is free text, stored and sent with every delivery: secrets in it are redacted.
    if (pattern.type === "topic") return { ...pattern, pattern: quoteLine(pattern.pattern, MAX_TOPIC_CHARS) };
    return pattern;
  });
}

function checkedGlob(typed: string): string {
  const glob = typed.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  const count = (sign: RegExp): number => glob.match(sign)?.length ?? 0;
  if (glob === "") return "**";
  if (glob.split("/").includes("..")) {
    throw badGlob(typed, "leads out of the project", "Paths are relative to the project's root.");
  }
  const costly =
    count(/\{/g) > MAX_BRACES || count(/,/g) > MAX_CHOICES || count(/\*/g) > MAX_STARS || /\{.*\.\..*\}/.test(glob);
  if (costly || EXTENDED.test(glob)) throw badGlob(typed, "is too complex", "Use several simpler patterns.");
  return glob;
}

function badGlob(glob: string, why: string, hint: string): DexError {
  return new DexError("bad_pattern", `The file pattern ${glob.slice(0, 80)} ${why}.`, { hint });
}

/** Matches a glob, or a folder and everything below it. Paths are relative to the project's root. */
export function matchesFile(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`);
}
