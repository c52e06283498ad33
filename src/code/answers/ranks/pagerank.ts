/** PageRank: how much of a graph depends on each of its nodes, from the view of some of them or of all. */
import { type Graph, reachedFrom } from "./graph.ts";
import { Ranks } from "./ranks.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
const CONVERGED = 1e-7;

/** From the view of all nodes. */
export function rankAll(graph: Graph): Ranks {
  const places = Int32Array.from(graph.nodes.keys());
  return new Ranks(
    graph,
    places,
    iterate(partOf(graph, places), new Float64Array(places.length).fill(1 / places.length)),
  );
}

/** From the view of nodes with these weights, by number. Undefined if none of them is in the graph. */
export function rankFrom(graph: Graph, focus: ReadonlyMap<number, number>): Ranks | undefined {
  const weights = new Map<number, number>();
  let total = 0;
  for (const [node, weight] of focus) {
    const place = graph.places.get(node);
    if (place === undefined || weight <= 0) continue;
    weights.set(place, weight);
    total += weight;
  }
  if (total === 0) return undefined;
  // No rank ever gets to the other nodes: they need not be looked at.
  const places = reachedFrom(graph, weights.keys());
  const start = Float64Array.from(places, (place) => (weights.get(place) ?? 0) / total);
  return new Ranks(graph, places, iterate(partOf(graph, places), start));
}

/** Some nodes of a graph and the links between them, in the order of the graph; by the position in the list of nodes. */
interface Part {
  first: Int32Array;
  from: Int32Array;
  share: Float64Array;
  /** Nodes without outgoing links. */
  sinks: Int32Array;
}

function partOf({ nodes, incoming, outgoing }: Graph, places: Int32Array): Part {
  const positions = new Int32Array(nodes.length).fill(-1);
  let most = 0;
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i] as number;
    positions[place] = i;
    most += (incoming.first[place + 1] as number) - (incoming.first[place] as number);
  }
  const first = new Int32Array(places.length + 1);
  const from = new Int32Array(most);
  const share = new Float64Array(most);
  const sinks: number[] = [];
  let length = 0;
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i] as number;
    const end = incoming.first[place + 1] as number;
    for (let link = incoming.first[place] as number; link < end; link += 1) {
      const position = positions[incoming.from[link] as number] as number;
      if (position < 0) continue;
      from[length] = position;
      share[length] = incoming.share[link] as number;
      length += 1;
    }
    first[i + 1] = length;
    if (outgoing.first[place] === outgoing.first[place + 1]) sinks.push(i);
  }
  return { first, from, share, sinks: Int32Array.from(sinks) };
}

function iterate({ first, from, share, sinks }: Part, start: Float64Array): Float64Array {
  let ranks = start.slice();
  let next = new Float64Array(start.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    let lost = 0;
    for (let i = 0; i < sinks.length; i += 1) lost += ranks[sinks[i] as number] as number;
    let moved = 0;
    let link = 0;
    for (let i = 0; i < start.length; i += 1) {
      const end = first[i + 1] as number;
      let received = 0;
      for (; link < end; link += 1) received += (ranks[from[link] as number] as number) * (share[link] as number);
      const back = start[i] as number;
      const value = (1 - DAMPING) * back + DAMPING * (received + lost * back);
      moved += Math.abs(value - (ranks[i] as number));
      next[i] = value;
    }
    [ranks, next] = [next, ranks];
    if (moved < CONVERGED) break;
  }
  return ranks;
}
