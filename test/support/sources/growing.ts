/**
 * The contract of every source: reading a growing file gives the same as reading it whole, and damage is counted, never
 * thrown.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Source, SourceEnv } from "../../../src/integrations/history/source.ts";
import { between, seeded } from "../random.ts";
import { CollectingSink, readAll } from "./sink.ts";

export function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/**
 * Cuts the file at every line end and in the middle of every line, reads, completes it and resumes; then lets it grow
 * line by line under one sink. Each way must end with the result of a fresh read of the whole.
 */
export function assertGrows(source: Source, env: SourceEnv, path: string, content: string, again = 0): void {
  put(path, content);
  const whole = new CollectingSink();
  readAll(source, env, whole);
  const cuts = cutsOf(content);
  for (const cut of cuts) {
    put(path, content.slice(0, cut));
    const sink = new CollectingSink();
    const states = readAll(source, env, sink);
    put(path, content);
    readAll(source, env, sink, states);
    assert.deepEqual(sink.conversations, whole.conversations, `cut at ${cut}`);
    const before = sink.delivered;
    readAll(source, env, sink, states);
    assert.ok(sink.delivered - before <= again, `${sink.delivered - before} messages delivered without a change`);
  }
  put(path, "");
  const growing = new CollectingSink();
  const states = readAll(source, env, growing);
  for (const cut of cuts) {
    put(path, content.slice(0, cut));
    readAll(source, env, growing, states);
  }
  put(path, content);
  readAll(source, env, growing, states);
  assert.deepEqual(growing.conversations, whole.conversations, "grown line by line");
}

function cutsOf(content: string): number[] {
  const cuts: number[] = [];
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf("\n", start) + 1 || content.length;
    cuts.push(start + Math.floor((end - start) / 2), end - 1, end);
    start = end;
  }
  return cuts;
}

/** Truncates and flips bytes at random: reading the damaged file, fresh and after the intact one, must not throw. */
export function assertSurvives(source: Source, env: SourceEnv, path: string, content: string, rounds = 50): void {
  const random = seeded(20260131);
  for (let round = 0; round < rounds; round += 1) {
    put(path, content);
    const sink = new CollectingSink();
    const states = readAll(source, env, sink);
    const bytes = Buffer.from(content);
    for (let flips = between(random, 0, 12); flips > 0; flips -= 1) {
      bytes[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
    }
    put(path, random() < 0.5 ? bytes : bytes.subarray(0, between(random, 0, bytes.length)));
    readAll(source, env, new CollectingSink());
    readAll(source, env, sink, states);
  }
}
