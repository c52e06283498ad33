/**
 * How often the hooks of real agents answer within their default budget: sessions of each agent, one after the other,
 * against a scripted model on the loopback. Other work on the machine decides this more than anything else, so each row
 * states the load and the time that bare Node takes to start.
 *
 *   node bench/speed/hooks/hosts.ts [--sessions 10] [--only claude] [--quiet 60]
 *
 * --quiet: waits before each session until bare Node starts within this many milliseconds, three times in a row.
 */
import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { REAL_HOSTS, type RealHost } from "../../../test/support/clients/real_hosts.ts";
import { realScene } from "../../../test/support/clients/real_scene.ts";
import { RealSession } from "../../../test/support/clients/real_session.ts";
import { installed } from "../../../test/support/program/installed.ts";
import { median } from "../../lib/measure.ts";

const { values } = parseArgs({
  options: { sessions: { type: "string", default: "10" }, only: { type: "string" }, quiet: { type: "string" } },
});
const sessions = Number(values.sessions);
const quietMs = values.quiet === undefined ? Number.POSITIVE_INFINITY : Number(values.quiet);

const WAIT_MS = 3000;
const HEADINGS = ["agent", "sessions", "answered", "silent", "late", "without a late hook", "load", "bare Node"];
const lines = [HEADINGS, HEADINGS.map(() => "---")].map(row);
process.stdout.write(`${lines.join("\n")}\n`);
for (const host of REAL_HOSTS.filter(({ agent }) => values.only === undefined || agent === values.only)) {
  process.stdout.write(`${row(await measured(host))}\n`);
}
process.exit(0);

async function measured(host: RealHost): Promise<string[]> {
  const folder = installed(host.packageSpec, { scripts: host.scripts ?? false });
  if (folder === undefined) return [host.name, "0", "", "", "", "", "", "the registry cannot be reached"];
  const here = realScene();
  const session = await RealSession.open(host, folder, here);
  const total = { answered: 0, silent: 0, late: 0, punctual: 0 };
  const loads: number[] = [];
  const starts: number[] = [];
  try {
    for (let round = 0; round < sessions; round += 1) {
      starts.push(await quietStart());
      loads.push(loadavg()[0] ?? 0);
      const { outcomes } = await session.begin();
      for (const outcome of ["answered", "silent", "late"] as const) total[outcome] += outcomes[outcome];
      if (outcomes.late === 0 && outcomes.failed === 0) total.punctual += 1;
    }
  } finally {
    await session.close();
    here.home.remove();
  }
  const { answered, silent, late, punctual } = total;
  const counts = [sessions, answered, silent, late, punctual].map(String);
  return [`${host.name} (${host.packageSpec})`, ...counts, median(loads).toFixed(1), `${median(starts).toFixed(0)} ms`];
}

async function quietStart(): Promise<number> {
  for (;;) {
    const slowest = Math.max(bareStart(), bareStart(), bareStart());
    if (slowest <= quietMs) return slowest;
    await sleep(WAIT_MS);
  }
}

function bareStart(): number {
  const begin = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - begin;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
