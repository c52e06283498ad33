/** Definitions that a change of others may affect: those that use them, transitively, each with how sure that is. */
import type { CodeReader, LinkedEntity, Relation } from "../../store/code.ts";

export interface Reached {
  linked: LinkedEntity;
  /** Number of edges from the changed definition. */
  distance: number;
  /** Falls with every step and with every unsure edge: 1 would be the changed definition itself. */
  certainty: number;
}

export interface Reach {
  reached: Reached[];
  /** Direct users that may mean this or another definition of the same name. */
  ambiguous: number;
}

const MAX_REACHED = 2000;
const MAX_DISTANCE = 4;
const MIN_CERTAINTY = 0.1;

/** How likely a change passes on along a relation. A changed type mostly leaves the functions that name it alone. */
const PASSES_ON: Partial<Record<Relation, number>> = {
  CALLS: 0.8,
  EXTENDS: 0.8,
  IMPLEMENTS: 0.8,
  READS: 0.7,
  WRITES: 0.7,
  USES_TYPE: 0.5,
};
const RELATIONS = Object.keys(PASSES_ON) as Relation[];
const IMPORTS_PASS_ON = 0.6;

/** `start`: numbers of entities. `files`: those whose importers count as users, because the whole file changed. */
export function reach(store: CodeReader, start: readonly number[], files: ReadonlySet<number> = new Set()): Reach {
  const seen = new Set(start);
  const reached: Reached[] = [];
  let ambiguous = 0;
  let frontier = start.map((no) => ({ no, certainty: 1 }));
  for (let distance = 1; distance <= MAX_DISTANCE && frontier.length > 0; distance += 1) {
    const next = new Map<number, Reached>();
    for (const { no, certainty } of frontier) {
      const relations: readonly Relation[] = files.has(no) ? [...RELATIONS, "IMPORTS"] : RELATIONS;
      for (const linked of store.incoming(no, relations)) {
        const { entity, edge } = linked;
        if (edge.resolution === "ambiguous") ambiguous += distance === 1 ? 1 : 0;
        if (edge.resolution === "ambiguous" || seen.has(entity.no)) continue;
        const step = PASSES_ON[edge.relation] ?? IMPORTS_PASS_ON;
        const now = certainty * edge.confidence * step;
        const known = next.get(entity.no);
        if (now < MIN_CERTAINTY || (known && known.certainty >= now)) continue;
        if (!known && seen.size + next.size >= MAX_REACHED) continue;
        next.set(entity.no, { linked, distance, certainty: now });
      }
    }
    for (const [no, each] of next) {
      seen.add(no);
      reached.push(each);
    }
    frontier = [...next].map(([no, { certainty }]) => ({ no, certainty }));
  }
  return { reached, ambiguous };
}
