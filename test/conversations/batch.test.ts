/** Batches: what a plan promises is what `dex show` and `dex message` then answer; what workers wrote is collected. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type * as z from "zod";
import { Dex } from "../../src/dex.ts";
import { batchPlan } from "../../src/operations/batch/plan.ts";
import { list } from "../../src/operations/conversations/list.ts";
import { message as get } from "../../src/operations/conversations/message.ts";
import { show } from "../../src/operations/conversations/show.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { runOperation } from "../../src/operations/run.ts";
import { renderOutput } from "../../src/rendering/registry.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { claudeSession, random, sentence, writeClaudeHistory } from "../support/histories/generate.ts";
import { TestHome } from "../support/program/dex.ts";
import { pick, seeded } from "../support/random.ts";

const home = new TestHome();
const FORMATS = ["full", "stripped", "user_only", "outline"] as const;
const LONG = "99999999-0000-4000-8000-000000000001";
const HUGE = "99999999-0000-4000-8000-000000000002";
const plain = { width: 160, color: false, now: Date.UTC(2026, 10, 1) };
let dex: Dex;

before(async () => {
  writeClaudeHistory(home.home, 5, { sessions: 14, turns: 4, output: 80 });
  const folder = join(home.home, ".claude/projects/-home-sam-work");
  writeFileSync(join(folder, `${LONG}.jsonl`), claudeSession(LONG, random(6), { turns: 120, output: 100 }));
  const huge = claudeSession(HUGE, random(7), { turns: 3 }).replace("turn 1", `turn 1 🙂 ${sentence(random(8), 9000)}`);
  writeFileSync(join(folder, `${HUGE}.jsonl`), huge);
  assert.equal(home.run("sync").status, 0);
  dex = await Dex.open({ vars: { HOME: home.home, DEX_HOME: home.dexHome } });
});
after(() => dex.close());

async function ask<In extends z.ZodObject, Out extends z.ZodType>(
  operation: Operation<In, Out>,
  input: z.input<In>,
): Promise<z.output<Out>> {
  const answer = await runOperation(dex, operation, operation.input.parse(input), { sync: false });
  return answer.output;
}

test("random selections: all of it, nothing twice, every batch fits what reading it costs", async () => {
  const everything = await ask(list, { limit: 1000 });
  const ids = everything.conversations.map(({ id }) => id);
  for (let seed = 1; seed <= 12; seed += 1) {
    const next = seeded(seed);
    const format = pick(next, FORMATS);
    const tokens = pick(next, [2000, 3000, 8000, 30_000, 80_000]);
    const chosen = seed % 3 === 0 ? [] : ids.filter(() => next() < 0.6);
    const input = { format, tokens, ...(chosen.length > 0 ? { ids: chosen } : {}) };
    const plan = await ask(batchPlan, input);
    assert.deepEqual(await ask(batchPlan, input), plan);
    const wanted = (chosen.length > 0 ? chosen : ids).toSorted();
    const covered = new Map<string, string[]>();
    for (const batch of plan.batches) {
      const texts: string[] = [];
      if (batch.ids.length > 0) {
        const shown = await ask(show, { ids: batch.ids, format, max_tokens: tokens });
        assert.equal(shown.skipped_ids, undefined);
        for (const each of shown.conversations) {
          assert.equal(each.truncated, undefined, `${each.id} in ${format} ${tokens}`);
          covered.set(each.id, [...(covered.get(each.id) ?? []), "whole"]);
        }
        texts.push(await renderOutput("show", shown, plain));
      }
      for (const part of batch.parts ?? []) {
        if (part.expand) {
          const shown = await ask(show, { ids: [part.id], format, expand: part.expand, max_tokens: tokens });
          assert.equal(shown.conversations[0]?.truncated, undefined);
          texts.push(await renderOutput("show", shown, plain));
          const { message_index: first, after: more } = part.expand;
          covered.set(part.id, [...(covered.get(part.id) ?? []), `${first}-${first + more}`]);
        } else {
          assert.notEqual(format, "outline");
          const input = { address: part.address ?? "", format: format as "full", chars: part.chars };
          texts.push(await renderOutput("message", await ask(get, input), plain));
          covered.set(part.id, [...(covered.get(part.id) ?? []), `${part.address?.split("#")[1]}:${part.chars}`]);
        }
      }
      const text = texts.join("\n\n");
      assert.ok(estimateTokens(text) <= batch.tokens, `${format} ${tokens}: ${estimateTokens(text)} > ${batch.tokens}`);
      assert.ok(encode(text).length <= tokens, `${format} ${tokens}: really ${encode(text).length}`);
      assert.ok(batch.tokens <= tokens);
    }
    assert.deepEqual([...covered.keys()].toSorted(), wanted);
    for (const [id, parts] of covered) await assertWhole(id, parts, format);
  }
});

/** Either whole and once, or ranges and stretches that follow each other to the end. */
async function assertWhole(id: string, parts: readonly string[], format: (typeof FORMATS)[number]): Promise<void> {
  if (parts.length === 1 && parts[0] === "whole") return;
  const count = (await ask(list, { limit: 1000 })).conversations.find((each) => each.id === id)?.message_count;
  let next = 0;
  for (const [i, part] of parts.entries()) {
    const [range = "", chars] = part.split(":");
    if (chars === undefined) {
      const [first, last] = range.split("-").map(Number);
      assert.equal(first, next, part);
      next = (last ?? 0) + 1;
      continue;
    }
    assert.equal(Number(range), next, part);
    if (parts[i + 1]?.startsWith(`${range}:`)) {
      assert.equal(parts[i + 1]?.split(":")[1]?.split("-")[0], chars.split("-")[1]);
      continue;
    }
    const whole = await ask(get, { address: `${id}#${range}`, format: format as "full" });
    assert.equal(Number(chars.split("-")[1]), whole.message.content.length, "the last stretch ends with the text");
    next = Number(range) + 1;
  }
  assert.equal(next, count, `${id} to its end`);
}

test("a message larger than a batch comes in stretches that make it up again", async () => {
  const plan = await ask(batchPlan, { ids: [HUGE], format: "user_only", tokens: 2000 });
  const stretches = plan.batches.flatMap(({ parts }) => parts ?? []).filter(({ chars }) => chars);
  assert.ok(stretches.length > 4);
  let text = "";
  for (const { address = "", chars } of stretches) {
    text += (await ask(get, { address, format: "user_only", chars })).message.content;
  }
  const whole = await ask(get, { address: stretches[0]?.address ?? "", format: "user_only" });
  assert.equal(text, whole.message.content);
});

test("one batch of a plan, and a plan that is outdated", async () => {
  const plan = home.json<{ plan: string; total_batches: number; batches: unknown[] }>(
    "batch",
    "plan",
    "--tokens",
    "3000",
  );
  const second = home.json<typeof plan>("batch", "plan", "--tokens", "3000", "--batch", "2", "--plan", plan.plan);
  assert.deepEqual(second.batches, plan.batches.slice(1, 2));
  assert.equal(second.total_batches, plan.total_batches);
  const changed = home.run("batch", "plan", "--tokens", "4000", "--plan", plan.plan);
  assert.equal(changed.status, 2);
  assert.match(changed.stderr, /The plan is now [0-9a-f]{12}/);
  assert.match(home.run("batch", "plan", "--batch", "9999").stderr, /There is no batch 9999/);
  assert.match(home.run("batch", "plan", "--tokens", "10").stderr, /--tokens must be 2,000 or more/);
  assert.equal(home.run("batch", "plan", "--project", "nowhere").status, 1);
});

test("the text of a plan names the calls that read its parts", () => {
  const { stdout } = home.run("batch", "plan", LONG, HUGE, "--tokens", "3000", "--format", "user_only");
  const calls = [...stdout.matchAll(/^ {2}dex (.+?) {2}\(/gm)].map(([, call = ""]) => call.split(" "));
  assert.ok(calls.some((call) => call[0] === "show") && calls.some((call) => call[0] === "message"));
  for (const call of [calls.find(([verb]) => verb === "show"), calls.find(([verb]) => verb === "message")]) {
    assert.equal(home.run(...(call ?? [])).status, 0, call?.join(" "));
  }
});

test("results of workers are merged, and broken files are named", () => {
  const folder = join(home.home, "results");
  mkdirSync(folder);
  writeFileSync(join(folder, "1.json"), '{"items":[{"text":"Use tabs","refs":["a#1"]},{"text":"Never push"}]}');
  writeFileSync(join(folder, "2.jsonl"), '{"text":"use tabs.","refs":["b#2"]}\n');
  writeFileSync(join(folder, "3.json"), "{oops");
  const answer = home.run("batch", "collect", "results");
  assert.equal(answer.status, 0, answer.stderr);
  assert.match(answer.stdout, /2× Use tabs \(a#1, b#2\)/);
  assert.match(answer.stdout, /3\.json: holds no JSON results/);
  const merged = home.json<{ items: { count: number; files: string[] }[]; found: number }>(
    "batch",
    "collect",
    "results",
  );
  assert.equal(merged.found, 3);
  assert.equal(merged.items[0]?.files.length, 2);
  const none = home.run("batch", "collect", "nowhere");
  assert.equal(none.status, 2);
  assert.match(none.stderr, /nowhere does not exist/);
  assert.equal(readFileSync(join(folder, "3.json"), "utf8"), "{oops");
});
