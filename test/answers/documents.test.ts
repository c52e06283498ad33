/** Documentation from the built program: finding, reading, budgets, and a scope that nothing leaves. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { TestHome } from "../support/program/dex.ts";
import { StdioClient } from "../support/servers/mcp.ts";

const home = new TestHome({ samples: true });
const project = join(home.home, "project");

const STREAMING = `---
description: Tokens as they are generated
---
# Streaming

Answers can be streamed instead of waiting for all of them.

## Setup

Install the package \`streamer\` and create a client.

\`\`\`ts
# not a heading
const client = createClient({ retries: 3 });
\`\`\`

## Reading a stream

Call \`stream()\` and read the iterator. The words arrive as they are generated.

### Errors

A broken connection throws StreamError. Retry with exponential back-off, at most five times.

## Testing

### Setup

Use the fake server of the test kit.
`;

const CACHE = `# Caching

Answers are kept in an LRU cache for one hour.

## Eviction

The entry that was used least recently leaves first. Configure \`cache.maxEntries\` to keep more.
`;

const RETRY = `# Network failures

## Retrying

Requests that fail because of a broken connection are tried again with exponential back-off, five times at most.
`;

const SECRET = `# Zebra plan

## Streaming zebras

The zebra launch streams tokens with a broken connection and exponential back-off. The password is hunter-zebra.
`;

const FORMS = `# Dusk

## North

A lantern is glimmering there.

## South

A lantern has glimmered there.
`;

const LONG = `# Long\n\n${Array.from({ length: 400 }, (_, i) => `## Part ${i}\n\nSentence number ${i} about quaternions and their rotation.\n`).join("\n")}`;

/** A folder of Markdown, and a project around it that names it. */
function makeDocs(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function declare(at: string, name: string, url: string): void {
  mkdirSync(join(at, ".git"), { recursive: true });
  writeFileSync(join(at, "context.json"), JSON.stringify({ collections: { [name]: { url } } }));
}

before(() => {
  const other = join(home.home, "other");
  makeDocs(join(project, "docs"), {
    "guides/streaming.md": STREAMING,
    "guides/cache.md": CACHE,
    "long.md": LONG,
  });
  makeDocs(join(home.home, "handbook"), { "network.md": RETRY });
  makeDocs(join(other, "docs"), { "plan.md": SECRET, "guides/cache.md": SECRET });
  declare(project, "manual", "file://./docs");
  declare(other, "secrets", "file://./docs");
  assert.equal(home.run("sync").status, 0);
  for (const cwd of [other, project]) {
    home.cwd = cwd;
    if (cwd === project)
      assert.equal(home.run("docs", "add", "handbook", join(home.home, "handbook"), "--global").status, 0);
    const synced = home.run("docs", "sync");
    assert.equal(synced.status, 0, synced.stderr);
  }
});
after(() => server?.end());

/** One server for all tests that only need its answers. */
let server: StdioClient | undefined;
async function documentsServer(): Promise<StdioClient> {
  server ??= await StdioClient.greeted(home, "--tools", "documents");
  return server;
}

interface Passage {
  id: string;
  collection: string;
  document: string;
  section: string;
  snippet: string;
  score_final: number;
}
interface Passages {
  results: Passage[];
  total: number;
  truncated?: { results: number; tokens: number };
}

test("a question finds the section that answers it, from the project and the global collections", () => {
  const found = home.json<Passages>("docs", "search", "what to do after a broken connection");
  assert.deepEqual(
    new Set(found.results.slice(0, 2).map(({ id }) => id)),
    new Set([
      "manual:guides/streaming.md#streaming/reading-a-stream/errors",
      "handbook:network.md#network-failures/retrying",
    ]),
  );
  const narrowed = home.json<Passages>("docs", "search", "broken connection", "-c", "handbook");
  assert.deepEqual(new Set(narrowed.results.map(({ collection }) => collection)), new Set(["handbook"]));
  const quoted = home.json<Passages>("docs", "search", '"used least recently"');
  assert.deepEqual(
    quoted.results.map(({ section }) => section),
    ["caching/eviction"],
  );
  const text = home.run("docs", "search", "eviction", "--explain").stdout;
  assert.match(text, /manual:guides\/cache\.md#caching\/eviction/);
  assert.match(text, /evict \d+\.\d+ \(in 1 passage/);
  const full = home.json<Passages>("docs", "search", "eviction", "--full", "--limit", "1");
  assert.equal(full.results[0]?.snippet, CACHE.split("\n").at(-2));
});

test("a search where nothing is indexed says so", () => {
  const bare = new TestHome();
  const { stdout, status } = bare.run("docs", "search", "anything");
  assert.equal(status, 1);
  assert.match(stdout, /^Nothing found\. No documentation is indexed here; `dex docs add` adds some\.$/m);
  const folder = join(bare.home, "docs");
  makeDocs(folder, { "a.md": "# One\n\nanything\n" });
  bare.run("docs", "add", "handbook", folder);
  rmSync(join(bare.home, ".dex", "documents.db"));
  const missing = bare.run("docs", "search", "anything").stdout;
  assert.match(missing, /None of the collections here is indexed; `dex docs sync` indexes them\.$/m);
  bare.run("docs", "sync");
  assert.match(bare.run("docs", "search", "anything").stdout, /handbook/);
});

test("of passages that are alike, the one with the word as typed comes first, and the explanation adds up", () => {
  const folder = join(home.home, "dusk");
  makeDocs(folder, { "dusk.md": FORMS });
  assert.equal(home.run("docs", "add", "dusk", folder, "--global").status, 0);
  for (const [word, section] of [
    ["glimmering", "dusk/north"],
    ["glimmered", "dusk/south"],
  ] as const) {
    const { results } = home.json<Passages>("docs", "search", word, "--mode", "lexical");
    assert.deepEqual([results.length, results[0]?.section], [2, section]);
  }
  const { stdout } = home.run("docs", "search", "glimmered", "--mode", "lexical", "--explain", "--limit", "1");
  const [, score, words, form] =
    /score (\S+) = \S+ \(words (\S+), likeness none\) \+ (\S+) \(the words as typed\)/.exec(stdout) ?? [];
  assert.ok(Math.abs(Number(words) + Number(form) - Number(score)) < 0.02, stdout);
  assert.equal(home.run("docs", "remove", "dusk").status, 0);
});

test("modes, and words that are nearly right", () => {
  for (const mode of ["lexical", "vector", "hybrid"]) {
    const { results } = home.json<Passages>("docs", "search", "least recently used entry", "--mode", mode);
    assert.equal(results[0]?.section, "caching/eviction", mode);
  }
  const wrong = home.json<{ did_you_mean: string[] }>("docs", "search", "quaternoins", "--mode", "lexical");
  assert.deepEqual(wrong.did_you_mean, ["quaternions"]);
  assert.equal(home.run("docs", "search", "xylophone", "--mode", "lexical").status, 1);
  assert.match(home.run("docs", "search", "...").stderr, /no word in the query/);
});

test("several questions at once give each passage once", () => {
  const found = home.json<{ results: (Passage & { queries: number[] })[]; queries: { total: number }[] }>(
    "docs",
    "search-batch",
    "broken connection",
    "exponential back-off",
    "cache eviction",
  );
  const ids = found.results.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(found.queries.length, 3);
  const errors = found.results.find(({ section }) => section.endsWith("/errors"));
  assert.deepEqual(errors?.queries, [0, 1]);
  assert.ok(ids.slice(0, 3).includes("manual:guides/cache.md#caching/eviction"), "each query's best comes first");
});

test("related passages are of other documents and about the same", () => {
  const found = home.json<Passages & { to: string }>(
    "docs",
    "related",
    "streaming.md#streaming/reading-a-stream/errors",
  );
  assert.equal(found.to, "manual:guides/streaming.md#streaming/reading-a-stream/errors");
  assert.equal(found.results[0]?.id, "handbook:network.md#network-failures/retrying");
  assert.ok(found.results.every(({ document }) => document !== "guides/streaming.md"));
  const same = home.json<Passages>("docs", "related", "streaming.md", "--chunk", "1", "--same-document");
  assert.ok(same.results.some(({ document }) => document === "guides/streaming.md"));
  assert.match(home.run("docs", "related", "streaming.md", "--chunk", "99").stderr, /no passage 99/);
});

test("the outline is exact, and its addresses lead to sections", async () => {
  const { sections } = home.json<{ sections: { section: string; heading: string; total_tokens: number }[] }>(
    "docs",
    "outline",
    "streaming.md",
  );
  assert.deepEqual(sections.map(({ heading }) => heading).filter(Boolean), [
    "Streaming",
    "Setup",
    "Reading a stream",
    "Errors",
    "Testing",
    "Setup",
  ]);
  const client = await documentsServer();
  for (const { section, heading } of sections.filter((each) => each.heading !== "")) {
    const { structuredContent } = await client.call("documents_get_section", { document: "streaming.md", section });
    assert.equal(structuredContent?.section, section);
    assert.match(String(structuredContent?.text), new RegExp(`^#+ ${heading}\n`));
  }
  const below = home.json<{ text: string }>("docs", "section", "streaming.md", "Reading a stream");
  assert.match(below.text, /### Errors/);
  const alone = home.json<{ text: string }>(
    "docs",
    "section",
    "streaming.md#streaming/reading-a-stream",
    "--include-subsections=false",
  );
  assert.doesNotMatch(alone.text, /### Errors/);
  const ambiguous = home.run("docs", "section", "streaming.md", "Setup");
  assert.equal(ambiguous.status, 2);
  assert.match(ambiguous.stderr, /streaming\/setup .*\n.*streaming\/testing\/setup/);
  assert.match(
    home.run("docs", "section", "streaming.md", "Situp").stderr,
    /no section "Situp".*\nDid you mean .*setup/,
  );
});

test("a document is read by path, end of path, title or address, and on from a line", async () => {
  const client = await documentsServer();
  for (const document of ["guides/cache.md", "cache.md", "Caching", "manual:guides/cache.md", "./guides/cache.md"]) {
    const { structuredContent } = await client.call("documents_get_document", { document });
    assert.equal(structuredContent?.text, CACHE, document);
  }
  assert.equal(home.json<{ text: string }>("docs", "show", "Caching").text, CACHE);
  const first = home.json<{ text: string; truncated: { next_line: number } }>(
    "docs",
    "show",
    "long.md",
    "--max-tokens",
    "500",
  );
  const next = String(first.truncated.next_line);
  const second = home.json<{ text: string; first_line: number }>("docs", "show", "long.md", "--from-line", next);
  assert.ok(LONG.startsWith(`${first.text}\n${second.text.slice(0, 500)}`), "nothing is lost between the two");
  const section = home.run("docs", "show", "cache.md#eviction").stdout;
  assert.match(section, /used least recently/);
  assert.doesNotMatch(section, /LRU/);
  assert.match(home.run("docs", "show", "long.md", "--from-line", "99999").stderr, /no line 99999/);
  const listed = home.json<{ documents: { document: string }[]; total: number }>("docs", "documents", "--limit", "2");
  assert.deepEqual([listed.documents.length, listed.total], [2, 4]);
  const { collections } = home.json<{ collections: { name: string; documents: number }[] }>("docs", "list");
  assert.deepEqual(
    collections.map(({ name, documents }) => [name, documents]),
    [
      ["manual", 3],
      ["handbook", 1],
    ],
  );
});

test("one list of conversations and documents, each relative to the best of its kind", () => {
  interface Mixed {
    results: { kind: string; id: string; relative?: number; message_index: number }[];
    total: number;
    totals?: { conversations: number; passages: number; definitions: number };
  }
  const only = home.json<Mixed>("search", "retry tokens", "--in", "documents");
  assert.ok(only.results.length > 0 && only.results.every(({ kind }) => kind === "document"));
  const conversations = home.json<Mixed>("search", "retry tokens");
  assert.ok(conversations.results.length > 0 && conversations.results.every(({ kind }) => kind === "conversation"));
  const all = home.json<Mixed>("search", "retry tokens", "--in", "all", "--limit", "100");
  assert.equal(all.total, only.total + conversations.total);
  assert.deepEqual(all.totals, { conversations: conversations.total, passages: only.total, definitions: 0 });
  assert.deepEqual(
    all.results.slice(0, 2).map(({ kind }) => kind),
    ["conversation", "document"],
  );
  for (const kind of ["conversation", "document"]) {
    const own = all.results.filter((each) => each.kind === kind);
    const alone = kind === "document" ? only.results : conversations.results;
    assert.equal(own[0]?.relative, 1);
    assert.deepEqual(
      own.slice(0, alone.length).map(({ id }) => id),
      alone.map(({ id }) => id),
    );
  }
  const weights = all.results.map(({ kind, relative = 0 }, i) => {
    const before = all.results.slice(0, i).filter((each) => each.kind === kind).length;
    return relative / (1 + 0.15 * before);
  });
  assert.ok(
    weights.every((weight, i) => i === 0 || weight <= (weights[i - 1] ?? 0)),
    "a result counts less the more of its kind come before it",
  );
  const page = home.json<Mixed>("search", "retry tokens", "--in", "all", "--limit", "2", "--offset", "1");
  assert.deepEqual(
    page.results.map(({ id }) => id),
    all.results.slice(1, 3).map(({ id }) => id),
  );
  assert.match(home.run("search", "x", "--in", "documents", "--role", "user").stderr, /--role filters conversations/);
  const shown = home.run("search", "retry tokens", "--in", "all", "--limit", "1").stdout;
  assert.match(shown, /1 of \d+ conversations? with .*; \d+ passages?$/m, "no kind is counted as another");
  assert.match(home.run("search", "retry tokens", "--in", "all").stdout, /manual:|handbook:/);
});

test("ranks of documents are explained, alone and in one list", () => {
  interface Explained {
    results: {
      kind: string;
      score_final: number;
      explain?: {
        best_messages: { part: number }[];
        evidence: { part: number }[];
        terms: { term: string; messages: number; share: number }[];
      };
    }[];
    dropped?: { id: string; reason: string }[];
  }
  for (const where of ["documents", "all"]) {
    const { results, dropped } = home.json<Explained>("search", "cache entries", "--in", where, "--explain");
    const documents = results.filter(({ kind }) => kind === "document");
    assert.ok(documents.length > 0);
    for (const { explain, score_final } of documents) {
      const parts = [...(explain?.best_messages ?? []), ...(explain?.evidence ?? [])].map(({ part }) => part);
      assert.ok(Math.abs(parts.reduce((sum, part) => sum + part, 0) - score_final) < 0.002);
      assert.ok((explain?.terms.length ?? 0) > 0);
    }
    assert.ok(Array.isArray(dropped));
  }
  const shown = home.run("search", "cache entries", "--in", "documents", "--explain").stdout;
  assert.match(shown, /score [\d.]+ = [\d.]+ of its best passage \+ [\d.]+ \(the words as typed\)\n/);
  assert.match(shown, /cach [\d.]+ \(in \d+ passages?, weight/);
});

test("the same call gives the same answer", () => {
  for (const args of [
    ["docs", "search", "streams of tokens and rotation"],
    ["docs", "search-batch", "tokens", "rotation"],
    ["docs", "related", "long.md"],
    ["search", "tokens", "--in", "all"],
  ]) {
    assert.deepEqual(home.json(...args), home.json(...args));
  }
});

test("budgets hold, counted by a real tokenizer", async () => {
  const client = await documentsServer();
  const calls: [string, object][] = [
    ["documents_search", { query: "quaternions rotation", limit: 50 }],
    ["documents_search", { query: "quaternions rotation", limit: 50, full: true, explain: true }],
    ["documents_search_batch", { queries: ["quaternions", "streaming", "sentence"], limit: 20 }],
    ["documents_find_related", { document: "long.md", chunk: 1, same_document: true, limit: 50 }],
    ["documents_list_documents", {}],
    ["documents_get_outline", { document: "long.md" }],
    ["documents_get_document", { document: "long.md" }],
    ["documents_get_section", { document: "long.md", section: "Long" }],
  ];
  for (const [name, input] of calls) {
    for (const max_tokens of [150, 600, 3000]) {
      const { content, isError } = await client.call(name, { ...input, max_tokens });
      const text = content[0]?.text ?? "";
      assert.notEqual(isError, true, text);
      assert.ok(countTokens(text) <= max_tokens, `${name} ${max_tokens}: ${countTokens(text)}`);
      if (max_tokens === 3000 && name !== "documents_list_documents") {
        assert.ok(countTokens(text) > 1500, `${name} leaves most of its budget unused: ${countTokens(text)}`);
      }
    }
  }
});

const ESCAPES = [
  "secrets",
  "secrets:plan.md",
  "plan.md",
  "Zebra plan",
  "../other/docs/plan.md",
  "../../other/docs/plan.md",
  "' OR '1'='1",
  '"; DROP TABLE documents; --',
  '"],["',
  "%",
  "*",
  "plan.md#zebra-plan/streaming-zebras",
];

function namesOf(list: unknown): string[] {
  assert.ok(Array.isArray(list));
  return list.map(({ name }: { name: string }) => name);
}

async function tryToEscape(client: StdioClient, secret: RegExp): Promise<void> {
  const calls: [string, (text: string) => object][] = [
    ["documents_search", (text) => ({ query: `${text} zebra hunter`, explain: true, limit: 100 })],
    ["documents_search", (text) => ({ query: "zebra streams", collections: [text] })],
    [
      "documents_search",
      (text) => ({
        query: "zebr huntr",
        mode: "lexical",
        limit: 100,
        full: true,
        collections: text === "%" ? [] : [text],
      }),
    ],
    ["documents_search", (text) => ({ query: `"${text}"`, mode: "vector", limit: 100, explain: true })],
    ["documents_search_batch", (text) => ({ queries: [text, "zebra"].filter((each) => /\w/.test(each)), full: true })],
    ["documents_find_related", (text) => ({ document: text })],
    ["documents_find_related", (text) => ({ document: "network.md", collections: [text], same_document: true })],
    ["documents_list_documents", (text) => ({ collections: [text] })],
    ["documents_get_outline", (text) => ({ document: text })],
    ["documents_get_outline", (text) => ({ document: "plan.md", collection: text })],
    ["documents_get_section", (text) => ({ document: text, section: "Streaming zebras" })],
    ["documents_get_document", (text) => ({ document: text })],
    ["documents_get_document", (text) => ({ document: "guides/cache.md", collection: text })],
    ["dex_search", (text) => ({ query: `${text} zebra`, in: "all", limit: 100, explain: true })],
    ["dex_search", (text) => ({ query: `${text} zebra`, in: "documents", limit: 100 })],
  ];
  for (const way of ESCAPES) {
    for (const [name, input] of calls) {
      const { content, structuredContent = {} } = await client.call(name, input(way));
      // An answer may repeat the question, but reveal nothing else about the path.
      const said = `${content[0]?.text} ${JSON.stringify(structuredContent)}`
        .replaceAll(way, "")
        .replaceAll(/No conversation contains: [\w, ]+\./g, "")
        .replaceAll(JSON.stringify(way).slice(1, -1), "");
      assert.doesNotMatch(said, secret, `${name} ${JSON.stringify(input(way))}`);
    }
  }
}

test("other projects' collections do not exist here, whatever is asked", async (t) => {
  const client = await StdioClient.greeted(home, "--tools", "all");
  t.after(() => client.end());
  await tryToEscape(client, /hunter-|launch streams|other\/docs|"secrets"|Zebra/);
  const { structuredContent } = await client.call("documents_search", { query: "broken connection" });
  assert.ok(Number(structuredContent?.total) > 0);
});

test("a server limited by -c or --no-global sees nothing else", async (t) => {
  const OTHERS = /StreamError|quaternion|LRU|manual:|guides\/|hunter-|Zebra/;
  const handbook = await StdioClient.greeted(home, "-c", "handbook", "--tools", "all");
  t.after(() => handbook.end());
  await tryToEscape(handbook, OTHERS);
  const direct: [string, object, string | undefined][] = [
    ["documents_search", { query: "quaternions streaming cache", limit: 100 }, undefined],
    ["documents_search", { query: "streaming", collections: ["manual"] }, "unknown_collection"],
    ["documents_search", { query: "streaming", collections: ["handbook", "manual"] }, "unknown_collection"],
    ["documents_list_documents", { collections: ["manual"] }, "unknown_collection"],
    ["documents_get_document", { document: "manual:guides/cache.md" }, "unknown_document"],
    ["documents_get_document", { document: "guides/cache.md" }, "unknown_document"],
    ["documents_get_section", { document: "cache.md#eviction" }, "unknown_document"],
    ["documents_find_related", { document: "guides/streaming.md" }, "unknown_document"],
    ["documents_find_related", { document: "network.md", collections: ["manual"] }, "unknown_collection"],
    ["documents_find_related", { document: "network.md" }, undefined],
    ["documents_list_collections", {}, undefined],
  ];
  for (const [name, input, code] of direct) {
    const result = await handbook.call(name, input);
    assert.equal(result._meta?.["dex/error"]?.code, code, `${name} ${JSON.stringify(input)}`);
    assert.doesNotMatch(`${JSON.stringify(result.structuredContent)}`, OTHERS);
  }
  const both = await handbook.call("dex_search", { query: "broken connection", in: "all", limit: 100 });
  const kinds = (both.structuredContent?.results ?? []) as { kind: string; collection?: string }[];
  assert.ok(kinds.some(({ kind }) => kind === "document"));
  assert.ok(kinds.every(({ kind, collection }) => kind === "conversation" || collection === "handbook"));

  const local = await StdioClient.greeted(home, "--no-global");
  t.after(() => local.end());
  const { structuredContent } = await local.call("documents_list_collections");
  assert.deepEqual(namesOf(structuredContent?.collections), ["manual"]);
  const network = await local.call("documents_search", { query: "broken connection", limit: 100 });
  assert.doesNotMatch(JSON.stringify(network.structuredContent), /handbook|network\.md/);
  const { result } = await local.request("tools/list");
  const names = namesOf(result?.tools);
  assert.ok(!names.includes("dex_search"), "who limits documents did not ask for conversations");

  const unknown = home.run("serve", "-c", "handbok");
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /no collection "handbok" here.*\nDid you mean handbook\?/);
  assert.equal(
    home.run("serve", "--no-global", "-c", "handbook").status,
    2,
    "a global one is not there without globals",
  );
});

test("a project's file that nobody trusts lends no name to what others fetched", () => {
  const evil = join(home.home, "evil");
  mkdirSync(evil);
  declare(evil, "stolen", join(home.home, "other/docs"));
  home.cwd = evil;
  try {
    assert.equal(home.json<Passages>("docs", "search", "zebra launch").total, 0);
    assert.match(home.run("serve", "-c", "stolen").stderr, /outside the project/);
    assert.match(home.run("docs", "show", "stolen:plan.md").stderr, /No collection here has a document/);
  } finally {
    home.cwd = project;
  }
});

test("traces tell of searches over documents as of any other", () => {
  home.json("docs", "search", "cache eviction", "--limit", "3");
  const { traces } = home.json<{ traces: { trace_id: string; command: string; query: string }[] }>("traces");
  const last = traces.findLast(({ command }) => command === "docs search");
  assert.equal(last?.query, "cache eviction");
  assert.match(home.run("trace", last?.trace_id ?? "").stdout, /manual:guides\/cache\.md#caching\/eviction/);
});

test("a collection that is removed under a running server is gone, and said to be", async () => {
  const client = await documentsServer();
  const before = await client.call("documents_search", { query: "broken connection", collections: ["handbook"] });
  assert.equal(before.structuredContent?.total, 1);
  assert.equal(home.run("docs", "remove", "handbook").status, 0);
  const after = await client.call("documents_search", { query: "broken connection", collections: ["handbook"] });
  assert.equal(after._meta?.["dex/error"]?.code, "unknown_collection");
  const rest = await client.call("documents_search", { query: "broken connection" });
  assert.doesNotMatch(JSON.stringify(rest.structuredContent), /handbook/);
});

test("dex names a damaged index of documents, and rebuilds it", () => {
  const path = join(home.dexHome, "documents.db");
  const before = home.json<Passages>("docs", "search", "cache eviction");
  writeFileSync(path, "this is not a database, whatever its name says. ".repeat(1000));
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  const failed = home.run("docs", "search", "cache eviction");
  assert.equal(failed.status, 2);
  assert.match(failed.stderr, /documents\.db is damaged\.\nRun `dex doctor --fix`/);
  assert.equal(home.run("search", "tokens").status, 0, "conversations are found all the same");
  assert.equal(home.run("reindex").status, 0);
  assert.deepEqual(home.json<Passages>("docs", "search", "cache eviction"), before);
});
