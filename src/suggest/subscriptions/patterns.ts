/** What a subscription watches for, checked when it is made: a pattern that can never match is refused at once. */

import { DexError } from "../../kernel/errors.ts";
import { matchesGlob } from "../../kernel/files/glob.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { WatchPattern } from "../../store/subscriptions.ts";
import { symbolTest } from "./symbols.ts";

/** Globs that multiply: each brace doubles the work, each star may be tried at every place. */
const MOST_BRACES = 4;
const MOST_CHOICES = 32;
const MOST_STARS = 12;
const MAX_TOPIC_CHARS = 300;
const EXTENDED = /[!?*+@]\(/;

/** Throws a DexError that names the first one that cannot be watched. */
export function checkPatterns(patterns: readonly WatchPattern[]): WatchPattern[] {
  return patterns.map((pattern) => {
    if (pattern.type === "file") return { ...pattern, pattern: checkedGlob(pattern.pattern) };
    if (pattern.type === "symbol") symbolTest(pattern.pattern);
    // A topic is free text, kept and sent with every delivery: it must hold no secret.
    if (pattern.type === "topic") return { ...pattern, pattern: quoteLine(pattern.pattern, MAX_TOPIC_CHARS) };
    return pattern;
  });
}

function checkedGlob(typed: string): string {
  const glob = typed.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  const count = (sign: RegExp): number => glob.match(sign)?.length ?? 0;
  if (glob === "") return "**";
  if (glob.split("/").includes("..")) {
    throw badGlob(typed, "leads out of the project", "Paths are from the project's root.");
  }
  const costly =
    count(/\{/g) > MOST_BRACES || count(/,/g) > MOST_CHOICES || count(/\*/g) > MOST_STARS || /\{.*\.\..*\}/.test(glob);
  if (costly || EXTENDED.test(glob)) throw badGlob(typed, "is too intricate", "Use several simpler ones.");
  return glob;
}

function badGlob(glob: string, why: string, hint: string): DexError {
  return new DexError("bad_pattern", `The file pattern ${glob.slice(0, 80)} ${why}.`, { hint });
}

/** A glob, or a folder: all that is below it. Paths from the project's root. */
export function matchesFile(path: string, glob: string): boolean {
  return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`);
}
