/** PageRank over the files: how much of the project depends on each, from the view of some files or of all. */
import type { CodeReader } from "../../store/code.ts";
import { cached, filesOf } from "./cache.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
const CONVERGED = 1e-7;

interface Graph {
  /** File numbers, and the index of each. */
  files: number[];
  places: Map<number, number>;
  from: Int32Array;
  to: Int32Array;
  share: Float64Array;
  /** Indexes of files without outgoing links. */
  sinks: Int32Array;
}

/** A rank for each file by its number; they sum up to 1. `focus`: weights of the files to start from, by file number. */
export function rankFiles(store: CodeReader, focus: ReadonlyMap<number, number> = new Map()): Map<number, number> {
  const { files, places, from, to, share, sinks } = graphOf(store);
  const n = files.length;
  if (n === 0) return new Map();
  const start = new Float64Array(n);
  let total = 0;
  for (const [file, weight] of focus) {
    const place = places.get(file);
    if (place === undefined || weight <= 0) continue;
    start[place] = (start[place] ?? 0) + weight;
    total += weight;
  }
  if (total === 0) start.fill(1 / n);
  else for (let i = 0; i < n; i += 1) start[i] = (start[i] ?? 0) / total;
  let rank = start.slice();
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(n);
    for (let i = 0; i < from.length; i += 1) {
      const target = to[i] as number;
      next[target] = (next[target] as number) + (rank[from[i] as number] as number) * (share[i] as number);
    }
    let lost = 0;
    for (const sink of sinks) lost += rank[sink] as number;
    let moved = 0;
    for (let i = 0; i < n; i += 1) {
      const back = start[i] as number;
      const value = (1 - DAMPING) * back + DAMPING * ((next[i] as number) + lost * back);
      moved += Math.abs(value - (rank[i] as number));
      next[i] = value;
    }
    rank = next;
    if (moved < CONVERGED) break;
  }
  return new Map(files.map((file, i) => [file, rank[i] as number]));
}

const graphOf = cached((store): Graph => {
  const files = filesOf(store).flatMap((row) => (row.language === "config" ? [] : [row.no]));
  const places = new Map(files.map((file, place) => [file, place]));
  const links = store.links().filter((link) => places.has(link.from) && places.has(link.to));
  const sums = new Float64Array(files.length);
  for (const { from, weight } of links) {
    const place = places.get(from) as number;
    sums[place] = (sums[place] as number) + weight;
  }
  return {
    files,
    places,
    from: Int32Array.from(links, (link) => places.get(link.from) as number),
    to: Int32Array.from(links, (link) => places.get(link.to) as number),
    share: Float64Array.from(links, ({ from, weight }) => weight / (sums[places.get(from) as number] as number)),
    sinks: Int32Array.from([...sums.entries()].flatMap(([place, sum]) => (sum === 0 ? [place] : []))),
  };
});
