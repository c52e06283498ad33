/** The relations of one file, as the store keeps them. */
import { compareText } from "../../../kernel/text.ts";
import type { CodeFacts, Edge, Relation, Unresolved } from "../../../store/code.ts";
import { edgesMark } from "../../../store/edges_mark.ts";
import type { PrivateFacts } from "../../facts.ts";
import type { FoundEdge } from "../../resolving/found_edges.ts";
import type { WholeProject } from "../../resolving/project/project_files.ts";
import { Resolver } from "../../resolving/resolver.ts";

export interface FileRelations {
  /** The number of the file in the store. */
  no: number;
  edges: Edge[];
  /** Weights by the number of the other file. */
  links: Map<number, number>;
  unresolved: Unresolved;
  needs: Uint32Array;
  mark: string;
}

/** How strongly a relation between two definitions connects their files. */
const WEIGHTS: Readonly<Record<Relation, number>> = {
  CONTAINS: 0,
  IMPORTS: 1,
  CALLS: 1,
  EXTENDS: 2,
  IMPLEMENTS: 2,
  TESTS: 0,
  DOCUMENTS: 0.3,
  // The import of a definition counts as such already.
  USES_TYPE: 0,
  READS: 0,
  WRITES: 0,
  NAMES: 0,
};

export class RelationFinder {
  readonly #store: CodeFacts;
  readonly #project: WholeProject;
  readonly #resolver: Resolver;
  /** Of the entities of each file. */
  readonly #numbers = new Map<string, number[]>();

  constructor(store: CodeFacts, project: WholeProject) {
    this.#store = store;
    this.#project = project;
    this.#resolver = new Resolver(project);
  }

  find(path: string): FileRelations {
    const no = this.#project.number(path) ?? -1;
    const facts = JSON.parse(this.#store.inside(no)) as PrivateFacts;
    const { edges: found, unresolved, dependencies } = this.#resolver.resolve(path, facts);
    found.sort(inStableOrder);
    const own = this.#numbersOf(path);
    const links = new Map<number, number>();
    const edges: Edge[] = [];
    for (const { from, to, relation, resolution, confidence, line, count, lines } of found) {
      const [source, target] = [own[from + 1], this.#numbersOf(to.path)[to.slot + 1]];
      if (source === undefined || target === undefined) continue;
      edges.push({ from: source, to: target, relation, resolution, confidence, line, count, ...(lines && { lines }) });
      const weight = resolution === "ambiguous" ? 0 : WEIGHTS[relation] * confidence;
      if (weight === 0 || to.path === path) continue;
      const other = this.#project.number(to.path) ?? -1;
      links.set(other, (links.get(other) ?? 0) + weight * (1 + Math.log(count)));
    }
    return { no, edges, links, unresolved, needs: dependencies, mark: edgesMark(edges, links, unresolved) };
  }

  #numbersOf(path: string): number[] {
    const known = this.#numbers.get(path) ?? this.#store.numbers(this.#project.number(path) ?? -1);
    this.#numbers.set(path, known);
    return known;
  }
}

/** A fixed order, so the store recognises unchanged edges. */
function inStableOrder(a: FoundEdge, b: FoundEdge): number {
  return (
    a.from - b.from ||
    compareText(a.relation, b.relation) ||
    compareText(a.to.path, b.to.path) ||
    a.to.slot - b.to.slot ||
    compareText(a.resolution, b.resolution)
  );
}
