/** The texts of a found definition: what its result shows, and what a note compares with the query. */
import type { SourceLines } from "../../code/source_lines.ts";
import type { EntityRow } from "../../store/code.ts";
import { clip } from "../../text/clip.ts";
import type { ParsedQuery } from "../query/query.ts";
import { termsOf } from "./coverage.ts";
import { makeSnippet } from "./snippet.ts";

const MAX_SNIPPET_CHARS = 300;
/** Of the snippet, when it also shows a line of the body. */
const MAX_HEAD_CHARS = 150;
const MAX_LINE_CHARS = 140;
/** Lines of a long class or file that are compared with the query. */
const MAX_COMPARED_LINES = 2000;

/** Its lines in the file; none if the file was deleted meanwhile. */
export function bodyOf({ path, first_line, last_line }: EntityRow, sources: SourceLines): readonly string[] {
  return sources.of(path)?.slice(first_line - 1, last_line) ?? [];
}

/** Its signature and doc comment, and the line of its body that has most of the words that these lack. */
export function snippetOf(entity: EntityRow, body: readonly string[], query: ParsedQuery): string {
  const { signature, doc, qualified, first_line } = entity;
  const words = [...query.phrases, ...query.words];
  const head = [signature, doc].filter((text) => text !== "").join("\n");
  const known = termsOf(`${qualified}\n${head}`);
  const missing = new Set(query.wordTerms.flatMap(({ terms }) => terms.filter((term) => !known.has(term))));
  const best = missing.size === 0 ? undefined : bestLine(body, missing);
  if (best === undefined) return makeSnippet(head, words, MAX_SNIPPET_CHARS);
  const line = `${first_line + best}: ${clip(body[best]?.trim() ?? "", MAX_LINE_CHARS)}`;
  return [makeSnippet(head, words, MAX_HEAD_CHARS), line].filter((text) => text !== "").join("\n");
}

/** The position of the line with most of these terms. */
function bestLine(lines: readonly string[], terms: ReadonlySet<string>): number | undefined {
  let best: { at: number; count: number } | undefined;
  for (const [at, line] of lines.slice(0, MAX_COMPARED_LINES).entries()) {
    const count = termsOf(line).intersection(terms).size;
    if (count > (best?.count ?? 0)) best = { at, count };
  }
  return best?.at;
}
