/** `dex serve` over stdio, message by message. */
import assert from "node:assert/strict";
import { appendFileSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { INITIALIZED_VERSIONS } from "../../src/mcp/offer.ts";
import { makeTools } from "../../src/mcp/tools/tools.ts";
import { TOOLSETS } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/registry.ts";
import { findToolVerbs } from "../../src/operations/toolsets.ts";
import { CallRunner } from "../../src/serving/calls/call_runner.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { TestHome } from "../support/program/dex.ts";
import { until } from "../support/program/watch.ts";
import { INITIALIZE, MODERN_META, type Reply, StdioClient } from "../support/servers/mcp.ts";

const DEFAULT_SET = 1500;
const ANY_SET = 2500;

const home = new TestHome({ samples: true });
let client: StdioClient;
let id: string;

before(async () => {
  assert.equal(home.run("sync").status, 0);
  id = home.json<{ conversations: { id: string }[] }>("list").conversations[0]?.id ?? "";
  client = await StdioClient.greeted(home);
});
after(() => client.end());

interface Definition {
  name: string;
  description: string;
  inputSchema: { type: string; properties?: Record<string, unknown> };
  outputSchema?: { type: string };
  annotations: { readOnlyHint?: boolean };
}

async function definitions(from: StdioClient): Promise<Definition[]> {
  const { result } = await from.request("tools/list");
  return result?.tools as Definition[];
}

test("the default set is the tools for conversations, with schemas on both sides", async () => {
  const tools = await definitions(client);
  const names = new Set(tools.map(({ name }) => name));
  const expected = "__IMPORTANT dex_get dex_list dex_read dex_scan dex_search dex_stats dex_timeline";
  for (const name of expected.split(" ")) assert.ok(names.has(name), name);
  for (const tool of tools) {
    assert.ok(tool.description.length > 10, tool.name);
    assert.equal(tool.inputSchema.type, "object");
    if (expected.includes(tool.name)) assert.equal(tool.annotations.readOnlyHint, true);
    if (tool.name !== "__IMPORTANT") assert.equal(tool.outputSchema?.type, "object");
  }
  const get = tools.find(({ name }) => name === "dex_get");
  assert.deepEqual(Object.keys(get?.inputSchema.properties ?? {}), ["ids", "format", "expand", "max_tokens"]);
});

test("every set of definitions keeps to its budget of tokens", async () => {
  for (const set of ["", ...TOOLSETS]) {
    const sets = set === "" ? [] : ["--tools", set];
    const server = await StdioClient.greeted(home, ...sets, "--structured", "lines");
    const { result } = await server.request("tools/list");
    const text = JSON.stringify(result);
    const most = set === "" || set === "conversations" ? DEFAULT_SET : ANY_SET;
    assert.ok(countTokens(text) < most, `${set}: ${countTokens(text)} tokens`);
    assert.ok(estimateTokens(text) < most, `${set}: ${estimateTokens(text)} tokens, estimated`);
    await server.end();
  }
});

test("all sets together are all operations that name a set", async () => {
  const server = await StdioClient.greeted(home, "--tools=all");
  const verbs = Object.keys(await findToolVerbs());
  const names = await Promise.all(verbs.map(async (verb) => (await OPERATIONS[verb]?.())?.name));
  const tools = await definitions(server);
  assert.deepEqual(tools.map(({ name }) => name).sort(), ["__IMPORTANT", ...names].sort());
  await server.end();
});

test("a session begins with the same answers whether the protocol library gives them or not", async () => {
  const lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list", "ping"];
  const begin = async (greeting: object): Promise<unknown[]> => {
    const server = new StdioClient(home, "--tools", "all", "--structured", "lines");
    const answers = [await server.request("initialize", greeting)];
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const method of lists) answers.push(await server.request(method, {}));
    await server.end();
    assert.equal(server.stderr, "");
    assert.equal(server.lines.length, answers.length, "each request is answered once");
    return answers.map(({ result }) => result);
  };
  assert.deepEqual(
    [...INITIALIZED_VERSIONS].sort(),
    SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < "2026").sort(),
  );
  for (const protocolVersion of [INITIALIZED_VERSIONS[0], INITIALIZED_VERSIONS.at(-1)]) {
    const greeting = { ...INITIALIZE, protocolVersion };
    // The library answers a greeting with metadata, and everything after it.
    const [quick, library] = await Promise.all([begin(greeting), begin({ ...greeting, _meta: {} })]);
    assert.deepEqual(quick, library);
  }
  const runner = new CallRunner({});
  const derived = await makeTools(new Set(TOOLSETS), runner, "lines");
  const [, listed] = await begin(INITIALIZE);
  assert.deepEqual(listed, { tools: JSON.parse(JSON.stringify(await derived.definitions())) });
  runner.close();
});

test("calls behind the opening are answered in order, also when stdin closes at once", async () => {
  const server = new StdioClient(home, "--structured", "lines");
  server.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  server.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  server.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "dex_stats", arguments: {} } });
  assert.equal(await server.end(), 0);
  assert.deepEqual(
    server.lines.map((line) => (JSON.parse(line) as Reply).id),
    [1, 2, 3],
  );
});

test("a wrong set, flag or port is refused with the nearest right one", () => {
  const cases: [string[], RegExp][] = [
    [["--tools", "conversation"], /did you mean conversations/],
    [["--prot", "1"], /Did you mean --port/],
    [["--port", "99999"], /--port must be at most 65,535/],
    [["--port"], /--port needs a value/],
    [["now"], /"now" is one argument too many/],
  ];
  for (const [args, says] of cases) {
    const answer = home.run("serve", ...args);
    assert.equal(answer.status, 2);
    assert.match(answer.stderr, says);
    assert.equal(answer.stdout, "");
  }
});

test("structured content equals the output of --json; the text beside it is plain and short", async () => {
  const calls: [string, object, string[]][] = [
    ["dex_stats", {}, ["stats"]],
    ["dex_list", { limit: 3 }, ["list", "--limit", "3"]],
    ["dex_search", { query: "refresh tokens", limit: 2 }, ["search", "refresh tokens", "--limit", "2"]],
    ["dex_get", { ids: [id], format: "outline" }, ["show", id, "--format", "outline"]],
    [
      "dex_get",
      { ids: [id], expand: { message_index: 2 }, max_tokens: 500 },
      ["show", id, "--expand", "2", "--max-tokens", "500"],
    ],
    ["dex_timeline", { anchor: `${id}#3` }, ["timeline", `${id}#3`]],
    ["dex_scan", { id }, ["scan", id]],
    ["dex_read", { id, indices: "0-2" }, ["read", id, "0-2"]],
  ];
  for (const [name, input, args] of calls) {
    const result = await client.call(name, input);
    assert.equal(result.isError, undefined, JSON.stringify(result));
    const printed = home.json(...args);
    assert.deepEqual(result.structuredContent, printed, name);
    const text = result.content[0]?.text ?? "";
    assert.ok(text.includes(id.slice(0, 8)) || text.length > 40, text);
    assert.doesNotMatch(text, /\p{Cc}(?<![\t\n])|^[{[]/u, name);
    assert.ok(estimateTokens(text) < estimateTokens(JSON.stringify(printed)), `${name}: text costs more than JSON`);
  }
});

test("max_tokens holds for the text that the agent reads, counted by a real tokenizer", async () => {
  const { conversations } = home.json<{ conversations: { id: string; message_count: number }[] }>("list");
  for (const { id, message_count } of conversations) {
    for (const max_tokens of [150, 400, 1200]) {
      const calls: [string, object][] = ["full", "stripped", "user_only", "outline"].map((format) => [
        "dex_get",
        { ids: [id], format, max_tokens },
      ]);
      calls.push(["dex_get", { ids: conversations.map((each) => each.id), max_tokens }]);
      calls.push(["dex_search", { query: "the tests of it", max_tokens }]);
      calls.push(["dex_read", { id, indices: `0-${message_count - 1}`, max_tokens }]);
      for (const [name, input] of calls) {
        const { content } = await client.call(name, input);
        const tokens = countTokens(content[0]?.text ?? "");
        assert.ok(tokens <= max_tokens, `${name} ${JSON.stringify(input)}: ${tokens} tokens`);
      }
    }
  }
});

test("a tool whose budget has another name takes max_tokens, too", async () => {
  const all = new CallRunner(home.env);
  const tools = await makeTools(new Set(["memory"] as const), all, "lines");
  const limited = await tools.call("dex_handoff", { id, max_tokens: 150 }, {});
  assert.equal(limited.isError, undefined, JSON.stringify(limited.content));
  all.close();
});

test("__IMPORTANT says how to work", async () => {
  const { content } = await client.call("__IMPORTANT");
  const text = content[0]?.text ?? "";
  for (const word of ["dex_search", "dex_timeline", "outline", "dex_get", "max_tokens"]) assert.ok(text.includes(word));
  assert.ok(countTokens(text) < 500);
});

test("mistakes are results that name the correct input", async () => {
  const cases: [string, object, string, RegExp][] = [
    ["dex_search", { qury: "x" }, "unknown_parameter", /no parameter "qury".*Did you mean query\?/s],
    ["dex_get", { ids: [id], expand: { befor: 1 } }, "unknown_parameter", /"expand.befor".*before/s],
    ["dex_search", {}, "missing_parameter", /needs query/],
    ["dex_list", { limit: "many" }, "bad_parameter", /limit/],
    ["dex_search", { query: "x", role: "usr" }, "bad_parameter", /role cannot be "usr".*Did you mean user\?/s],
    ["dex_list", { project: "x".repeat(1 << 20) }, "unknown_project", /^.{0,600}$/s],
    ["dex_list", { limit: -1 }, "bad_parameter", /must not be negative/],
    ["dex_list", { limit: 100_001 }, "bad_parameter", /limit: must be at most [\d,]+\./],
    ["dex_timeline", { anchor: `${id}#1`, before: 100_000 }, "bad_parameter", /before: must be at most [\d,]+\./],
    ["dex_get", { ids: ["ffffffff"] }, "unknown_id", /no conversation "ffffffff".*dex_list and dex_search show ids/s],
    ["dex_timeline", { anchor: id }, "bad_address", /names a conversation, not a message/],
    ["dex_search", { query: "x", session: "current" }, "no_session", /session/],
  ];
  for (const [name, input, code, says] of cases) {
    const result = await client.call(name, input);
    assert.equal(result.isError, true, name);
    assert.equal(result._meta?.["dex/error"]?.code, code);
    assert.match(result.content[0]?.text ?? "", says);
    assert.doesNotMatch(result.content[0]?.text ?? "", /--[a-z]/, "flags belong to the command line");
  }
});

test("a path that no system can have is a mistake of the caller", async () => {
  const code = await StdioClient.greeted(home, "--tools", "code");
  try {
    for (const [project, error, says] of [
      ["a\u0000b", "unknown_project", /No project is called/],
      ["x".repeat(1 << 20), "bad_parameter", /project: must have at most/],
    ] as const) {
      const { isError, content, _meta } = await code.call("dex_code", { action: "map", project });
      assert.equal(isError, true);
      assert.equal(_meta?.["dex/error"]?.code, error);
      assert.match(content[0]?.text ?? "", says);
    }
  } finally {
    await code.end();
  }
});

test("ids and arguments cannot reach anything but conversations", async () => {
  const hostile = [
    "../../../../etc/passwd",
    "/etc/passwd",
    "..%2f..%2fconfig.yaml",
    "' OR '1'='1",
    '"; DROP TABLE conversations; --',
    "a\u0000b",
    "%",
    "____",
    "claude_code:../../secrets",
  ];
  for (const text of hostile) {
    for (const [name, input] of [
      ["dex_get", { ids: [text] }],
      ["dex_scan", { id: text }],
      ["dex_read", { id: text, indices: "0" }],
      ["dex_timeline", { anchor: `${text}#0` }],
    ] as const) {
      const result = await client.call(name, input);
      assert.equal(result.isError, true, `${name} ${text}`);
      assert.doesNotMatch(JSON.stringify(result), /root:/);
    }
    const found = await client.call("dex_search", { query: text, project: text, source: text });
    assert.ok(found.isError === true || found.structuredContent?.total === 0, text);
  }
  const { structuredContent } = await client.call("dex_stats");
  assert.equal(structuredContent?.total_conversations, 4);
});

test("huge arguments are refused or answered, and the next call is served", async () => {
  const long = "word ".repeat(200_000);
  for (const [name, input] of [
    ["dex_search", { query: long }],
    ["dex_search", { query: "x".repeat(1_000_000) }],
    ["dex_get", { ids: Array.from({ length: 5000 }, () => id) }],
    ["dex_get", { ids: [long] }],
    ["dex_read", { id, indices: "0-999999999" }],
    ["dex_read", { id, indices: "1,".repeat(100_000) }],
    ["dex_list", { ["p".repeat(100_000)]: 1 }],
    ["dex_list", { limit: 1e308 }],
  ] as const) {
    const result = await client.call(name, input);
    assert.ok(JSON.stringify(result).length < 3_000_000, name.slice(0, 20));
  }
  const { error } = await client.request("tools/call", { name: "x".repeat(100_000), arguments: {} });
  assert.ok((error?.message.length ?? Number.NaN) < 500);
  assert.equal((await client.call("dex_stats")).isError, undefined);
});

test("an answer that no agent could hold is refused or cut, with the way to a smaller one", async () => {
  const file = join(home.home, "large.jsonl");
  writeFileSync(
    file,
    JSON.stringify({ conversation: "larger-than-any", role: "user", text: "many words ".repeat(100_000) }),
  );
  assert.equal(home.run("import", file).status, 0);
  const asked = { ids: ["larger-than-any"], format: "full" };
  const result = await client.call("dex_get", asked);
  assert.equal(result._meta?.["dex/error"]?.code, "too_large");
  assert.match(result.content[0]?.text ?? "", /max_tokens/);
  // A program asked for every field; an agent gets what it can hold.
  const agent = await StdioClient.greeted(home, "--structured", "lines");
  const { content, isError } = await agent.call("dex_get", asked);
  const [{ text = "" } = {}] = content;
  assert.equal(isError, undefined, text);
  assert.match(text.slice(-200), /truncated.* left out/);
  assert.ok(estimateTokens(text) > 10_000 && estimateTokens(text) <= 20_000);
  await agent.end();
});

test("a message too long to hold is answered, and does not end the server", async () => {
  const refused = client.reply(null);
  client.raw(`{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"`);
  for (let i = 0; i < 6; i += 1) client.raw("x".repeat(1 << 20));
  client.raw(`"}}\n`);
  assert.match((await refused).error?.message ?? "", /at most [\d,]+ bytes/);
  assert.equal((await client.call("dex_stats")).isError, undefined);
});

test("a tool that does not exist is an error of the protocol, with the nearest name", async () => {
  const { error, result } = await client.request("tools/call", { name: "dex_serch", arguments: {} });
  assert.equal(result, undefined);
  assert.equal(error?.code, -32602);
  assert.match(error?.message ?? "", /no tool "dex_serch"\. Did you mean dex_search\?/);
  const { error: other } = await client.request("tools/call", { name: "dex_pack", arguments: {} });
  assert.match(other?.message ?? "", /does not serve dex_pack, .*"memory".*dex serve --tools conversations,memory/);
});

test("lines that are not messages are answered: torn JSON, invalid UTF-8, other JSON", async () => {
  const before = client.lines.length;
  const stderr = client.stderr;
  client.raw("{]\n");
  client.raw(Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28, 0x0a]));
  client.raw('[1, "two", null]\n42\n{"jsonrpc":"1.0","id":778}\n\n');
  const answered = client.reply(777);
  const bytes = Buffer.from(
    '{"jsonrpc":"2.0","id":777,"method":"tools/call","params":{"name":"dex_search","arguments":{"query":"??"}}}\n',
  );
  bytes.set([0xc3, 0x28], bytes.indexOf("??"));
  client.raw(bytes);
  assert.ok((await answered).result);
  const refused = client.lines.slice(before).map((line) => JSON.parse(line) as Reply);
  assert.deepEqual(
    refused.flatMap(({ id, error }) => (error ? [[id, error.code]] : [])),
    [
      [null, -32700],
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [778, -32600],
    ],
  );
  assert.equal(client.stderr, stderr, "nothing about it on stderr");
  assert.equal((await client.call("dex_stats")).isError, undefined);
});

test("many calls at once are all answered, and stdout carries nothing but protocol", async () => {
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0
        ? client.call("dex_search", { query: "refresh token" })
        : i % 3 === 1
          ? client.call("dex_get", { ids: [id], max_tokens: 300 })
          : client.call("dex_get", { ids: ["nope-nope"] }),
    ),
  );
  assert.equal(results.filter(({ isError }) => isError === true).length, 20);
  for (const line of client.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, "2.0");
});

test("protocol 2026-07-28 is served from the first message on", async () => {
  const modern = new StdioClient(home);
  const discovered = await modern.request("server/discover", { _meta: MODERN_META });
  assert.deepEqual(discovered.result?.supportedVersions, ["2026-07-28"]);
  const { result } = await modern.request("tools/call", { name: "dex_stats", arguments: {}, _meta: MODERN_META });
  assert.deepEqual(result?.structuredContent, home.json("stats"));
  assert.equal(result?.resultType, "complete");
  assert.equal(await modern.end(), 0);
});

test("calls made before stdin is closed are answered, then the process ends", async () => {
  const server = await StdioClient.greeted(home);
  const answers = [server.call("dex_search", { query: "token" }), server.call("dex_scan", { id })];
  server.process.stdin.end();
  for (const { isError } of await Promise.all(answers)) assert.equal(isError, undefined);
  assert.equal(await server.exited, 0);
});

test("SIGTERM ends it cleanly", async () => {
  const server = await StdioClient.greeted(home);
  await server.call("dex_stats");
  server.process.kill("SIGTERM");
  assert.equal(await server.exited, 0);
});

test("a client that goes away without a word ends it", async () => {
  const server = await StdioClient.greeted(home);
  server.process.stdout.destroy();
  server.process.stdin.destroy();
  assert.equal(await server.exited, 0);
});

test("the session it was started in is the current one", async () => {
  const own = new TestHome({ samples: true, vars: { CLAUDE_CODE_SESSION_ID: id } });
  const server = await StdioClient.greeted(own);
  assert.equal((await server.call("dex_stats")).structuredContent?.session_id, id);
  const found = await server.call("dex_search", { query: "the", session: "current" });
  const hits = (found.structuredContent?.results ?? []) as { id: string }[];
  assert.deepEqual(new Set(hits.map((hit) => hit.id)), new Set([id]));
  await server.end();
});

test("a caller that says which conversation it is in has that as the current one", async () => {
  const own = new TestHome({ samples: true });
  const server = await StdioClient.greeted(own);
  const input = { name: "dex_search", arguments: { query: "the", session: "current" } };
  const { result } = await server.request("tools/call", { ...input, _meta: { threadId: id } });
  const found = result as unknown as { structuredContent?: { results?: { id: string }[] } };
  assert.deepEqual(new Set(found.structuredContent?.results?.map((hit) => hit.id)), new Set([id]));
  await server.end();
});

test("a running server finds what an agent writes, also in a rebuilt index", async () => {
  const own = new TestHome({ samples: true });
  const server = await StdioClient.greeted(own);
  const total = async (query: string): Promise<unknown> =>
    (await server.call("dex_search", { query })).structuredContent?.total;
  assert.equal(await total("zanzibar"), 0);
  const [file] = globSync(".claude/projects/*/*.jsonl", { cwd: own.home }).sort();
  const path = join(own.home, file ?? "");
  const records = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const next = {
    ...records.find(({ type }) => type === "user"),
    parentUuid: records.findLast(({ uuid }) => uuid !== undefined)?.uuid,
    uuid: "11111111-2222-4333-8444-555555555555",
    message: { role: "user", content: "Is zanzibar ready?" },
  };
  appendFileSync(path, `${JSON.stringify(next)}\n`);
  // One look at what changed serves the calls of about a second.
  await until("the new message is found", async () => (await total("zanzibar")) === 1);
  assert.equal(own.run("reindex").status, 0);
  assert.equal(await total("zanzibar"), 1);
  assert.equal(own.run("forget", id, "--yes").status, 0);
  const { structuredContent } = await server.call("dex_stats");
  assert.equal(structuredContent?.total_conversations, 3);
  await server.end();
});

test("a damaged archive fails one call, not the server", async () => {
  const own = new TestHome({ samples: true });
  assert.equal(own.run("sync").status, 0);
  const server = await StdioClient.greeted(own);
  for (const file of globSync("archive/**/*.zst", { cwd: own.dexHome })) {
    if (file.includes(id)) writeFileSync(join(own.dexHome, file), "not what it was");
  }
  const broken = await server.call("dex_get", { ids: [id] });
  assert.equal(broken._meta?.["dex/error"]?.code, "damaged_archive");
  writeFileSync(join(own.dexHome, "index.db"), "no database at all, but long enough to be taken for one".repeat(50));
  assert.equal((await server.call("dex_list")).isError, true);
  assert.equal((await server.call("__IMPORTANT")).isError, undefined);
  assert.equal(await server.end(), 0);
});

test("an index that was never synced says so in the structured result and in errors", async () => {
  const fresh = new TestHome({ samples: true });
  const lock = fresh.lockIndex();
  try {
    const server = await StdioClient.greeted(fresh, "--tools", "all");
    const calls: [tool: string, args: object][] = [
      ["dex_search", { query: "token" }],
      ["dex_list", {}],
      ["dex_stats", {}],
      ["dex_fix", { error: "TypeError" }],
      ["context_suggest", { prompt: "the limit of retries" }],
      ["dex_pack", {}],
      ["dex_decisions", {}],
    ];
    for (const [tool, args] of calls) {
      const { structuredContent, content, isError } = await server.call(tool, args);
      assert.equal(isError, undefined, content[0]?.text);
      assert.match(String(structuredContent?.notice), /Nothing is indexed yet: 4 files.*another dex process/, tool);
      assert.match(content[0]?.text ?? "", /Note: Nothing is indexed yet/, tool);
    }
    const missing = await server.call("dex_get", { ids: ["3f2a7c11"] });
    assert.equal(missing.isError, true);
    assert.match(missing._meta?.["dex/error"]?.notice ?? "", /Nothing is indexed yet/);
    assert.match(missing.content[0]?.text ?? "", /Note: Nothing is indexed yet/);
    await server.end();
  } finally {
    lock.release();
  }
});

test("a call starts a sync that takes long in the background, once, and later calls find its conversations", async () => {
  const fresh = new TestHome({ samples: true, vars: { DEX_SYNC_BACKGROUND: "true" } });
  assert.equal(fresh.run("sync").status, 0);
  const index = new DatabaseSync(join(fresh.dexHome, "index.db"));
  index.exec("PRAGMA user_version = 1");
  index.close();
  const server = await StdioClient.greeted(fresh);
  const notice = async (): Promise<string | undefined> => {
    const { structuredContent } = await server.call("dex_list");
    return structuredContent?.notice as string | undefined;
  };
  assert.match((await notice()) ?? "", /made by another version of dex.*dex has started a sync in the background/);
  const startedAt = (): number => statSync(join(fresh.dexHome, "watch/conversations.refreshed")).mtimeMs;
  const first = startedAt();
  await until("the sync has ended", async () => (await notice()) === undefined);
  assert.equal(startedAt(), first);
  const { structuredContent } = await server.call("dex_list");
  assert.equal(structuredContent?.total, 4);
  assert.equal(await server.end(), 0);
});

/** How many searches were begun: each leaves its row in the traces. */
function searchesOf(words: string): number {
  const { traces } = home.json<{ traces: { query?: string }[] }>("traces", "--tail", "1000");
  return traces.filter(({ query }) => query === words).length;
}

test("ping is answered while calls wait, and calls that were cancelled are not begun", async () => {
  const server = await StdioClient.greeted(home);
  const count = 60;
  const search = (id: number, query: string): void =>
    server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "dex_search", arguments: { query } } });
  const last = server.reply(1000 + count - 1);
  for (let i = 0; i < count; i += 1) search(1000 + i, "waits behind others");
  const ping = server.request("ping");
  assert.ok((await ping).result);
  const before = server.lines.length;
  assert.ok((await last).result);
  assert.ok(server.lines.length - before > count / 2, `${server.lines.length - before} answers came after the ping`);

  for (let i = 0; i < count; i += 1) search(2000 + i, "nobody wants it");
  for (let i = 0; i < count; i += 1) {
    server.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 2000 + i, reason: "changed" },
    });
  }
  assert.equal((await server.call("dex_search", { query: "served" })).isError, undefined);
  assert.equal(await server.end(), 0);
  assert.doesNotMatch(server.stderr, /Warning|at .*:\d+:\d+/);
  assert.equal(searchesOf("waits behind others"), count);
  const begun = searchesOf("nobody wants it");
  assert.ok(begun < count / 2, `${begun} of ${count} cancelled searches were begun`);
});
