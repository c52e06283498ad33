/** Explains why a search with filters found nothing: because of the filters, or because no text has the words. */
import type { TextSearch } from "../../store/ports.ts";
import { clip } from "../../text/clip.ts";
import type { QueryFields } from "../query/pieces.ts";
import type { ParsedQuery } from "../query/query.ts";

const MAX_TOOL_CHARS = 60;

/** The words of the query that occur in no text: only they can be misspelt. */
export function absentWords(store: Pick<TextSearch, "countTerms">, { wordTerms }: ParsedQuery): string[] {
  const { having } = store.countTerms([...new Set(wordTerms.flatMap(({ terms }) => terms))]);
  return wordTerms.filter(({ terms }) => terms.some((term) => having.get(term) === 0)).map(({ word }) => word);
}

/** For a search that found nothing. Undefined if the filters are not the reason. */
export function filteredNote(
  store: Pick<TextSearch, "countTerms">,
  { mark, fields }: ParsedQuery,
  filters: readonly (keyof QueryFields)[],
  absent: readonly string[],
): string | undefined {
  if (fields.tool !== undefined && mark !== undefined && store.countTerms([mark]).having.get(mark) === 0) {
    return `No message here uses a tool called "${clip(fields.tool, MAX_TOOL_CHARS)}".`;
  }
  const names = filters.filter((name) => fields[name] !== undefined);
  if (names.length === 0 || absent.length > 0) return undefined;
  return `The words occur, but not with ${names.length === 1 ? "the filter" : "the filters"} ${names.join(", ")}.`;
}
