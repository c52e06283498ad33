/**
 * The bytes that a team's server stores and the cost of a question there, by the number of messages: computed from the
 * sizes of the blocks of a real index, and from the speed at which this machine scores them.
 *
 *     node bench/team/growth.ts [--home DIR]
 *
 * `--home` is a dex home with an index (default: DEX_HOME or ~/.dex). Nothing is written, and no server is needed: a
 * segment on the server has the same blocks as one in the index.
 */
import { parseArgs } from "node:util";
import { dexPaths } from "../../src/config/paths.ts";
import { Dex } from "../../src/dex.ts";
import { bytesOf, questionsOf } from "./sizes.ts";

/** People, messages of all of them, and the shape of the server that serves them. */
const STEPS: readonly { people: number; messages: number; shape: string }[] = [
  { people: 10, messages: 1e6, shape: "one PostgreSQL" },
  { people: 300, messages: 3e7, shape: "PostgreSQL, replica, gateway" },
  { people: 10_000, messages: 1e9, shape: "Citus or 64 partitions by bucket, 8+ gateways" },
];
/** The most messages of one bucket: the server begins another one then. */
const MESSAGES_PER_BUCKET = 1e6;
/** An assumption: what one person and their agents write in a day. */
const MESSAGES_PER_DAY = 500;

const { values } = parseArgs({ options: { home: { type: "string" } } });
const vars = values.home === undefined ? process.env : { ...process.env, DEX_HOME: values.home };
const dex = await Dex.open({ vars, cwd: "/" });
try {
  const { messages } = dex.store.totals();
  if (messages === 0) throw new Error(`There is no index in ${dexPaths(vars).home}: run \`dex sync\` first.`);
  const sizes = bytesOf(dexPaths(vars).index, dex);
  const { bytesPerQuestion, msPerQuestion, count } = questionsOf(dex);
  const perMessage = Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0) / messages;
  console.log(`${messages} messages; bytes of each on the server:`);
  for (const [name, bytes] of Object.entries(sizes))
    console.log(`  ${name.padEnd(22)}${(bytes / messages).toFixed(1)}`);
  console.log(`  ${"all".padEnd(22)}${perMessage.toFixed(1)}  (${(perMessage / 1000).toFixed(2)} GB per million)`);
  const read = bytesPerQuestion / messages;
  const rate = bytesPerQuestion / 1e6 / (msPerQuestion / 1000);
  console.log(`A question of eight words (${count} questions, median) reads ${read.toFixed(1)} bytes a message;`);
  console.log(`scoring does ${rate.toFixed(0)} MB/s on one core of this machine.\n`);
  console.log("| people, messages | stored | shape | cold question, one bucket | all at once |");
  console.log("|---|---|---|---|---|");
  for (const { people, messages: all, shape } of STEPS) {
    const one = (read * Math.min(all, MESSAGES_PER_BUCKET)) / 1e6;
    const every = (read * all) / 1e6;
    console.log(
      `| ${people}, ${all / 1e6} M | ${gigabytes(perMessage * all)} | ${shape} | ` +
        `${one.toFixed(1)} MB, ${(one / rate).toFixed(2)} core-s | ${every.toFixed(0)} MB, ${(every / rate).toFixed(1)} core-s |`,
    );
  }
  const last = STEPS.at(-1) as (typeof STEPS)[number];
  const daily = last.people * MESSAGES_PER_DAY;
  console.log(
    `\nAt ${MESSAGES_PER_DAY} messages a person and day, ${last.people} people push ${(daily / 86_400).toFixed(0)} ` +
      `messages a second: ${gigabytes(daily * (sizes.frames / messages))} of frames a day.`,
  );
} finally {
  dex.close();
}

function gigabytes(bytes: number): string {
  return bytes >= 1e12 ? `${(bytes / 1e12).toFixed(2)} TB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
