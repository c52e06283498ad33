/** Real clients against `dex serve`: the MCP inspector's command line and the conformance suite, over stdio and HTTP. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { program, TestHome } from "../../support/program/dex.ts";
import { installed, installedProgram, missing } from "../../support/program/installed.ts";
import { HANG_MS } from "../../support/program/limits.ts";
import { overStdio, withToken } from "../../support/servers/bridge.ts";
import { HttpServer, StdioClient } from "../../support/servers/mcp.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16";
const inspector = installed(INSPECTOR);
const conformance = installed(CONFORMANCE);
const baseline = join(import.meta.dirname, "../../support/clients/conformance.yml");

const home = new TestHome({ samples: true });
let server: HttpServer;
before(async () => {
  assert.equal(home.run("sync").status, 0);
  server = await HttpServer.start(home);
});
after(() => server.end());

interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

function run(file: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      { cwd: home.home, env: home.env, timeout: HANG_MS },
      (error, stdout, stderr) => resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

describe("the inspector", { skip: missing(INSPECTOR, inspector) }, () => {
  const file = inspector === undefined ? "" : installedProgram(inspector, "mcp-inspector");
  const targets = (): [string, string[]][] => [
    ["stdio", ["--cli", process.execPath, program, "serve", "--structured", "full", "-e", `DEX_HOME=${home.dexHome}`]],
    ["HTTP", ["--cli", server.url, "--header", `Authorization: Bearer ${server.token}`]],
  ];

  test("lists the tools and finds nothing to say against their schemas", async () => {
    for (const [name, target] of targets()) {
      const listed = await run(file, ...target, "--method", "tools/list", "--strict");
      assert.equal(listed.status, 0, `${name}: ${listed.stderr}`);
      assert.doesNotMatch(listed.stderr, /warning|error/i, name);
      const { tools } = JSON.parse(listed.stdout) as { tools: { name: string }[] };
      assert.ok(
        tools.some((tool) => tool.name === "dex_search"),
        name,
      );
    }
  });

  test("searches, and reads a result", async () => {
    for (const [name, target] of targets()) {
      const call = async (tool: string, ...args: string[]): Promise<Record<string, unknown>> => {
        const ran = await run(file, ...target, "--method", "tools/call", "--tool-name", tool, "--tool-arg", ...args);
        assert.equal(ran.status, 0, `${name}: ${ran.stderr}`);
        return (JSON.parse(ran.stdout) as { structuredContent: Record<string, unknown> }).structuredContent;
      };
      const found = await call("dex_search", "query=refresh tokens", "limit=1");
      assert.deepEqual(found, home.json("search", "refresh tokens", "--limit", "1"));
      const [hit] = found.results as { id: string }[];
      const got = await call("dex_get", `ids=${JSON.stringify([hit?.id])}`, "max_tokens=400");
      assert.deepEqual(got, home.json("show", hit?.id ?? "", "--max-tokens", "400"));
    }
  });

  test("shows that an index was never synced, in structured content that fits the schema", async () => {
    const fresh = new TestHome({ samples: true });
    const lock = fresh.lockIndex();
    try {
      const vars = ["-e", `DEX_HOME=${fresh.dexHome}`, "-e", `HOME=${fresh.home}`];
      const call = ["--method", "tools/call", "--tool-name", "dex_search", "--tool-arg", "query=tokens"];
      const ran = await run(file, "--cli", process.execPath, program, "serve", ...vars, ...call);
      assert.equal(ran.status, 0, ran.stderr);
      const { structuredContent } = JSON.parse(ran.stdout) as { structuredContent: { lines: string[] } };
      assert.match(structuredContent.lines.join("\n"), /^Note: Nothing is indexed yet: 4 files/m);
    } finally {
      lock.release();
    }
  });
});

describe("the conformance suite", { skip: missing(CONFORMANCE, conformance) }, () => {
  const file = conformance === undefined ? "" : installedProgram(conformance, "conformance");

  test("over HTTP: all of it but what dex does not offer", async () => {
    const bridge = await withToken(server);
    try {
      const ran = await run(file, "server", "--url", bridge.url, "--expected-failures", baseline);
      assert.equal(ran.status, 0, ran.stdout.slice(-3000));
      for (const scenario of ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"]) {
        assert.match(ran.stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
      }
    } finally {
      bridge.close();
    }
  });

  test("over stdio: the handshake, ping and the list of tools", async () => {
    for (const scenario of ["server-initialize", "ping", "tools-list"]) {
      const client = new StdioClient(home);
      const bridge = await overStdio(client);
      try {
        const ran = await run(file, "server", "--url", bridge.url, "--scenario", scenario);
        assert.equal(ran.status, 0, ran.stdout + ran.stderr);
        assert.match(ran.stdout, /Passed: 1\/1, 0 failed/);
      } finally {
        bridge.close();
        assert.equal(await client.end(), 0);
      }
    }
  });
});
