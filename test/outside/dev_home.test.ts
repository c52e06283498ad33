/** A real home: the histories of five agents. Runs only if the shared data is next to the checkout. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { CHECKOUT } from "../support/program/checkout.ts";
import { sharedData, TestHome } from "../support/program/dex.ts";

const packed = sharedData("data", "dev-home.tar.xz");
const cache = join(CHECKOUT, ".cache");
const devHome = join(cache, "dev-home");
const home = new TestHome();
/** The shorter conversations of the same home, for the checks that read everything repeatedly. */
const short = new TestHome();
const SHORT_BYTES = 200_000;
/** A real tokenizer reads half a million tokens a second. */
const ENOUGH_TOKENS = 1_500_000;

interface Totals {
  new: number;
  updated: number;
  unchanged: number;
  malformed: number;
  redactions: number;
  bytes: number;
  failed: unknown[];
}

test("real histories of five agents", { skip: packed.skip }, async (t) => {
  unpackOnce();
  const first = home.json<Totals>("sync", "--home", devHome);

  await t.test("every conversation is read, one malformed line is counted", () => {
    assert.deepEqual(first.failed, []);
    assert.equal(first.malformed, 1);
    const { sources } = home.json<{ sources: Record<string, number> }>("stats");
    assert.equal(sources.codex, 75);
    assert.equal(sources.copilot, 12);
    assert.equal(sources.pi, 2);
    // Two of the 207 were started by a program and are left out. Six prompts were typed again: what they replaced is
    // kept as an abandoned branch each.
    assert.equal(sources.claude_code, 205 + 6);
    // 113 exports, several of the same session; sidechains stand by themselves.
    assert.ok((sources.specstory ?? 0) >= 70, String(sources.specstory));
  });

  await t.test("less than one redaction a megabyte: paths, hashes and ids stay", () => {
    const each = first.redactions / (first.bytes / 1e6);
    t.diagnostic(`${first.redactions} redactions in ${Math.round(first.bytes / 1e6)} MB: ${each.toFixed(2)} a MB`);
    assert.ok(each < 1);
  });

  await t.test("a second sync finds nothing new, of changed files or of all of them", () => {
    const again = home.json<Totals>("sync", "--home", devHome);
    assert.equal(again.new + again.updated, 0);
    const filter = (path: string): boolean => !statSync(path).isFile() || statSync(path).size <= SHORT_BYTES;
    cpSync(devHome, short.home, { recursive: true, preserveTimestamps: true, filter });
    const firstOfShort = short.json<Totals>("sync");
    const { sources } = short.json<{ sources: Record<string, number> }>("stats");
    for (const source of ["claude_code", "codex", "copilot", "specstory"]) assert.ok(sources[source], source);
    const full = short.json<Totals>("sync", "--full");
    assert.equal(full.new + full.updated, 0);
    assert.equal(full.unchanged, firstOfShort.new);
  });

  await t.test("tokens are within 5% for a conversation and 2% over all", () => compareTokens(t));

  await t.test("a rebuilt index gives the same answers", () => {
    const questions = readFileSync(sharedData("data", "sessions", "queries.jsonl").path, "utf8")
      .trim()
      .split("\n")
      .filter((_, i) => i % 100 === 0)
      .map((line) => (JSON.parse(line) as { query: string }).query);
    const ask = (): string[] => questions.map((query) => short.run("search", query, "--json", "--no-sync").stdout);
    const before = ask();
    assert.ok(before.some((answer) => (JSON.parse(answer) as { total: number }).total > 0));
    rmSync(join(short.dexHome, "index.db"));
    assert.equal(short.run("reindex").status, 0);
    assert.deepEqual(ask(), before);
  });
});

/** Conversations of every length up to a size, until enough text was counted. */
function compareTokens(t: { diagnostic(message: string): void }): void {
  interface Listed {
    conversations: { id: string; source: string; estimated_tokens: number }[];
  }
  const { conversations } = home.json<Listed>("list", "--limit", "10000", "--no-sync");
  const sample = conversations.filter((each, i) => i % 2 === 0 && each.estimated_tokens < 60_000);
  const errors: number[] = [];
  let estimated = 0;
  let real = 0;
  for (let at = 0; at < sample.length && real < ENOUGH_TOKENS; at += 20) {
    const group = sample.slice(at, at + 20);
    const ids = group.map(({ source, id }) => `${source}:${id}`);
    const shown = home.json<{ conversations: { messages: { content: string }[]; estimated_tokens: number }[] }>(
      "show",
      ...ids,
      "--format",
      "full",
      "--no-sync",
    );
    for (const conversation of shown.conversations) {
      const count = conversation.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
      if (count < 200) continue;
      errors.push(Math.abs(conversation.estimated_tokens - count) / count);
      estimated += conversation.estimated_tokens;
      real += count;
    }
  }
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const overall = Math.abs(estimated - real) / real;
  t.diagnostic(
    `${errors.length} conversations, ${real} tokens: mean error ${percent(mean)}, in sum ${percent(overall)}`,
  );
  assert.ok(errors.length > 60);
  assert.ok(mean < 0.05, percent(mean));
  assert.ok(overall < 0.02, percent(overall));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}

function unpackOnce(): void {
  if (existsSync(devHome)) return;
  const partial = `${devHome}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  execFileSync("tar", ["xJf", packed.path, "-C", partial]);
  renameSync(partial, devHome);
}
