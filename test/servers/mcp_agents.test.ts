/** `dex serve` as agents start it: answers, resources and prompts for a model, and the folder of the client. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { TestHome } from "../support/program/dex.ts";
import { TestRepository } from "../support/repository.ts";
import { INITIALIZE, StdioClient, type ToolResult } from "../support/servers/mcp.ts";

/** Below this, the braces and the name of the field weigh more than the text. */
const SHORT_TOKENS = 100;
const AS_INSTALLED = ["--structured", "lines"];

const home = new TestHome({ samples: true });
let client: StdioClient;
let conversations: { id: string; title: string; message_count: number }[];

before(async () => {
  assert.equal(home.run("sync").status, 0);
  conversations = home.json<{ conversations: typeof conversations }>("list").conversations;
  client = await StdioClient.greeted(home, "--tools", "all", ...AS_INSTALLED);
});
after(() => client.end());

const textOf = (result: ToolResult): string => result.content[0]?.text ?? "";
const linesOf = (result: ToolResult): string[] => result.structuredContent?.lines as string[];

test("lines are the default", async () => {
  const plain = home.open("serve");
  plain.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })}\n`);
  plain.stdin.end(
    `${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "dex_stats", arguments: {} } })}\n`,
  );
  let out = "";
  for await (const chunk of plain.stdout) out += chunk;
  const last = JSON.parse(out.trim().split("\n").at(-1) ?? "") as { result: ToolResult };
  assert.equal(linesOf(last.result).join("\n"), textOf(last.result));
});

test("structured content is the text as lines, at most 1.1 times its tokens, and within the call's budget", async () => {
  const id = conversations[0]?.id ?? "";
  const last = (conversations[0]?.message_count ?? 1) - 1;
  const calls: [string, Record<string, unknown>][] = [
    ["dex_list", {}],
    ["dex_search", { query: "the refresh tokens", limit: 10 }],
    ["dex_stats", {}],
    ["dex_timeline", { anchor: `${id}#2` }],
    ["dex_get", { ids: [id] }],
    ["dex_get", { ids: [id], format: "outline" }],
    ["dex_get", { ids: conversations.map((each) => each.id), format: "full" }],
    ["dex_read", { id, indices: `0-${last}` }],
    ["dex_pack", {}],
    ["dex_fix", { error: "TypeError: cannot read properties of undefined" }],
    ["dex_how", { command: "npm test" }],
  ];
  for (const max_tokens of [150, 400, 1200]) {
    for (const format of ["full", "stripped", "user_only", "outline"])
      calls.push(["dex_get", { ids: conversations.map((each) => each.id), format, max_tokens }]);
    calls.push(["dex_read", { id, indices: `0-${last}`, max_tokens }]);
    calls.push(["dex_fix", { error: "error: test failed", limit: 50, max_tokens }]);
    calls.push(["dex_how", { command: "git", limit: 50, max_tokens }]);
  }
  for (const [name, input] of calls) {
    const result = await client.call(name, input);
    const about = `${name} ${JSON.stringify(input)}`;
    if (result.isError) continue;
    assert.deepEqual(Object.keys(result.structuredContent ?? {}), ["lines"], about);
    assert.equal(linesOf(result).join("\n"), textOf(result), about);
    const text = countTokens(textOf(result));
    const shown = countTokens(JSON.stringify(result.structuredContent));
    if (text > SHORT_TOKENS) assert.ok(shown <= 1.1 * text, `${about}: ${shown} of ${text} tokens`);
    const budget = input.max_tokens as number | undefined;
    if (budget !== undefined) assert.ok(shown <= budget, `${about}: ${shown} tokens`);
  }
});

test("the lines say that nothing is indexed yet", async () => {
  const fresh = new TestHome({ samples: true });
  const lock = fresh.lockIndex();
  try {
    const server = await StdioClient.greeted(fresh, ...AS_INSTALLED);
    const lines = linesOf(await server.call("dex_search", { query: "tokens" }));
    assert.match(lines.join("\n"), /Note: Nothing is indexed yet: 4 files/);
    await server.end();
  } finally {
    lock.release();
  }
});

test("conversations, messages and sections are resources", async () => {
  const folder = join(home.home, "manual");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), "# Widgets\n\n## Turning\n\nTurn the widget to the left.\n");
  assert.equal(home.run("docs", "add", "manual", folder, "--global").status, 0);
  const { result } = await client.request("resources/templates/list");
  const templates = result?.resourceTemplates as { uriTemplate: string }[];
  assert.deepEqual(
    templates.map(({ uriTemplate }) => uriTemplate),
    ["dex://conversation/{id}", "dex://message/{id}/{index}", "dex://section/{address}"],
  );
  const read = async (uri: string): Promise<string> => {
    const reply = await client.request("resources/read", { uri });
    assert.equal(reply.error, undefined, uri);
    const [content] = (reply.result?.contents ?? []) as { uri: string; text: string }[];
    assert.equal(content?.uri, uri);
    return content?.text ?? "";
  };
  const { id = "", title = "" } = conversations[0] ?? {};
  assert.ok((await read(`dex://conversation/${id}`)).includes(title.slice(0, 20)));
  assert.ok((await read(`dex://message/${id.slice(0, 8)}/0`)).includes("#0"));
  const section = encodeURIComponent("manual:a.md#turning");
  assert.match(await read(`dex://section/${section}`), /Turn the widget/);
  for (const uri of [
    "dex://conversation/zzzzzzzz",
    `dex://message/${id}/x`,
    "dex://nothing/1",
    "file:///etc/passwd",
    "dex://section/%",
  ]) {
    const { error } = await client.request("resources/read", { uri });
    assert.doesNotMatch(error?.message ?? "", /`dex /, "commands are tools here");
    assert.ok(error, uri);
    assert.doesNotMatch(error.message, /\bat .*:\d+/);
    assert.equal(error.code, -32602, uri);
  }
});

test("a server of documentation alone reads no conversation as a resource or for a prompt", async () => {
  const server = await StdioClient.greeted(home, "--tools", "documents", ...AS_INSTALLED);
  const { error } = await server.request("resources/read", { uri: `dex://conversation/${conversations[0]?.id}` });
  assert.equal(error?.code, -32602);
  assert.ok((await server.request("prompts/get", { name: "recall", arguments: { topic: "tokens" } })).error);
  await server.end();
});

test("a prompt gives the model what dex found and what to do with it", async () => {
  const { result } = await client.request("prompts/list");
  const names = ((result?.prompts ?? []) as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(names, ["recall", "catch_up", "known_fix"]);
  const recalled = await client.request("prompts/get", { name: "recall", arguments: { topic: "refresh tokens" } });
  const [message] = (recalled.result?.messages ?? []) as { role: string; content: { text: string } }[];
  assert.equal(message?.role, "user");
  assert.match(message?.content.text ?? "", /dex_read[\s\S]*#\d+/);
  assert.ok((await client.request("prompts/get", { name: "catch_up" })).result);
  const missing = await client.request("prompts/get", { name: "recall" });
  assert.match(missing.error?.message ?? "", /needs topic/);
});

test("a client's roots name its project to a server that was started elsewhere", async () => {
  const repository = new TestRepository();
  repository.write("src/price.ts", "export function priceOf(): number {\n  return 1;\n}\n");
  repository.commit("feat: prices");
  const said = ["/somewhere/else", repository.root].map((project, i) =>
    JSON.stringify({
      conversation: `prices-${i}`,
      role: "user",
      project,
      text: "Which currency has the wholesale price?",
    }),
  );
  const file = join(home.home, "said.jsonl");
  writeFileSync(file, said.join("\n"));
  assert.equal(home.run("import", file).status, 0);
  const server = new StdioClient(home, "--tools", "code,conversations", ...AS_INSTALLED);
  try {
    const capabilities = { roots: { listChanged: true } };
    await server.request("initialize", { ...INITIALIZE, capabilities });
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const found = server.call("dex_code", { action: "symbol", target: "priceOf" });
    const asked = await server.notice("roots/list");
    const roots = [{ uri: "file:///nowhere/at/all" }, { uri: pathToFileURL(repository.root).href }];
    server.send({ jsonrpc: "2.0", id: asked.id, result: { roots } });
    assert.match(textOf(await found), /src\/price\.ts/);
    assert.match(textOf(await server.call("dex_code", { action: "symbol", target: "priceOf" })), /src\/price\.ts/);
    const prices = await server.call("dex_search", { query: "currency wholesale price", explain: true });
    assert.match(textOf(prices), /in the current project/);
    assert.equal(server.notices.filter(({ method }) => method === "roots/list").length, 1, "asked once");
  } finally {
    await server.end();
  }
});
