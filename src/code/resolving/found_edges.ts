/** The edges found in one file so far: an edge that occurs again is counted, and its lines are kept. */
import type { Relation, Resolution } from "../../store/code.ts";
import type { DefinitionRef } from "./project/project_files.ts";

export interface FoundEdge {
  from: number;
  to: DefinitionRef;
  relation: Relation;
  resolution: Resolution;
  confidence: number;
  line: number;
  count: number;
  lines?: number[];
}

/** Occurrences of one edge that are stored with their lines. */
const MAX_LINES = 200;
export const CONFIDENCE = { direct: 1, typed: 0.95, unique: 0.6, path: 0.9 };

export class FoundEdges {
  /** Names without a single target. */
  unresolved = 0;
  readonly #edges = new Map<string, FoundEdge>();

  add(edge: Omit<FoundEdge, "count">): void {
    const { from, to, relation, resolution } = edge;
    const key = `${from}>${to.slot}:${to.path}>${relation}>${resolution}`;
    const known = this.#edges.get(key);
    if (!known) {
      this.#edges.set(key, { ...edge, count: 1 });
      return;
    }
    known.count += 1;
    known.lines ??= [known.line];
    if (known.lines.length < MAX_LINES && known.lines.at(-1) !== edge.line) known.lines.push(edge.line);
  }

  all(): FoundEdge[] {
    return [...this.#edges.values()];
  }
}
