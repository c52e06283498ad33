/**
 * The cost of the readers of agents that a person does not have: finding the history of Claude Code and Codex in a home
 * that has only these two, with every reader, over the same with only their readers. Processor time, because the work is
 * short.
 *
 *   node bench/speed/discovery.ts
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SOURCE_IDS } from "../../src/integrations/registry.ts";
import { discoverAll } from "../../src/sync/plan.ts";
import { alternate } from "../lib/measure.ts";
import { differenceRow, type Row } from "../lib/table.ts";

const TWO = ["claude_code", "codex"];
const SESSIONS = 100;
const ROUNDS = 60;
const CALLS = 20;

export async function readersOfAbsentAgents(): Promise<Row> {
  const home = mkdtempSync(join(tmpdir(), "dex-discovery-"));
  try {
    for (let at = 0; at < SESSIONS; at += 1) {
      const id = `0195c2d0-1111-4222-8333-${String(at).padStart(12, "0")}`;
      put(join(home, ".claude/projects", `-srv-${at % 10}`), `${id}.jsonl`);
      put(join(home, ".codex/sessions/2026/03/04"), `rollout-2026-03-04T10-00-00-${id}.jsonl`);
    }
    const env = { home, platform: process.platform, vars: {}, roots: [] };
    const others = SOURCE_IDS.filter((id) => !TWO.includes(id));
    const measure = (excludeSources: readonly string[]) => async (): Promise<number> => {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call += 1) await discoverAll(env, { excludeSources });
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000 / CALLS;
    };
    await alternate(2, measure([]), measure(others));
    const pair = await alternate(ROUNDS, measure([]), measure(others));
    return differenceRow(`finding the history of two agents with ${SOURCE_IDS.length} readers, over two`, pair, 5);
  } finally {
    rmSync(home, { recursive: true });
  }
}

function put(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "{}\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { what, measured } = await readersOfAbsentAgents();
  process.stdout.write(`${what}: ${measured}\n`);
}
