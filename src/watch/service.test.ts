/** The watcher as other parts of dex use it: reported batches, their order, and clock changes. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { until } from "../../test/support/program/watch.ts";
import { temporaryFolder } from "../../test/support/repository.ts";
import type { ChangeBatch } from "../suggest/model.ts";
import { watchProject } from "./service.ts";

interface Running {
  root: string;
  told: ChangeBatch[];
  reports: string[];
  end(): Promise<void>;
}

async function begin(changed: (batch: ChangeBatch) => void | Promise<void> = () => undefined): Promise<Running> {
  const home = temporaryFolder();
  const root = join(home, "project");
  mkdirSync(root);
  writeFileSync(join(root, "a.ts"), "export const a = 1;\n");
  const ending = new AbortController();
  const told: ChangeBatch[] = [];
  const reports: string[] = [];
  let ready = false;
  const watching = watchProject({
    folder: root,
    vars: { ...process.env, HOME: home, DEX_HOME: join(home, ".dex") },
    signal: ending.signal,
    changed: async (batch) => {
      told.push(batch);
      await changed(batch);
    },
    report: (line) => void reports.push(line),
    ready: () => {
      ready = true;
    },
  });
  await until("ready", () => ready);
  const end = (): Promise<void> => {
    ending.abort();
    return watching;
  };
  return { root, told, reports, end };
}

test("a clock that is set back stops nothing", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    const { root, told, end } = await begin();
    mock.timers.setTime(Date.now() - 86_400_000);
    writeFileSync(join(root, "b.ts"), "export const b = 1;\n");
    await until("b.ts", () => told.some(({ changed }) => changed.includes("b.ts")));
    writeFileSync(join(root, "b.ts"), "export const b = 2;\n");
    await until("again", () => told.filter(({ changed }) => changed.includes("b.ts")).length > 1);
    await end();
  } finally {
    mock.timers.reset();
  }
});

test("a slow listener gets batches in order, its error is reported, and the end waits for it", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let finished = 0;
  const { root, told, reports, end } = await begin(async (batch) => {
    if (batch.changed.includes("b.ts")) await held;
    finished += 1;
    if (batch.changed.includes("c.ts")) throw new Error("the listener broke");
  });
  writeFileSync(join(root, "b.ts"), "export const b = 1;\n");
  await until("b.ts", () => told.length === 1);
  writeFileSync(join(root, "c.ts"), "export const c = 1;\n");
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(told.length, 1, "the second waits for the first");
  release();
  await until("c.ts", () => told.length === 2);
  await until("the failure", () => reports.includes("the listener broke"));
  await end();
  assert.equal(finished, 2);
});
