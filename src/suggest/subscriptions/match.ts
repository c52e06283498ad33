/** Matches a change against a subscription's patterns. */
import { quoteLine } from "../../redact/quote.ts";
import type { WatchPattern } from "../../store/state/subscriptions.ts";
import { matchesFile } from "./patterns.ts";
import { symbolTest } from "./symbols.ts";

/** A change, as patterns are matched against it. Symbols and texts are read lazily, by functions of the caller. */
export interface ChangeEvent {
  /** Relative to the project's root. */
  files: readonly string[];
  /** Definitions with new or changed text; only those of the first files if there are very many. */
  symbols(): readonly ChangedSymbol[];
  /** The text that shows a file's topics; undefined if it cannot be read. */
  textOf(file: string): string | undefined;
  /** The prompt an agent received. */
  prompt?: string;
}

export interface ChangedSymbol {
  name: string;
  qualified: string;
  file: string;
}

export interface Match {
  pattern: WatchPattern;
  /** The file or symbol, or the quoted prompt. */
  source: string;
  file?: string;
  symbol?: string;
}

/** The longest quote of a prompt. */
export const MAX_SOURCE_CHARS = 200;

export type IsAbout = (text: string, topic: string) => boolean;

/** Per pattern. */
const MAX_MATCHES = 20;
/** A checkout may change thousands of files; only so many are read for their topics. */
const MAX_FILES_READ = 60;

/** Sorted by priority: the suggestion is about the first match. */
export function matchPatterns(patterns: readonly WatchPattern[], event: ChangeEvent, isAbout: IsAbout): Match[] {
  return patterns
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap((pattern) => matchesOf(pattern, event, isAbout).slice(0, MAX_MATCHES));
}

function matchesOf(pattern: WatchPattern, event: ChangeEvent, isAbout: IsAbout): Match[] {
  const { files } = event;
  const byFile = (file: string): Match => ({ pattern, source: file, file });
  if (pattern.type === "file") return take(files, (file) => matchesFile(file, pattern.pattern)).map(byFile);
  if (pattern.type === "entity") return take(files, (file) => isEntity(pattern.pattern, file)).map(byFile);
  if (pattern.type === "symbol") {
    const matches = symbolTest(pattern.pattern);
    return event
      .symbols()
      .filter(({ name, qualified }) => matches(name, qualified))
      .map(({ qualified, file }) => ({ pattern, source: qualified, file, symbol: qualified }));
  }
  const { prompt } = event;
  if (prompt !== undefined && isAbout(prompt, pattern.pattern))
    return [{ pattern, source: quoteLine(prompt, MAX_SOURCE_CHARS) }];
  return take(files.slice(0, MAX_FILES_READ), (file) => {
    const text = event.textOf(file);
    return text !== undefined && isAbout(text, pattern.pattern);
  }).map(byFile);
}

function take(files: readonly string[], wanted: (file: string) => boolean): string[] {
  const found: string[] = [];
  for (const file of files) {
    if (wanted(file)) found.push(file);
    if (found.length >= MAX_MATCHES) break;
  }
  return found;
}

/** Matches a file by its entityId or path. Other entities are looked up in the suggestions instead. */
function isEntity(entityId: string, file: string): boolean {
  return entityId === file || entityId === `file:${file}`;
}
