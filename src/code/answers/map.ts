/** A map of the project within a token budget: the most used files and their exported symbols. */
import { compareText, plural } from "../../kernel/text.ts";
import type { CodeFileRow, CodeReader, EntityRow } from "../../store/code.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { filesOf } from "./cache.ts";
import { rankFiles } from "./pagerank.ts";

export interface CodeMap {
  text: string;
  tokens: number;
  files: number;
  /** Number of files that could be shown. */
  of: number;
}

/** Per file: showing more files is more useful than more symbols of one. */
const MAX_SYMBOLS = 8;

export function codeMap(store: CodeReader, budget: number, focus: ReadonlyMap<number, number>): CodeMap {
  const ranks = rankFiles(store, focus);
  const files = filesOf(store)
    .filter((file) => file.language !== "config" && file.language !== "document" && (!file.test || focus.has(file.no)))
    .sort((a, b) => (ranks.get(b.no) ?? 0) - (ranks.get(a.no) ?? 0) || compareText(a.path, b.path));
  const room = Math.floor(budget / BUDGET_MARGIN);
  const blocks: { path: string; text: string }[] = [];
  const closing = (shown: number): string => `${shown} of ${plural(files.length, "file")}`;
  let used = estimateTokens(closing(files.length)) + 1;
  for (const file of files) {
    const head = estimateTokens(file.path) + 1;
    if (used + head > room) break;
    const { text, tokens } = block(store, file, room - used);
    blocks.push({ path: file.path, text });
    used += tokens;
  }
  blocks.sort((a, b) => compareText(a.path, b.path));
  const text = [...blocks.map((each) => each.text), closing(blocks.length)].join("\n");
  return { text, tokens: estimateTokens(text), files: blocks.length, of: files.length };
}

function block(store: CodeReader, file: CodeFileRow, room: number): { text: string; tokens: number } {
  const lines = [file.path];
  let tokens = estimateTokens(file.path) + 1;
  for (const entity of shownEntities(store.entities(file.no)).slice(0, MAX_SYMBOLS)) {
    const line = `  ${entity.first_line}: ${entity.signature}`;
    const cost = estimateTokens(line) + 1;
    if (tokens + cost > room) break;
    lines.push(line);
    tokens += cost;
  }
  return { text: lines.join("\n"), tokens };
}

/** Exported top-level definitions in the order of the file; without any, all but constants. */
function shownEntities(entities: readonly EntityRow[]): EntityRow[] {
  const top = entities.filter(({ kind, parent }) => kind !== "file" && kind !== "test" && isTop(entities, parent));
  const exports = top.filter(({ exported }) => exported);
  return exports.length > 0 ? exports : top.filter(({ kind }) => kind !== "constant");
}

function isTop(entities: readonly EntityRow[], parent: number | null): boolean {
  return parent === null || parent === entities[0]?.no;
}
