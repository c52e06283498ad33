/** A command may be killed at any moment: once it is run again, everything is there as an undisturbed run leaves it. */
import { test } from "node:test";
import { Killer } from "../soak/killing.ts";
import { SOAK_VARS, scenarioNamed } from "../soak/scenarios.ts";
import { seeded } from "../support/random.ts";

/** A few of each; `npm run soak` does hundreds. */
const KILLS = 2;

for (const [name, vars] of [
  ["sync", { DEX_SYNC_THREADS: "1" }],
  ["sync", { DEX_SYNC_THREADS: "0" }],
  ["forget", {}],
] as const) {
  test(`${name} killed at random moments ${JSON.stringify(vars)}`, async () => {
    const killer = new Killer(scenarioNamed(name), seeded(Object.keys(vars).length + 11), { ...SOAK_VARS, ...vars });
    await killer.begin();
    await killer.batch(KILLS);
    killer.remove();
  });
}
