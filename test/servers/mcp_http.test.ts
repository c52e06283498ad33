/** `dex serve --port`: who may ask, what is too much, and many at once. */
import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { HttpServer, INITIALIZE, MODERN_META } from "../support/servers/mcp.ts";

const home = new TestHome({ samples: true, vars: { CLAUDE_CODE_SESSION_ID: "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa" } });
let server: HttpServer;
before(async () => {
  assert.equal(home.run("sync").status, 0);
  server = await HttpServer.start(home);
});
after(() => server.end());

/** Unlike fetch, it may send any Host. */
function status(headers: Record<string, string>, options: { method?: string; path?: string } = {}): Promise<number> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path: options.path ?? "/mcp", method: options.method ?? "POST", headers },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(options.method === "GET" ? undefined : JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  });
}

function headers(change: Record<string, string> = {}): Record<string, string> {
  return {
    Authorization: `Bearer ${server.token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...change,
  };
}

test("the token is made once, long, and only the user can read it", async () => {
  const file = join(home.dexHome, "mcp-token");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(server.token.length >= 40);
  chmodSync(file, 0o644);
  const second = await HttpServer.start(home);
  assert.equal(second.token, server.token);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(await second.end(), 0);
});

test("two servers that start at once on a new home use one token", async () => {
  const fresh = new TestHome({ samples: true });
  const servers = await Promise.all([HttpServer.start(fresh), HttpServer.start(fresh), HttpServer.start(fresh)]);
  const token = readFileSync(join(fresh.dexHome, "mcp-token"), "utf8").trim();
  for (const each of servers) {
    assert.equal(
      (await each.post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { Authorization: `Bearer ${token}` })).status,
      200,
    );
    await each.end();
  }
});

test("only who has the token, under this machine's own names, may ask", async () => {
  assert.equal(await status(headers()), 200);
  assert.equal(await status(headers({ Host: "localhost" })), 200);
  assert.equal(await status(headers({ Origin: "http://localhost:5173" })), 200);
  for (const Authorization of [
    "",
    "Bearer",
    "Bearer x",
    `Bearer ${server.token}x`,
    `Basic ${server.token}`,
    server.token,
  ]) {
    assert.equal(await status(headers({ Authorization })), 401, Authorization);
  }
  for (const Host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "169.254.169.254"]) {
    assert.equal(await status(headers({ Host })), 403, Host);
  }
  for (const Origin of ["https://evil.example", "null", "file://", "http://127.0.0.1.evil.example"]) {
    assert.equal(await status(headers({ Origin })), 403, Origin);
  }
});

test("paths of nothing are not found", async () => {
  for (const path of ["/mcp/", "/mcp/../config.yaml", "/..%2fmcp-token", "/mcp-token", "//mcp", "/%00"]) {
    assert.equal(await status(headers(), { path, method: "GET" }), 404, path);
  }
  assert.equal(await status(headers(), { method: "GET" }), 405);
  assert.equal(await status(headers({ "Content-Type": "text/plain" })), 415);
});

test("it listens on the loopback address only", async () => {
  const { port } = new URL(server.url);
  const open = (host: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), host, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
  assert.equal(await open("127.0.0.1"), true);
  assert.equal(await open("127.0.0.2"), false);
});

test("bodies that are too large, torn or no UTF-8 are refused; the next is served", async () => {
  const huge = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(2 << 20) } });
  const large = await server.post(huge).then(
    (response) => response.status,
    // The server may close the connection while the rest is still being sent.
    () => 413,
  );
  assert.equal(large, 413);
  assert.equal((await server.post("{")).status, 400);
  assert.equal((await server.post(new Uint8Array([0xff, 0xfe, 0xc3, 0x28]))).status, 400);
  assert.equal((await server.post("")).status, 400);
  assert.equal(await status(headers()), 200);
});

test("both protocols are served", async () => {
  const old = await server.request("initialize", INITIALIZE);
  assert.equal(old.result?.protocolVersion, "2025-11-25");
  const modern = await server.request(
    "server/discover",
    { _meta: MODERN_META },
    { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover" },
  );
  assert.deepEqual(modern.result?.supportedVersions, ["2026-07-28"]);
  const { result } = await server.request(
    "tools/call",
    { name: "dex_stats", arguments: {}, _meta: MODERN_META },
    { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "dex_stats" },
  );
  assert.equal(result?.isError, undefined);
});

test("answers are those of the command line; the session it was started in is nobody's", async () => {
  const { structuredContent } = await server.call("dex_list", { limit: 2 });
  assert.deepEqual(structuredContent, home.json("list", "--limit", "2"));
  assert.equal((await server.call("dex_stats")).structuredContent?.session_id, null);
  const refused = await server.call("dex_search", { query: "x", session: "current" });
  assert.equal(refused._meta?.["dex/error"]?.code, "no_session");
});

test("sixteen clients at once, half of them clumsy: every call is answered", async () => {
  const ids = home.json<{ conversations: { id: string }[] }>("list").conversations.map(({ id }) => id);
  const statuses = new Map<number, number>();
  const count = (code: number): void => void statuses.set(code, (statuses.get(code) ?? 0) + 1);
  await Promise.all(
    Array.from({ length: 16 }, async (_, client) => {
      for (let round = 0; round < 12; round += 1) {
        const id = ids[(client + round) % ids.length] ?? "";
        const [name, input] = (
          [
            ["dex_search", { query: "token error migration" }],
            ["dex_get", { ids: [id], max_tokens: 1000 }],
            ["dex_timeline", { anchor: `${id}#2` }],
            ["dex_scan", { id, target: 1500 }],
          ] as const
        )[round % 4] ?? ["dex_stats", {}];
        const { isError, content } = await server.call(name, input);
        assert.equal(isError, undefined, content[0]?.text);
        count(200);
        if (client % 2 === 0) count((await server.post("{")).status);
      }
    }),
  );
  assert.deepEqual(Object.fromEntries(statuses), { 200: 192, 400: 96 });
});

test("malformed requests have the errors of JSON-RPC", async () => {
  const cases: [body: string, code: number][] = [
    ["{", -32700],
    ["42", -32600],
    ['{"jsonrpc":"1.0","id":4,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"dex_serch","arguments":{}}}', -32602],
    ['{"jsonrpc":"2.0","id":7,"method":"nothing/such"}', -32601],
  ];
  for (const [body, code] of cases) {
    const text = await (await server.post(body)).text();
    assert.match(text, new RegExp(`"error":\\{"code":${code},`), body);
  }
});

test("a call that is answered without the protocol library has the library's answer, byte for byte", async () => {
  const lines = await HttpServer.start(home, "--structured", "lines");
  const calls: object[] = [
    { name: "dex_list", arguments: { limit: 3 } },
    { name: "dex_search", arguments: { query: "token \u2028 é 漢" } },
    { name: "dex_search", arguments: { query: "migration" }, _meta: { progressToken: 7, "claudecode/toolUseId": "t" } },
    { name: "dex_search", arguments: { query: "x", session: "current" }, _meta: { threadId: "nobody" } },
    { name: "dex_get", arguments: { ids: ["nobody"] } },
    { name: "dex_list", arguments: { limt: 3 } },
    { name: "dex_stats" },
    { name: "__IMPORTANT", arguments: {} },
    { name: "dex_serch", arguments: {} },
    { name: "dex_list", arguments: [] },
    { name: "dex_list", arguments: { limit: 1 }, _meta: { progressToken: 1.5 } },
  ];
  try {
    for (const [at, params] of calls.entries()) {
      const id = at % 2 === 0 ? at : `call "${at}"`;
      const body = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
      const answers = await Promise.all(
        // The library answers requests with any other form of the content type.
        ["application/json", "application/json; charset=utf-8"].map(async (type) => {
          const response = await lines.post(body, { "Content-Type": type, "MCP-Protocol-Version": "2025-06-18" });
          const { status, headers } = response;
          return { status, type: headers.get("content-type"), text: await response.text() };
        }),
      );
      assert.deepEqual(answers[0], answers[1], body);
    }
    // A call whose body comes in pieces, without a length.
    const torn = new ReadableStream({
      start(controller) {
        for (const part of ['{"jsonrpc":"2.0","id":1,"method":"tools/', 'call","params":{"name":"dex_list"}}'])
          controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const piecemeal = await fetch(lines.url, {
      method: "POST",
      body: torn,
      duplex: "half",
      headers: headers(),
    } as RequestInit);
    assert.match(await piecemeal.text(), /"result":/);
    assert.equal((await lines.post("\ufeff{}")).status, 400);
  } finally {
    await lines.end();
  }
});

test("calls of a client that went away are not begun", async () => {
  const gone = new AbortController();
  const count = 60;
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  const body = JSON.stringify({ ...call, params: { name: "dex_search", arguments: { query: "went away" } } });
  const sent = Array.from({ length: count }, () =>
    fetch(server.url, { method: "POST", body, headers: headers(), signal: gone.signal }).then((response) =>
      response.text(),
    ),
  );
  // The first answer shows that the server has begun with them.
  await Promise.race(sent);
  gone.abort();
  await Promise.allSettled(sent);
  assert.equal((await server.call("dex_search", { query: "still here" })).isError, undefined);
  const { traces } = home.json<{ traces: { query?: string }[] }>("traces", "--tail", "1000");
  const begun = traces.filter(({ query }) => query === "went away").length;
  assert.ok(begun > 0 && begun < count, `${begun} of ${count}`);
});

test("a port that is taken is said in one sentence", () => {
  const { port } = new URL(server.url);
  const answer = home.run("serve", "--port", port);
  assert.equal(answer.status, 2);
  assert.match(answer.stderr, /^dex: Port \d+ is in use\.\n/);
});
