import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, seeded } from "../../../../test/support/random.ts";
import { GraphBuilder } from "./graph.ts";
import { rankAll, rankFrom } from "./pagerank.ts";

type Weights = Map<number, number>;

test("ranks are those of a walk over all nodes, the highest first, and then by number", () => {
  const random = seeded(11);
  for (let round = 0; round < 50; round += 1) {
    const nodes = Array.from({ length: 1 + (round % 12) }, (_, i) => ((i * 7) % 12) + 100);
    const builder = new GraphBuilder(nodes);
    const links = new Map<number, Weights>(nodes.map((node) => [node, new Map()]));
    for (let i = 0; i < round; i += 1) {
      const [from, to, weight] = [pick(random, nodes), pick(random, nodes), 1 + i];
      builder.link(from, to, weight);
      const own = links.get(from) as Weights;
      own.set(to, (own.get(to) ?? 0) + weight);
    }
    const graph = builder.build();
    const focus = new Map([
      [pick(random, nodes), 1],
      [pick(random, nodes), 3],
      [1, 5],
    ]);
    expectRanks([...rankAll(graph).best()], walk(links, new Map(nodes.map((node) => [node, 1]))));
    expectRanks([...(rankFrom(graph, focus)?.best() ?? [])], walk(links, focus));
    assert.equal(rankFrom(graph, new Map([[1, 5]])), undefined);
  }
});

test("links without weight, and links to something that is not a node, do not count", () => {
  const builder = new GraphBuilder([1, 2]);
  builder.link(1, 2, 0);
  builder.link(1, 3, 1);
  builder.link(3, 2, 1);
  assert.deepEqual(
    [...rankAll(builder.build()).best()],
    [
      [1, 0.5],
      [2, 0.5],
    ],
  );
});

function expectRanks(found: [number, number][], expected: Weights): void {
  assert.equal(found.length, expected.size);
  for (const [i, [no, rank]] of found.entries()) {
    assert.ok(Math.abs(rank - (expected.get(no) ?? 0)) < 1e-6, `${no}: ${rank}, not ${expected.get(no)}`);
    const [before, last] = found[i - 1] ?? [0, 1];
    assert.ok(last > rank || (last === rank && before < no), `${before} before ${no}`);
  }
}

/** Where someone is who follows links, and starts over now and then, or where there are none. */
function walk(links: Map<number, Weights>, focus: Weights): Weights {
  const nodes = [...links.keys()];
  const total = nodes.reduce((sum, node) => sum + (focus.get(node) ?? 0), 0);
  const start = new Map(nodes.map((node) => [node, (focus.get(node) ?? 0) / total]));
  let ranks = start;
  for (let step = 0; step < 30; step += 1) {
    const next: Weights = new Map(nodes.map((node) => [node, 0.15 * (start.get(node) ?? 0)]));
    for (const [from, own] of links) {
      const targets = own.size > 0 ? own : start;
      const sum = [...targets.values()].reduce((all, weight) => all + weight, 0);
      for (const [to, weight] of targets)
        next.set(to, (next.get(to) ?? 0) + (0.85 * (ranks.get(from) ?? 0) * weight) / sum);
    }
    ranks = next;
  }
  return ranks;
}
