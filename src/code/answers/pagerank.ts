/** PageRank: how much of a project depends on each file or definition, from the view of some of them or of all. */
import type { CodeReader, Relation } from "../../store/code.ts";
import { cached, filesOf } from "./cache.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
const CONVERGED = 1e-7;

interface Graph {
  /** Numbers of the files or entities, and the index of each. */
  nodes: readonly number[];
  places: ReadonlyMap<number, number>;
  from: Int32Array;
  to: Int32Array;
  share: Float64Array;
  /** Indexes of nodes without outgoing links. */
  sinks: Int32Array;
}

interface Link {
  from: number;
  to: number;
  weight: number;
}

/** A rank for each file by its number; they sum up to 1. `focus`: weights of the files to start from, by file number. */
export function rankFiles(store: CodeReader, focus: ReadonlyMap<number, number> = new Map()): Map<number, number> {
  return rank(fileGraph(store), focus);
}

/** The same for definitions. `focus`: weights by file number, shared by the definitions of the file. */
export function rankSymbols(store: CodeReader, focus: ReadonlyMap<number, number> = new Map()): Map<number, number> {
  const { graph, files } = symbolGraph(store);
  const start = new Map<number, number>();
  if (focus.size > 0) {
    for (const [at, no] of graph.nodes.entries()) {
      const weight = focus.get(files[at] as number);
      if (weight !== undefined) start.set(no, weight);
    }
  }
  return rank(graph, start);
}

function rank(graph: Graph, focus: ReadonlyMap<number, number>): Map<number, number> {
  const { nodes, places, from, to, share, sinks } = graph;
  const n = nodes.length;
  if (n === 0) return new Map();
  const start = new Float64Array(n);
  let total = 0;
  for (const [node, weight] of focus) {
    const place = places.get(node);
    if (place === undefined || weight <= 0) continue;
    start[place] = (start[place] ?? 0) + weight;
    total += weight;
  }
  if (total === 0) start.fill(1 / n);
  else for (let i = 0; i < n; i += 1) start[i] = (start[i] ?? 0) / total;
  let ranks = start.slice();
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(n);
    for (let i = 0; i < from.length; i += 1) {
      const target = to[i] as number;
      next[target] = (next[target] as number) + (ranks[from[i] as number] as number) * (share[i] as number);
    }
    let lost = 0;
    for (const sink of sinks) lost += ranks[sink] as number;
    let moved = 0;
    for (let i = 0; i < n; i += 1) {
      const back = start[i] as number;
      const value = (1 - DAMPING) * back + DAMPING * ((next[i] as number) + lost * back);
      moved += Math.abs(value - (ranks[i] as number));
      next[i] = value;
    }
    ranks = next;
    if (moved < CONVERGED) break;
  }
  return new Map(nodes.map((node, i) => [node, ranks[i] as number]));
}

function graphOf(nodes: readonly number[], all: Iterable<Link>): Graph {
  const places = new Map(nodes.map((node, place) => [node, place]));
  const links: Link[] = [];
  const sums = new Float64Array(nodes.length);
  for (const { from, to, weight } of all) {
    const [source, target] = [places.get(from), places.get(to)];
    if (source === undefined || target === undefined || weight <= 0) continue;
    links.push({ from: source, to: target, weight });
    sums[source] = (sums[source] as number) + weight;
  }
  return {
    nodes,
    places,
    from: Int32Array.from(links, ({ from }) => from),
    to: Int32Array.from(links, ({ to }) => to),
    share: Float64Array.from(links, ({ from, weight }) => weight / (sums[from] as number)),
    sinks: Int32Array.from([...sums.entries()].flatMap(([place, sum]) => (sum === 0 ? [place] : []))),
  };
}

const fileGraph = cached((store): Graph => {
  const files = filesOf(store).flatMap((row) => (row.language === "config" ? [] : [row.no]));
  return graphOf(files, store.links());
});

/** How much one use says about the importance of a definition. */
const WEIGHTS: Partial<Record<Relation, number>> = {
  CALLS: 1,
  EXTENDS: 1,
  IMPLEMENTS: 1,
  READS: 0.5,
  WRITES: 0.5,
  NAMES: 0.3,
  USES_TYPE: 0.3,
};
const RELATIONS = Object.keys(WEIGHTS) as Relation[];
/** A use in a test is an example, and a project may have hundreds of them. */
const IN_TEST = 0.2;
/** A definition stands for its members: part of their rank is its rank. */
const OF_OWNER = 0.5;

/** `files`: the file of each node. Definitions in test files pass on rank but are few steps from most others. */
const symbolGraph = cached((store): { graph: Graph; files: Int32Array } => {
  const tests = new Set(filesOf(store).flatMap(({ no, test }) => (test ? [no] : [])));
  const nodes: number[] = [];
  const files: number[] = [];
  const fileOf = new Map<number, number>();
  const links: Link[] = [];
  for (const { no, file, parent, isTop } of store.symbolNodes()) {
    nodes.push(no);
    files.push(file);
    fileOf.set(no, file);
    if (parent !== null && !isTop) links.push({ from: no, to: parent, weight: OF_OWNER });
  }
  for (const { from, to, relation, confidence, count } of store.symbolEdges(RELATIONS)) {
    const weight = (WEIGHTS[relation] ?? 0) * confidence * Math.sqrt(count);
    links.push({ from, to, weight: tests.has(fileOf.get(from) ?? -1) ? weight * IN_TEST : weight });
  }
  return { graph: graphOf(nodes, links), files: Int32Array.from(files) };
});
