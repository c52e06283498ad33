/**
 * Figures of searches over a team's conversations, in a process that stays: beside the same search in a home that has them
 * all, and with blocks that are not on this machine.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../../src/dex.ts";
import { type Library, openDex } from "../lib/library.ts";
import { median, type Pair, quantile, timed } from "../lib/measure.ts";
import type { Program } from "../lib/program.ts";
import { megabytes, type Row, ratioRow, timeRow } from "../lib/table.ts";

/** Connects, and loads the tables of all segments. It has no word in common with real questions. */
const OTHER_QUESTION = "yellow marmalade giraffe umbrella";

interface Timed {
  ms: number;
  /** Processor time of this process. */
  cpu: number;
}

async function usage(work: () => unknown): Promise<Timed> {
  const before = process.cpuUsage();
  const ms = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu: (user + system) / 1000 };
}

async function ask(library: Library, dex: Dex, query: string, more: object = {}): Promise<string[]> {
  const input = { query, limit: 10, ...more };
  const { output } = await library.runOperation(dex, "search", input, { sync: false, traced: false });
  return output.results.map(({ id, owner }) => `${owner ?? ""} ${id}`);
}

/** The same questions to a home that has the conversations, and to a member who has none of them. */
export async function besideLocal(
  library: Library,
  owner: Program,
  reader: Program,
  shared: number,
  queries: readonly string[],
  rounds: number,
): Promise<Row[]> {
  const [home, team] = [await openDex(library, owner), await openDex(library, reader)];
  try {
    const pair: Pair = { a: [], b: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const [a, b]: [number[], number[]] = [[], []];
      for (const query of queries) {
        let [there, here]: [string[], string[]] = [[], []];
        a.push(await timed(async () => (there = await ask(library, team, query))));
        b.push(await timed(async () => (here = await ask(library, home, query, { local: true }))));
        if (here.length > 0 && there.length === 0) throw new Error(`the team does not find "${query}"`);
      }
      // The first round fetches the blocks.
      if (round === 0) continue;
      pair.a.push(median(a));
      pair.b.push(median(b));
    }
    const local = home.store.totals().messages.toLocaleString("en");
    const what = `warm search over ${shared.toLocaleString("en")} messages of the team, over one in a home of ${local}`;
    return [ratioRow(what, pair, 2)];
  } finally {
    home.close();
    team.close();
  }
}

/** Each question with none of its blocks here, and once more with all of them. */
export async function coldAndWarm(
  library: Library,
  reader: Program,
  messages: number,
  queries: readonly string[],
): Promise<Row[]> {
  const folder = join(reader.dexHome, "team/cache");
  const kept = `${folder}.kept`;
  rmSync(folder, { recursive: true, force: true });
  const first = await timed(async () => {
    const dex = await openDex(library, reader);
    await ask(library, dex, OTHER_QUESTION);
    dex.close();
  });
  cpSync(folder, kept, { recursive: true });
  const [cold, warm]: [Timed[], Timed[]] = [[], []];
  let found = 0;
  for (const query of queries) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(kept, folder, { recursive: true });
    const dex = await openDex(library, reader);
    await ask(library, dex, OTHER_QUESTION);
    let results: string[] = [];
    cold.push(await usage(async () => (results = await ask(library, dex, query))));
    found += results.length > 0 ? 1 : 0;
    warm.push(await usage(() => ask(library, dex, query)));
    dex.close();
  }
  rmSync(kept, { recursive: true, force: true });
  const over = `${messages.toLocaleString("en")} messages`;
  const at = (all: Timed[], of: keyof Timed, share: number): number =>
    quantile(
      all.map((each) => each[of]),
      share,
    );
  const note = (all: Timed[]): string =>
    `median ${at(all, "ms", 0.5).toFixed(0)} ms; processor time median ${at(all, "cpu", 0.5).toFixed(0)} ms, p95 ${at(all, "cpu", 0.95).toFixed(0)} ms`;
  const asked = `${queries.length} questions, ${found} with results`;
  return [
    {
      what: `the first contact with ${over}: the tables and codes of all segments`,
      measured: `${(first / 1000).toFixed(1)} s`,
      aim: "",
      met: true,
    },
    timeRow(`search over ${over}, nothing of the question here, p95 (${asked})`, at(cold, "ms", 0.95), note(cold), 400),
    timeRow("the same question again, p95", at(warm, "ms", 0.95), note(warm), 150),
  ];
}

export function sizeRow(messages: number, bytes: number): Row {
  const what = `the database of ${messages.toLocaleString("en")} messages`;
  return { what, measured: megabytes(bytes), aim: "", met: true };
}
