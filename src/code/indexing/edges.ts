/** Resolves and stores the edges of all files that a run affects. */
import { compareText } from "../../kernel/text.ts";
import type { CodeWriter, Edge, Relation } from "../../store/code.ts";
import type { PrivateFacts } from "../facts.ts";
import type { FoundEdge } from "../resolving/found_edges.ts";
import { projectFiles } from "../resolving/project/project_files.ts";
import { Resolver } from "../resolving/resolver.ts";
import { type Changes, filesToResolve } from "./changes.ts";

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

/** Returns the number of files whose edges were resolved. */
export function resolveEdges(
  writer: CodeWriter,
  changes: Changes,
  progress?: (done: number, total: number, label: string) => void,
): number {
  if (!changes.any && changes.fresh.size === 0) return 0;
  const project = projectFiles(writer);
  const resolver = new Resolver(project);
  const numbers = new Map<string, number[]>();
  const numbersOf = (path: string): number[] => {
    const known = numbers.get(path) ?? writer.numbers(project.number(path) ?? -1);
    numbers.set(path, known);
    return known;
  };
  const wanted = filesToResolve(writer, changes, project);
  for (const [done, path] of wanted.entries()) {
    progress?.(done, wanted.length, "relations");
    const no = project.number(path) ?? -1;
    const { edges, unresolved, dependencies } = resolver.resolve(path, JSON.parse(writer.inside(no)) as PrivateFacts);
    edges.sort(inStableOrder);
    const own = numbersOf(path);
    const links = new Map<number, number>();
    const found: Edge[] = [];
    for (const { from, to, relation, resolution, confidence, line, count, lines } of edges) {
      const [source, target] = [own[from + 1], numbersOf(to.path)[to.slot + 1]];
      if (source === undefined || target === undefined) continue;
      found.push({ from: source, to: target, relation, resolution, confidence, line, count, ...(lines && { lines }) });
      const weight = resolution === "ambiguous" ? 0 : WEIGHTS[relation] * confidence;
      if (weight === 0 || to.path === path) continue;
      const other = project.number(to.path) ?? -1;
      links.set(other, (links.get(other) ?? 0) + weight * (1 + Math.log(count)));
    }
    writer.setEdges(no, found, links, unresolved);
    writer.setNeeds(no, dependencies);
  }
  return wanted.length;
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
