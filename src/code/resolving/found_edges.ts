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
/** More than a file has definitions. */
const SLOTS = 1 << 20;
export const CONFIDENCE = { direct: 1, typed: 0.95, unique: 0.6, path: 0.9 };

export class FoundEdges {
  /** Names without a single target. */
  unresolved = 0;
  readonly #edges: FoundEdge[] = [];
  /** The edges that lead to a file, by both slots; few have the same ones. */
  readonly #bySlots = new Map<string, Map<number, FoundEdge[]>>();

  add(edge: Omit<FoundEdge, "count">): void {
    const { relation, resolution } = edge;
    const same = this.#withSlots(edge.from, edge.to);
    const known = same.find((each) => each.relation === relation && each.resolution === resolution);
    if (!known) {
      const added = { ...edge, count: 1 };
      same.push(added);
      this.#edges.push(added);
      return;
    }
    known.count += 1;
    known.lines ??= [known.line];
    if (known.lines.length < MAX_LINES && known.lines.at(-1) !== edge.line) known.lines.push(edge.line);
  }

  #withSlots(from: number, { path, slot }: DefinitionRef): FoundEdge[] {
    let ofFile = this.#bySlots.get(path);
    if (!ofFile) {
      ofFile = new Map();
      this.#bySlots.set(path, ofFile);
    }
    const key = (from + 1) * SLOTS + slot + 1;
    let found = ofFile.get(key);
    if (!found) {
      found = [];
      ofFile.set(key, found);
    }
    return found;
  }

  all(): FoundEdge[] {
    return [...this.#edges];
  }
}
