/** How much of a project depends on each of its files and definitions, from the view of some files or of all. */
import type { CodeReader, Relation } from "../../../store/code.ts";
import { cached, filesOf } from "../cache.ts";
import { type Graph, GraphBuilder } from "./graph.ts";
import { rankAll, rankFrom } from "./pagerank.ts";
import type { Ranks } from "./ranks.ts";

/** A rank for each file by its number; they sum up to 1. `focus`: weights of the files to start from, by file number. */
export function rankFiles(store: CodeReader, focus: ReadonlyMap<number, number> = new Map()): Ranks {
  return rankFrom(fileGraph(store), focus) ?? fileRanks(store);
}

/** The same for definitions. `focus`: weights by file number, shared by the definitions of the file. */
export function rankSymbols(store: CodeReader, focus: ReadonlyMap<number, number> = new Map()): Ranks {
  const { graph, files } = symbolGraph(store);
  const start = new Map<number, number>();
  if (focus.size > 0) {
    for (let at = 0; at < files.length; at += 1) {
      const weight = focus.get(files[at] as number);
      if (weight !== undefined) start.set(graph.nodes[at] as number, weight);
    }
  }
  return rankFrom(graph, start) ?? symbolRanks(store);
}

const fileGraph = cached((store): Graph => {
  const builder = new GraphBuilder(filesOf(store).flatMap((row) => (row.language === "config" ? [] : [row.no])));
  for (const { from, to, weight } of store.links()) builder.link(from, to, weight);
  return builder.build();
});
const fileRanks = cached((store) => rankAll(fileGraph(store)));

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
  const nodes = [...store.symbolNodes()];
  const builder = new GraphBuilder(nodes.map(({ no }) => no));
  const inTest = new Set<number>();
  for (const { no, file, parent, isTop } of nodes) {
    if (tests.has(file)) inTest.add(no);
    if (parent !== null && !isTop) builder.link(no, parent, OF_OWNER);
  }
  for (const { from, to, relation, confidence, count } of store.symbolEdges(RELATIONS)) {
    const weight = (WEIGHTS[relation] ?? 0) * confidence * Math.sqrt(count);
    builder.link(from, to, inTest.has(from) ? weight * IN_TEST : weight);
  }
  return { graph: builder.build(), files: Int32Array.from(nodes, ({ file }) => file) };
});
const symbolRanks = cached((store) => rankAll(symbolGraph(store).graph));
