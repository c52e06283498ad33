/** The edges found in one file so far: an edge that occurs again is counted, and its lines are kept. */
import { RELATIONS, RESOLUTIONS, type Relation, type Resolution } from "../../store/code.ts";
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

/** More than the definitions of a file, and than the pairs of a relation and a resolution. */
const SLOTS = 1 << 21;
const KINDS = 1 << 8;

export class FoundEdges {
  /** Names without a single target. */
  unresolved = 0;
  readonly #all: FoundEdge[] = [];
  /** By the path of the target, then by all else that makes an edge different from others. */
  readonly #byPath = new Map<string, Map<number, FoundEdge>>();

  add(edge: Omit<FoundEdge, "count" | "lines">): void {
    const { from, to, relation, resolution, confidence, line } = edge;
    let into = this.#byPath.get(to.path);
    if (!into) {
      into = new Map();
      this.#byPath.set(to.path, into);
    }
    const kind = RELATIONS.indexOf(relation) * RESOLUTIONS.length + RESOLUTIONS.indexOf(resolution);
    const key = ((from + 1) * SLOTS + to.slot + 1) * KINDS + kind;
    const known = into.get(key);
    if (!known) {
      const found: FoundEdge = { from, to, relation, resolution, confidence, line, count: 1 };
      into.set(key, found);
      this.#all.push(found);
      return;
    }
    known.count += 1;
    known.lines ??= [known.line];
    if (known.lines.length < MAX_LINES && known.lines.at(-1) !== edge.line) known.lines.push(edge.line);
  }

  all(): FoundEdge[] {
    return [...this.#all];
  }
}
