/** A graph of weighted links, in flat arrays: a project has hundreds of thousands of them. */

export interface Graph {
  /** The numbers of the nodes; everything else names a node by its place in here. */
  nodes: Int32Array;
  places: ReadonlyMap<number, number>;
  /** All places, by the numbers of their nodes. */
  byNumber: Int32Array;
  /** The links to the node at place `i` are those from `first[i]` up to `first[i + 1]`; likewise those from it. */
  incoming: { first: Int32Array; from: Int32Array; share: Float64Array };
  outgoing: { first: Int32Array; to: Int32Array };
}

/** Collects links, by the numbers of their nodes, and makes a graph of them. */
export class GraphBuilder {
  readonly #nodes: Int32Array;
  readonly #places = new Map<number, number>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #weights: number[] = [];
  /** The weight of all links from each node. */
  readonly #sums: Float64Array;

  constructor(nodes: readonly number[]) {
    this.#nodes = Int32Array.from(nodes);
    this.#sums = new Float64Array(nodes.length);
    for (const [place, node] of nodes.entries()) this.#places.set(node, place);
  }

  /** Ignored without weight, and if one of its ends is not a node. */
  link(from: number, to: number, weight: number): void {
    const [source, target] = [this.#places.get(from), this.#places.get(to)];
    if (source === undefined || target === undefined || weight <= 0) return;
    this.#from.push(source);
    this.#to.push(target);
    this.#weights.push(weight);
    this.#sums[source] = (this.#sums[source] as number) + weight;
  }

  /** The links of a node stay in the order in which they were given. */
  build(): Graph {
    const incoming = grouped(this.#to, this.#nodes.length);
    const outgoing = grouped(this.#from, this.#nodes.length);
    const share = (link: number): number =>
      (this.#weights[link] as number) / (this.#sums[this.#from[link] as number] as number);
    return {
      nodes: this.#nodes,
      places: this.#places,
      byNumber: this.#nodes.toSorted().map((node) => this.#places.get(node) as number),
      incoming: {
        first: incoming.first,
        from: incoming.links.map((link) => this.#from[link] as number),
        share: Float64Array.from(incoming.links, share),
      },
      outgoing: { first: outgoing.first, to: outgoing.links.map((link) => this.#to[link] as number) },
    };
  }
}

/** Links by the place of one of their ends. */
function grouped(ends: readonly number[], nodes: number): { first: Int32Array; links: Int32Array } {
  const first = new Int32Array(nodes + 1);
  for (const end of ends) first[end + 1] = (first[end + 1] as number) + 1;
  for (let i = 0; i < nodes; i += 1) first[i + 1] = (first[i + 1] as number) + (first[i] as number);
  const free = first.slice();
  const links = new Int32Array(ends.length);
  for (const [link, end] of ends.entries()) {
    links[free[end] as number] = link;
    free[end] = (free[end] as number) + 1;
  }
  return { first, links };
}

/** The places that links lead to from these, with these, in order. */
export function reachedFrom({ nodes, outgoing: { first, to } }: Graph, places: Iterable<number>): Int32Array {
  const isReached = new Uint8Array(nodes.length);
  const reached = new Int32Array(nodes.length);
  let length = 0;
  const reach = (place: number): void => {
    if (isReached[place] === 1) return;
    isReached[place] = 1;
    reached[length] = place;
    length += 1;
  };
  for (const place of places) reach(place);
  for (let at = 0; at < length; at += 1) {
    const place = reached[at] as number;
    const end = first[place + 1] as number;
    for (let link = first[place] as number; link < end; link += 1) reach(to[link] as number);
  }
  return reached.slice(0, length).sort();
}
