/** Figures of an opened Dex in one process, as in a server: no start of Node, no first-time compiling. */
import { statSync } from "node:fs";
import type { Dex } from "../../src/dex.ts";
import { OwnedCaches } from "../../src/kernel/owned_caches.ts";
import type { Corpus } from "../lib/corpus.ts";
import { type Library, openDex } from "../lib/library.ts";
import { alternate, median, quantile, timed } from "../lib/measure.ts";
import type { Program } from "../lib/program.ts";
import { addressOf } from "../lib/queries.ts";
import { type Row, ratioRow, timeRow } from "../lib/table.ts";

/** A sync with nothing to do takes milliseconds: it is repeated this many times as often as a whole process. */
const SHORT = 10;
const OUTLINES = 100;
const FULL_READINGS = 20;

export async function idleSyncInProcess(
  library: Library,
  program: Program,
  corpus: Corpus,
  rounds: number,
): Promise<Row[]> {
  // As in a server, whose checks open an application each.
  const caches = new OwnedCaches();
  const sync = (): Promise<number> =>
    timed(async () => {
      const dex = await openDex(library, program, caches);
      await dex.sync();
      dex.close();
    });
  const stat = (): Promise<number> =>
    timed(() => {
      for (const path of corpus.files) statSync(path);
    });
  await alternate(SHORT, sync, stat);
  const pair = await alternate(rounds * SHORT, sync, stat);
  caches.close();
  return [ratioRow("sync with nothing new over a bare stat of the same files, in one process", pair, 4)];
}

export interface QuerySet {
  name: string;
  queries: readonly string[];
  /** The number of queries that must find something: a search without results is fast and meaningless. */
  mustFind: number;
}

export async function warmSearch(library: Library, dex: Dex, set: QuerySet, rounds: number): Promise<Row> {
  const search = await library.operations.search();
  const inputs = set.queries.map((query) => search.input.parse({ query }));
  let found = 0;
  for (const input of inputs) {
    const { results } = await search.run(dex, input, {});
    if (results.length > 0) found += 1;
  }
  if (found < set.mustFind) throw new Error(`only ${found} of ${inputs.length} ${set.name} find anything`);
  const searchOnce = (at: number): unknown => {
    const input = inputs[at];
    return input && search.run(dex, input, {});
  };
  const what = `warm search, p95 of ${inputs.length} ${set.name}, of which ${found} find something`;
  return percentileRow(what, rounds, inputs.length, searchOnce, 12);
}

/** Of the most expensive conversations: the one with the most messages, the one with the most tokens. */
export async function warmReading(library: Library, dex: Dex, rounds: number): Promise<Row[]> {
  const [list, show] = await Promise.all([library.operations.list(), library.operations.show()]);
  const { conversations } = await list.run(dex, list.input.parse({ limit: 10_000 }), {});
  const longest = conversations.reduce((a, b) => (b.message_count > a.message_count ? b : a));
  const largest = conversations.reduce((a, b) => (b.estimated_tokens > a.estimated_tokens ? b : a));
  const outline = show.input.parse({ ids: [addressOf(longest)], format: "outline" });
  const full = show.input.parse({ ids: [addressOf(largest)], format: "full" });
  const messages = `${longest.message_count.toLocaleString("en")} messages`;
  const tokens = `${largest.estimated_tokens.toLocaleString("en")} tokens`;
  return [
    await percentileRow(
      `warm outline of the longest conversation (${messages}), p95`,
      rounds,
      OUTLINES,
      () => show.run(dex, outline, {}),
      10,
    ),
    await percentileRow(
      `warm full reading of the largest conversation (${tokens}), p95`,
      rounds,
      FULL_READINGS,
      () => show.run(dex, full, {}),
      150,
    ),
  ];
}

/** Each round is aggregated separately; the figure is the median of the rounds. One round before them warms up. */
async function percentileRow(
  what: string,
  rounds: number,
  times: number,
  work: (at: number) => unknown,
  aimMs: number,
): Promise<Row> {
  const p95: number[] = [];
  const middle: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const taken: number[] = [];
    for (let at = 0; at < times; at += 1) taken.push(await timed(() => work(at)));
    if (round < 0) continue;
    p95.push(quantile(taken, 0.95));
    middle.push(median(taken));
  }
  return timeRow(what, median(p95), `median ${median(middle).toFixed(1)} ms`, aimMs);
}
