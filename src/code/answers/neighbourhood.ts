/**
 * The neighbours of a file or symbol as a graph: the strongest of them, and every edge between the nodes that are shown.
 * Of a file, the neighbours are files; of a symbol, definitions.
 */
import type { CodeReader, EntityRow, LinkedEntity, Relation } from "../../store/code.ts";
import { filesOf } from "./cache.ts";
import type { Target } from "./target.ts";

const SYMBOL_RELATIONS: readonly Relation[] = [
  "CALLS",
  "EXTENDS",
  "IMPLEMENTS",
  "TESTS",
  "USES_TYPE",
  "READS",
  "WRITES",
  "NAMES",
];

export interface GraphNode {
  id: string;
  kind: EntityRow["kind"];
  name: string;
  path: string;
  first_line: number;
  last_line: number;
  test: boolean;
}

export interface GraphEdge {
  from: string;
  to: string;
  relation: Relation | "DEPENDS";
  count: number;
  confidence: number;
}

export interface Neighbourhood {
  focus: string[];
  nodes: GraphNode[];
  edges: GraphEdge[];
  left_out: number;
}

export function neighbourhood(store: CodeReader, target: Target, limit: number): Neighbourhood {
  return target.file ? ofFile(store, target.file.no, limit) : ofSymbols(store, target.symbols, limit);
}

function ofFile(store: CodeReader, focus: number, limit: number): Neighbourhood {
  const files = new Map(filesOf(store).map((file) => [file.no, file]));
  const links = store.links();
  const weights = new Map<number, number>();
  for (const { from, to, weight } of links) {
    const other = from === focus ? to : to === focus ? from : undefined;
    if (other !== undefined && other !== focus) weights.set(other, (weights.get(other) ?? 0) + weight);
  }
  const { kept, leftOut } = strongest([focus], weights, limit);
  const nodes = kept.flatMap((no): GraphNode[] => {
    const file = files.get(no);
    if (!file) return [];
    const { path, lines, test } = file;
    return [{ id: path, kind: "file", name: path, path, first_line: 1, last_line: lines, test }];
  });
  const shown = new Set(kept);
  const edges = links.flatMap(({ from, to, weight }): GraphEdge[] => {
    const [a, b] = [files.get(from)?.path, files.get(to)?.path];
    if (a === undefined || b === undefined || from === to || !shown.has(from) || !shown.has(to)) return [];
    return [{ from: a, to: b, relation: "DEPENDS", count: Math.max(1, Math.round(weight)), confidence: 1 }];
  });
  return { focus: nodes.slice(0, 1).map(({ id }) => id), nodes, edges, left_out: leftOut };
}

function ofSymbols(store: CodeReader, symbols: readonly EntityRow[], limit: number): Neighbourhood {
  const entities = new Map(symbols.map((symbol) => [symbol.no, symbol]));
  const weights = new Map<number, number>();
  for (const { no } of symbols) {
    for (const { entity, edge } of around(store, no)) {
      entities.set(entity.no, entity);
      weights.set(entity.no, (weights.get(entity.no) ?? 0) + edge.confidence * edge.count);
    }
  }
  const focus = symbols.map(({ no }) => no).slice(0, limit);
  const { kept, leftOut } = strongest(focus, weights, limit);
  const shown = new Set(kept);
  const tests = new Set(filesOf(store).flatMap(({ no, test }) => (test ? [no] : [])));
  const idOf = (no: number): string => nodeId(entities.get(no));
  const edges = new Map<string, GraphEdge>();
  for (const no of kept) {
    for (const { entity, edge } of usable(store.outgoing(no, SYMBOL_RELATIONS))) {
      if (!shown.has(entity.no) || entity.no === no) continue;
      const { relation, count, confidence } = edge;
      const each = { from: idOf(no), to: nodeId(entity), relation, count, confidence };
      edges.set(`${each.from} ${relation} ${each.to}`, each);
    }
  }
  const nodes = kept.flatMap((no): GraphNode[] => {
    const entity = entities.get(no);
    if (!entity) return [];
    const { kind, qualified, path, first_line, last_line, file } = entity;
    return [{ id: nodeId(entity), kind, name: qualified, path, first_line, last_line, test: tests.has(file) }];
  });
  return { focus: focus.map(idOf), nodes, edges: [...edges.values()], left_out: leftOut };
}

function around(store: CodeReader, no: number): LinkedEntity[] {
  return usable([...store.outgoing(no, SYMBOL_RELATIONS), ...store.incoming(no, SYMBOL_RELATIONS)]);
}

/** An ambiguous edge is one of several candidates, most of them wrong. */
function usable(linked: readonly LinkedEntity[]): LinkedEntity[] {
  return linked.filter(({ edge }) => edge.resolution !== "ambiguous");
}

/** The focus, and the neighbours with the largest weight. */
function strongest(
  focus: readonly number[],
  weights: ReadonlyMap<number, number>,
  limit: number,
): { kept: number[]; leftOut: number } {
  const others = [...weights]
    .filter(([no]) => !focus.includes(no))
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([no]) => no);
  const room = Math.max(0, limit - focus.length);
  return { kept: [...focus, ...others.slice(0, room)], leftOut: Math.max(0, others.length - room) };
}

/** A line may hold several definitions. */
function nodeId(entity: EntityRow | undefined): string {
  return entity ? `${entity.path}:${entity.first_line}#${entity.qualified}` : "";
}
