/**
 * Long runs: kills of every command that writes, and mutated history of every source. Each is repeatable by its seed.
 *
 *   npm run soak -- [--kills N] [--lines N] [--seconds N] [--seed N] [--only part-of-a-name]
 *
 * `--kills` counts per command. `--seconds` ends the run early, after the batches in progress. The environment
 * variables DEX_SOAK_KILLS, DEX_SOAK_LINES, DEX_SOAK_SECONDS and DEX_SOAK_SEED set the same options.
 */
import { parseArgs } from "node:util";
import { endDelivery } from "../test/soak/delivery.ts";
import { Killer } from "../test/soak/killing.ts";
import { LINES_A_BATCH, LineSoak } from "../test/soak/lines.ts";
import { SCENARIOS, SOAK_VARS } from "../test/soak/scenarios.ts";
import { seeded } from "../test/support/random.ts";

const FULL = { kills: 200, lines: 1_000_000, seconds: 24 * 3600, seed: 1 };
/** As many at once as the smallest machines have cores. */
const LANES = 2;
/** The share of a short run for mutated lines; kills get the rest. */
const SHARE_OF_LINES = 0.25;

const { values } = parseArgs({
  options: {
    kills: { type: "string" },
    lines: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string" },
    only: { type: "string", default: "" },
  },
});
const number = (name: keyof typeof FULL): number => {
  const given = values[name] ?? process.env[`DEX_SOAK_${name.toUpperCase()}`];
  const parsed = given === undefined ? FULL[name] : Number(given);
  if (!Number.isInteger(parsed) || parsed < 0) throw new Error(`--${name} takes a whole number, not ${given}`);
  return parsed;
};
const [kills, lines, seconds, seed] = [number("kills"), number("lines"), number("seconds"), number("seed")];
const began = performance.now();
const passed = (): number => (performance.now() - began) / 1000;

let failed = false;
if (lines > 0 && "mutated lines".includes(values.only)) await soakLines();
const chosen = SCENARIOS.filter(({ name }) => name.includes(values.only));
if (kills > 0) await soakKills();
console.log(`${failed ? "FAILED" : "passed"} after ${passed().toFixed(0)} s, seed ${seed}`);
process.exitCode = failed ? 1 : 0;

async function soakLines(): Promise<void> {
  const soak = new LineSoak(seeded(seed));
  const most = chosenTime(SHARE_OF_LINES);
  try {
    while (soak.figures.lines < lines && passed() < most) {
      await soak.batch(Math.min(LINES_A_BATCH, lines - soak.figures.lines));
    }
  } catch (error) {
    failed = true;
    console.error(`mutated lines: ${String(error)}\nthe home is kept in ${soak.place}`);
  }
  const { peakBytes, ...figures } = soak.figures;
  const peak = peakBytes === undefined ? "not known" : `${Math.round(peakBytes / 2 ** 20)} MiB`;
  console.log(
    `mutated lines: ${figures.lines} of ${figures.batches} homes read, ${figures.conversations} conversations, ` +
      `${figures.malformed} records skipped, peak memory ${peak}`,
  );
}

function chosenTime(share: number): number {
  return kills > 0 ? seconds * share : seconds;
}

/** Alternating, so a short run covers all of them. */
async function soakKills(): Promise<void> {
  const killers = chosen.map((scenario, i) => ({
    killer: new Killer(scenario, seeded(seed * 1000 + i), SOAK_VARS),
    begun: false,
  }));
  const waiting = [...killers];
  let broken = 0;
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { killer } = next;
      try {
        // A scenario that the time did not reach is shown with 0 kills.
        if (passed() >= seconds) continue;
        if (!next.begun) await killer.begin();
        next.begun = true;
        await killer.batch(kills - killer.figures.kills);
        if (killer.figures.kills < kills) waiting.push(next);
      } catch (error) {
        failed = true;
        broken += 1;
        console.error(`${killer.figures.scenario}: ${error instanceof Error ? error.stack : String(error)}`);
        console.error(`the home is kept in ${killer.place}`);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await endDelivery();
  for (const { killer } of killers) {
    const { scenario, kills: done, batches, ended } = killer.figures;
    console.log(
      `${scenario.padEnd(24)} ${String(done).padStart(4)} kills, checked ${batches} times, ${ended} runs ended before`,
    );
    if (!failed) killer.remove();
  }
  const total = killers.reduce((sum, { killer }) => sum + killer.figures.kills, 0);
  console.log(
    `${total} kills in total; something was lost, duplicated or not repaired in ${broken} of ${killers.length} scenarios`,
  );
}
