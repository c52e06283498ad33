/**
 * Usage compared with ccusage on a real home: the same tokens for every day and model of Claude Code and Codex, and the
 * same money except where docs/guide/usage.md explains a difference. Runs only if the shared data is next to the checkout.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKOUT } from "../support/program/checkout.ts";
import { sharedData, TestHome } from "../support/program/dex.ts";
import { installed } from "../support/program/installed.ts";

const CCUSAGE = "ccusage@20.0.20";
const packed = sharedData("data", "dev-home.tar.xz");
const cache = join(CHECKOUT, ".cache");
const devHome = join(cache, "dev-home");
const home = new TestHome({ vars: { DEX_SYNC_HEADLESS: "true" } });

interface Tokens {
  inputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
  outputTokens: number;
  reasoningOutputTokens?: number;
  cost?: number;
}
interface Day {
  date: string;
  /** Claude Code. */
  modelBreakdowns?: (Tokens & { modelName: string })[];
  /** Codex. */
  models?: Record<string, Tokens>;
}
interface Row {
  name: string;
  models: { model: string; tokens: Record<string, number>; cost_usd: number }[];
}

test("the same tokens as ccusage, by day and model", { skip: packed.skip }, async (t) => {
  const folder = installed(CCUSAGE);
  if (folder === undefined) return t.skip("the registry cannot be reached");
  if (!existsSync(join(folder, "../@ccusage")))
    return t.skip("the registry has no program of ccusage for this machine");
  unpackOnce();
  home.json("sync", "--home", devHome);

  for (const [agent, command] of [
    ["claude_code", "claude"],
    ["codex", "codex"],
  ] as const) {
    await t.test(agent, () => {
      const theirs = theirDays(folder, command);
      const ours = ourDays(agent);
      assert.ok(theirs.size > 20, "ccusage found the sessions");
      assert.deepEqual(
        [...ours].map(([key, { tokens }]) => [key, tokens]),
        [...theirs].map(([key, { tokens }]) => [key, tokens]),
      );
    });
  }

  await t.test("the same money, except for large inputs", () => {
    const theirs = theirDays(folder, "claude");
    for (const [key, { cost }] of ourDays("claude_code")) {
      // ccusage applies the higher price only to the tokens above 200,000.
      if (/claude-sonnet-4-(?:2025|5)/.test(key)) continue;
      assert.ok(Math.abs(cost - (theirs.get(key)?.cost ?? 0)) < 0.01, `${key}: ${cost} and ${theirs.get(key)?.cost}`);
    }
  });
});

type Days = Map<string, { tokens: number[]; cost: number }>;

function ourDays(agent: string): Days {
  const args = ["usage", "day", "--agent", agent, "--timezone", "UTC", "--breakdown", "--limit", "10000", "--no-sync"];
  const { rows } = home.json<{ rows: Row[] }>(...args);
  const days = rows.flatMap(({ name, models }) =>
    models.map(({ model, tokens, cost_usd }): [string, { tokens: number[]; cost: number }] => {
      const { input = 0, cache_write = 0, cache_read = 0, output = 0 } = tokens;
      return [`${name} ${model}`, { tokens: [input, cache_write, cache_read, output], cost: cost_usd }];
    }),
  );
  return new Map(days.sort());
}

function theirDays(folder: string, command: string): Days {
  const program = join(folder, "src/cli.js");
  const text = execFileSync(process.execPath, [program, command, "daily", "--json", "--offline"], {
    env: { PATH: process.env.PATH ?? "", HOME: devHome, TZ: "UTC" },
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  const { daily } = JSON.parse(text) as { daily: Day[] };
  const days = daily.flatMap(({ date, modelBreakdowns, models = {} }) => {
    const each = modelBreakdowns ?? Object.entries(models).map(([modelName, tokens]) => ({ modelName, ...tokens }));
    return each.map((row): [string, { tokens: number[]; cost: number }] => [
      `${date} ${row.modelName}`,
      {
        tokens: [row.inputTokens, row.cacheCreationTokens, row.cacheReadTokens, row.outputTokens],
        cost: row.cost ?? 0,
      },
    ]);
  });
  return new Map(days.sort());
}

function unpackOnce(): void {
  if (existsSync(devHome)) return;
  const unpacking = `${devHome}-${process.pid}`;
  mkdirSync(unpacking, { recursive: true });
  execFileSync("tar", ["xJf", packed.path, "-C", unpacking]);
  try {
    renameSync(unpacking, devHome);
  } catch {
    // Another test unpacked it meanwhile.
    rmSync(unpacking, { recursive: true });
  }
}
