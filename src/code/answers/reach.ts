/** Definitions that a change of others may affect: those that use them, transitively, each with how sure that is. */
import type { CodeReader, EntityKind, LinkedEntity, Relation } from "../../store/code.ts";

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

const FUNCTIONS: ReadonlySet<EntityKind> = new Set(["function", "method", "test"]);

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
const CONTAINED_PASSES_ON = 0.8;

/** `start`: numbers of entities. `files`: those whose importers count as users, because the whole file changed. */
export function reach(store: CodeReader, start: readonly number[], files: ReadonlySet<number> = new Set()): Reach {
  const seen = new Set(start);
  const reached: Reached[] = [];
  const usersOf = (no: number): LinkedEntity[] => {
    const relations: readonly Relation[] = files.has(no) ? [...RELATIONS, "IMPORTS"] : RELATIONS;
    return [...store.incoming(no, relations), ...functionAround(store, no)];
  };
  let ambiguous = 0;
  let frontier = start.map((no) => ({ no, certainty: 1 }));
  for (let distance = 1; distance <= MAX_DISTANCE && frontier.length > 0; distance += 1) {
    const next = new Map<number, Reached>();
    for (const { no, certainty } of frontier) {
      for (const linked of usersOf(no)) {
        const { edge } = linked;
        const user = linked.entity.no;
        if (edge.resolution === "ambiguous") ambiguous += distance === 1 ? 1 : 0;
        if (edge.resolution === "ambiguous" || seen.has(user)) continue;
        const now = certainty * edge.confidence * passesOn(edge.relation);
        const known = next.get(user)?.certainty;
        const hasRoom = known !== undefined || seen.size + next.size < MAX_REACHED;
        if (now >= MIN_CERTAINTY && now > (known ?? 0) && hasRoom) next.set(user, { linked, distance, certainty: now });
      }
    }
    for (const no of next.keys()) seen.add(no);
    reached.push(...next.values());
    frontier = [...next].map(([no, { certainty }]) => ({ no, certainty }));
  }
  return { reached, ambiguous };
}

function passesOn(relation: Relation): number {
  return relation === "CONTAINS" ? CONTAINED_PASSES_ON : (PASSES_ON[relation] ?? IMPORTS_PASS_ON);
}

/** A change of a function changes the function around it, also if that only returns it, alone or in an object. */
export function functionAround(store: CodeReader, no: number): LinkedEntity[] {
  const inner = store.entity(no);
  const entity = inner?.parent ? store.entity(inner.parent) : undefined;
  if (!inner || !entity || !FUNCTIONS.has(entity.kind)) return [];
  const { first_line: line } = inner;
  const edge = { from: entity.no, to: no, relation: "CONTAINS", resolution: "same-file", confidence: 1 } as const;
  return [{ entity, edge: { ...edge, line, count: 1 } }];
}
