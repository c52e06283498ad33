/** Which of a subscription's patterns something that happened matches, and by what. */

import { quoteLine } from "../../redact/quote.ts";
import type { WatchPattern } from "../../store/subscriptions.ts";
import { matchesFile } from "./patterns.ts";
import { symbolTest } from "./symbols.ts";

/** What happened in a project, as far as patterns can tell. Reading is left to who knows how, and done where needed. */
export interface Happening {
  /** From the project's root. */
  files: readonly string[];
  /** Definitions whose text is new or another; those of the first files, where there are very many. */
  symbols(): readonly ChangedSymbol[];
  /** What the topics of a file are told from; undefined where it cannot be read. */
  textOf(file: string): string | undefined;
  /** What an agent was asked to do. */
  prompt?: string;
}

export interface ChangedSymbol {
  name: string;
  qualified: string;
  file: string;
}

export interface Match {
  pattern: WatchPattern;
  /** The file or symbol, or the words of the prompt. */
  source: string;
  file?: string;
  symbol?: string;
}

/** Of a prompt, the part that says what matched. */
export const MAX_SOURCE_CHARS = 200;

/** Says whether a text is about a topic. */
export type IsAbout = (text: string, topic: string) => boolean;

/** Of each pattern, so many matches are named. */
const MOST_MATCHES = 20;
/** A checkout touches thousands of files: so many are read for their topics. */
const MOST_READ = 60;

/** The first one is what a suggestion should be about. */
export function matchPatterns(patterns: readonly WatchPattern[], happening: Happening, isAbout: IsAbout): Match[] {
  return patterns
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap((pattern) => matchesOf(pattern, happening, isAbout).slice(0, MOST_MATCHES));
}

function matchesOf(pattern: WatchPattern, happening: Happening, isAbout: IsAbout): Match[] {
  const { files } = happening;
  const byFile = (file: string): Match => ({ pattern, source: file, file });
  if (pattern.type === "file") return take(files, (file) => matchesFile(file, pattern.pattern)).map(byFile);
  if (pattern.type === "entity") return take(files, (file) => isEntity(pattern.pattern, file)).map(byFile);
  if (pattern.type === "symbol") {
    const matches = symbolTest(pattern.pattern);
    return happening
      .symbols()
      .filter(({ name, qualified }) => matches(name, qualified))
      .map(({ qualified, file }) => ({ pattern, source: qualified, file, symbol: qualified }));
  }
  const { prompt } = happening;
  if (prompt !== undefined && isAbout(prompt, pattern.pattern))
    return [{ pattern, source: quoteLine(prompt, MAX_SOURCE_CHARS) }];
  return take(files.slice(0, MOST_READ), (file) => {
    const text = happening.textOf(file);
    return text !== undefined && isAbout(text, pattern.pattern);
  }).map(byFile);
}

function take(files: readonly string[], wanted: (file: string) => boolean): string[] {
  const found: string[] = [];
  for (const file of files) {
    if (wanted(file)) found.push(file);
    if (found.length >= MOST_MATCHES) break;
  }
  return found;
}

/** A file by its entityId or its path. Other entities are no files: they are looked for in what is suggested. */
function isEntity(entityId: string, file: string): boolean {
  return entityId === file || entityId === `file:${file}`;
}
