/** Searches definitions by words in their names, signatures, doc comments and paths. */
import type { CodeReader, EntityFilter, EntityRow } from "../../store/code.ts";
import { Analyser, SMALL_CAPACITY } from "../../text/terms/analyser.ts";

export interface FoundEntity {
  entity: EntityRow;
  score: number;
}

export function searchCode(store: CodeReader, query: string, filter: EntityFilter, limit: number): FoundEntity[] {
  const terms = [...new Set(new Analyser(SMALL_CAPACITY).words(query))];
  if (terms.length === 0) return [];
  return store.search({ terms }, filter, limit).flatMap(({ no, score }) => {
    const entity = store.entity(no);
    return entity ? [{ entity, score }] : [];
  });
}
