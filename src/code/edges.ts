/** Edges of the files that need theirs worked out, from places in files to numbers in the store. */
import { compareText } from "../kernel/text.ts";
import type { CodeWriter, Edge, Relation } from "../store/code.ts";
import type { Surface } from "./facts.ts";
import type { Outside } from "./indexer.ts";
import { type FoundEdge, type Inside, makeResolver } from "./resolve.ts";

/** How much a relation between two definitions binds their files. */
const WEIGHTS: Readonly<Record<Relation, number>> = {
  CONTAINS: 0,
  IMPORTS: 1,
  CALLS: 1,
  EXTENDS: 2,
  IMPLEMENTS: 2,
  TESTS: 0,
  DOCUMENTS: 0.3,
};

/** Returns for how many files they were worked out. */
export function connect(
  writer: CodeWriter,
  fresh: ReadonlyMap<string, Outside>,
  insides: ReadonlyMap<string, Inside>,
  all: boolean,
  progress?: (done: number, total: number, label: string) => void,
): number {
  if (!all && insides.size === 0) return 0;
  const files = new Map(writer.files().map((row) => [row.path, row.no]));
  const surfaces = new Map<string, Surface>();
  const configs = new Map<string, string>();
  const stored = fresh.size === files.size ? undefined : writer.surfaces();
  for (const path of files.keys()) {
    const outside = fresh.get(path) ?? (JSON.parse(stored?.get(path) ?? "{}") as Outside);
    if (outside.surface) surfaces.set(path, outside.surface);
    if (outside.config !== undefined) configs.set(path, outside.config);
  }
  const resolver = makeResolver({ surfaces, configs, paths: new Set(files.keys()) });
  const numbers = new Map<string, number[]>();
  const numbersOf = (path: string): number[] => {
    const known = numbers.get(path) ?? writer.numbers(files.get(path) ?? -1);
    numbers.set(path, known);
    return known;
  };
  const wanted = all ? [...surfaces.keys()] : [...insides.keys()].filter((path) => surfaces.has(path));
  for (const [done, path] of wanted.entries()) {
    progress?.(done, wanted.length, "relations");
    const no = files.get(path) ?? -1;
    const { edges, unresolved } = resolver.resolve(
      path,
      insides.get(path) ?? (JSON.parse(writer.inside(no)) as Inside),
    );
    edges.sort(byPlace);
    const own = numbersOf(path);
    const links = new Map<number, number>();
    const found: Edge[] = [];
    for (const { from, to, ...rest } of edges) {
      const [source, target] = [own[from + 1], numbersOf(to.path)[to.slot + 1]];
      if (source === undefined || target === undefined) continue;
      found.push({ from: source, to: target, ...rest });
      const other = files.get(to.path) ?? -1;
      const weight = rest.resolution === "ambiguous" ? 0 : WEIGHTS[rest.relation] * rest.confidence;
      if (other !== no && weight > 0) links.set(other, (links.get(other) ?? 0) + weight * (1 + Math.log(rest.count)));
    }
    writer.setEdges(no, found, links, unresolved);
  }
  return wanted.length;
}

/** Always the same order, so that the same edges are recognised. */
function byPlace(a: FoundEdge, b: FoundEdge): number {
  return (
    a.from - b.from ||
    compareText(a.relation, b.relation) ||
    compareText(a.to.path, b.to.path) ||
    a.to.slot - b.to.slot ||
    compareText(a.resolution, b.resolution)
  );
}
