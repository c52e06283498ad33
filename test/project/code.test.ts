/** Questions about code, through the built program. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { TestHome } from "../support/program/dex.ts";
import { makeRepository, TestRepository } from "../support/repository.ts";
import { StdioClient } from "../support/servers/mcp.ts";

interface Answer {
  symbols: { name: string; file: string; line: number; signature: string; doc?: string }[];
  results: { name: string; file: string; use?: string; resolution?: string; why?: string[] }[];
  mentioned?: { file: string; line: number }[];
  mentioned_total?: number;
  changed?: { name: string; change: string }[];
  total: number;
  ambiguous: number;
  map?: string;
  tokens: number;
  external?: string[];
  missing?: string[];
}

describe("dex code", () => {
  const home = new TestHome();
  const project = join(home.home, "project");
  const write = (path: string, text: string): void => {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const ask = (...args: string[]): Answer => home.json<Answer>("code", ...args, "--project", project);

  before(() => {
    mkdirSync(project);
    makeRepository(project);
    write("src/a.ts", "/** Adds one. */\nexport function add(x: number): number { return x + 1; }\n");
    write(
      "src/b.ts",
      'import { add } from "./a.ts";\nimport fs from "node:fs";\nimport "./gone.ts";\nexport function twice(x: number) { return add(add(x)); }\n',
    );
    write(
      "src/a.test.ts",
      'import { test } from "node:test";\nimport { add } from "./a.ts";\ntest("adds", () => { add(1); });\n',
    );
    write("README.md", "# Sums\n\nUse `add` of `src/a.ts`.\n");
  });

  test("index reports what it read", () => {
    const done = home.json<{ files: number; added: number; relations: Record<string, number> }>(
      "code",
      "index",
      project,
    );
    assert.deepEqual([done.files, done.added], [4, 4]);
    assert.equal(done.relations.TESTS, 2);
    assert.ok(done.relations.DOCUMENTS === 1);
    assert.equal(home.json<{ unchanged: number }>("code", "index", project).unchanged, 4);
  });

  test("a folder that nobody had read is not read for a caller that names it", () => {
    const other = join(home.home, "private");
    mkdirSync(other);
    writeFileSync(join(other, "secret.ts"), "export const key = 1;\n");
    const answer = home.run("code", "symbol", "key", "--project", other);
    assert.equal(answer.status, 2);
    assert.match(answer.stderr, /is not indexed/);
  });

  test("a symbol with its signature and doc comment", () => {
    const [symbol] = ask("symbol", "add").symbols;
    assert.equal(symbol?.signature, "export function add(x: number): number");
    assert.deepEqual([symbol?.file, symbol?.line, symbol?.doc], ["src/a.ts", 2, "Adds one."]);
  });

  test("callers, callees, imports, importers, tests, impact, related", () => {
    assert.deepEqual(
      ask("callers", "add")
        .results.map(({ name }) => name)
        .sort(),
      ["adds", "twice"],
    );
    assert.deepEqual(
      ask("callees", "twice").results.map(({ name }) => name),
      ["add"],
    );
    const imports = ask("imports", "src/b.ts");
    assert.deepEqual(
      imports.results.map(({ file }) => file),
      ["src/a.ts"],
    );
    assert.deepEqual([imports.external, imports.missing], [["node:fs"], ["./gone.ts"]]);
    assert.deepEqual(
      ask("importers", "a.ts")
        .results.map(({ file }) => file)
        .sort(),
      ["src/a.test.ts", "src/b.ts"],
    );
    assert.ok(ask("tests", "src/a.ts:2").results.some(({ name }) => name === "adds"));
    assert.equal(ask("impact", "add").total, 2);
    const references = ask("references", "add");
    assert.deepEqual(references.results.map(({ name, use }) => `${use} ${name}`).sort(), [
      "call adds",
      "call twice",
      "import src/a.test.ts",
      "import src/b.ts",
    ]);
    assert.deepEqual(references.mentioned, [{ file: "README.md", line: 3 }]);
    const working = ask("impact", "--diff");
    assert.ok(working.changed?.some(({ name, change }) => name === "add" && change === "added"));
    assert.equal(ask("related", "src/a.ts").results[0]?.file, "src/a.test.ts");
  });

  test("an edit is seen by the next question", () => {
    write("src/c.ts", 'import { add } from "./a.ts";\nexport const three = () => add(2);\n');
    assert.ok(ask("callers", "add").results.some(({ name }) => name === "three"));
  });

  test("a name that is not there says so and offers near ones", () => {
    const answer = home.run("code", "callers", "twise", "--project", project);
    assert.equal(answer.status, 1);
    assert.match(answer.stderr, /The code of this project defines nothing called "twise"\.\nSimilar names: twice\./);
    const nameless = home.run("code", "callers", " ", "--project", project);
    assert.equal(nameless.status, 2);
    assert.match(nameless.stderr, /callers needs a target/);
  });

  test("a name that the graph does not have, such as a local one, comes with the lines that have it", () => {
    write("src/local.ts", "export function area() {\n  const breadth = 3;\n  return breadth * breadth;\n}\n");
    const answer = home.run("code", "references", "area.breadth", "--project", project);
    assert.equal(answer.status, 1);
    assert.match(answer.stderr, /"breadth" occurs in 2 lines: src\/local\.ts:2, src\/local\.ts:3\./);
  });

  test("callers come with the lines that look like further calls", () => {
    write("src/stack.ts", "export class Stack {\n  /** push() adds. */\n  push(x: number) { return x; }\n}\n");
    write(
      "src/uses.ts",
      'import { Stack } from "./stack.ts";\nexport const known = () => new Stack().push(1);\n' +
        "export const unknown = (any: any) => any.push(2);\n// any.push(3)\nexport const pushed = 4;\n",
    );
    const found = ask("callers", "push");
    assert.deepEqual(
      found.results.map(({ name }) => name),
      ["known"],
    );
    assert.deepEqual(found.mentioned, [{ file: "src/uses.ts", line: 3 }]);
    const { stdout } = home.run("code", "callers", "push", "--project", project);
    assert.match(stdout, /1 more line looks like a call of this name, which dex could not resolve: src\/uses\.ts:3/);
    const short = ask("callers", "push", "--max-tokens", "50");
    assert.deepEqual([short.mentioned, short.mentioned_total], [[], 1], "the budget has no room for the place");
    const counted = home.run("code", "callers", "push", "--project", project, "--max-tokens", "50").stdout;
    assert.match(counted, /1 more line looks like a call of this name, which dex could not resolve$/m);
  });

  test("a function that C declares without a body is not a further call", () => {
    write("native/zeta.h", "int zeta(int);\n");
    write("native/zeta.c", '#include "zeta.h"\nint zeta(int x) { return x; }\n');
    write("native/use.c", '#include "zeta.h"\nint known(void) { return zeta(1); }\n');
    const found = ask("callers", "zeta");
    assert.deepEqual(
      found.results.map(({ name }) => name),
      ["known"],
    );
    assert.equal(found.mentioned_total ?? 0, 0);
  });

  test("budgets are kept", () => {
    const map = ask("map", "--max-tokens", "60");
    assert.ok(map.map && estimateTokens(map.map) <= 60);
    const few = ask("callers", "add", "--max-tokens", "60");
    assert.ok(few.tokens <= 60 && few.results.length < few.total);
  });

  test("a map may have a folder as its focus, whose tests it then shows", () => {
    assert.doesNotMatch(ask("map").map ?? "", /a\.test\.ts/);
    assert.match(ask("map", "src").map ?? "", /a\.test\.ts/);
    assert.equal(home.run("code", "map", "lib", "--project", project).status, 1);
  });

  test("text for people", () => {
    const { stdout } = home.run("code", "callers", "add", "--project", project);
    assert.match(stdout, /src\/b\.ts:4 {2}twice {2}function, 2×/);
  });
});

test("a server parses code without a word on stderr, and offers likely tests where none is known", async () => {
  const home = new TestHome();
  const repository = new TestRepository(join(home.home, "shop"));
  repository.commit("first", {
    "lib/price.js": "exports.price = (n) => n\n",
    "test/price.test.js": "test('price', () => start().check())\n",
  });
  repository.write("lib/price.js", "exports.price = (n) => n + 1\n");
  home.cwd = repository.root;
  const client = await StdioClient.greeted(home, "--tools=all");
  try {
    const textOf = async (args: object): Promise<string> => JSON.stringify(await client.call("dex_code", args));
    assert.match(await textOf({ action: "impact", diff: true }), /test\/price\.test\.js {2}named after lib\/price\.js/);
    assert.match(
      await textOf({ action: "tests", target: "price" }),
      /no test that runs it; likely ones.*price\.test\.js/,
    );
  } finally {
    await client.end();
  }
  assert.equal(client.stderr, "");
});

test("without an index and without leave to make one, dex says so instead of denying that a name exists", () => {
  const home = new TestHome();
  const repo = new TestRepository();
  repo.commit("feat: begin", { "a.ts": "export function add(): number {\n  return 1;\n}\n" });
  home.cwd = repo.root;
  for (const target of ["add", "a.ts"])
    assert.match(home.run("code", "callers", target, "--no-sync").stderr, /The code of .* is not indexed\./);
  assert.match(home.run("code", "callers", "nothing").stderr, /defines nothing called "nothing"/);
  assert.match(home.run("code", "callers", "nothing", "--no-sync").stderr, /defines nothing called "nothing"/);
});

test("a server outside a repository indexes nothing, whatever it is asked", async () => {
  const home = new TestHome();
  const folder = join(home.home, "notes");
  mkdirSync(folder);
  for (let at = 0; at < 5; at += 1) writeFileSync(join(folder, `a${at}.py`), "def add(x):\n    return x\n");
  home.cwd = folder;
  const client = await StdioClient.greeted(home, "--tools=all");
  try {
    await client.request("tools/list");
    await client.call("dex_search", { query: "add" });
    await client.call("dex_search", { query: "add", in: ["code"] });
    for (const action of ["map", "references", "impact"]) {
      const { isError, _meta } = await client.call("dex_code", { action, target: "add" });
      assert.equal(isError, true);
      assert.equal(_meta?.["dex/error"]?.code, "no_project", action);
    }
    const { _meta } = await client.call("dex_code", { action: "impact", diff: true });
    assert.equal(_meta?.["dex/error"]?.code, "no_project");
  } finally {
    await client.end();
  }
  const databases = join(home.dexHome, "code");
  assert.deepEqual(existsSync(databases) ? readdirSync(databases) : [], []);
});
