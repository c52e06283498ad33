/** Code, history and conversations answering together, through the built program on a small repository. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { TestHome } from "../support/program/dex.ts";
import { GIT_VARS, TestRepository, temporaryFolder } from "../support/repository.ts";

interface Found {
  results: {
    kind: string;
    id: string;
    title: string;
    definition?: string;
    signature?: string;
    snippet?: string;
    relative?: number;
  }[];
  total: number;
}
interface History {
  places?: string[];
  events: { ref: string; symbols?: string[] }[];
}
interface Symbols {
  mentions?: { kind: string; ref: string; text: string; of: string }[];
  tokens: number;
}
interface Related {
  results: {
    file: string;
    score: number;
    why: string[];
    changed_with?: { support: number; confidence: number };
  }[];
}

/** A conversation of one message in that folder. */
function say(home: TestHome, session: string, cwd: string, content: string): void {
  const folder = join(home.home, ".claude/projects/-test");
  mkdirSync(folder, { recursive: true });
  const line = {
    type: "user",
    uuid: "1",
    parentUuid: null,
    isSidechain: false,
    cwd,
    sessionId: session,
    entrypoint: "cli",
    timestamp: "2026-01-02T00:00:00.000Z",
    message: { role: "user", content },
  };
  writeFileSync(join(folder, `${session}.jsonl`), `${JSON.stringify(line)}\n`);
}

describe("code and history together", () => {
  const home = new TestHome({ vars: GIT_VARS });
  const repo = new TestRepository();

  before(() => {
    repo.commit("feat: begin", {
      "src/pool.ts": "export function openPool() {\n  return 1;\n}\n",
      "src/far.ts": "export const far = 1;\n",
      "db/schema.sql": "0",
      "db/gone.sql": "0",
    });
    for (let i = 1; i <= 3; i += 1) {
      repo.commit(`feat: step ${i}`, {
        "src/pool.ts": `export function openPool() {\n  return ${i + 1};\n}\n`,
        "db/schema.sql": `${i}`,
        "db/gone.sql": `${i}`,
      });
    }
    repo.git("rm", "--quiet", "db/gone.sql");
    repo.commit("chore: remove");
    home.cwd = repo.root;
  });

  test("related: files that changed together count, with how often; files that are gone do not", () => {
    const { results } = home.json<Related>("code", "related", "src/pool.ts");
    const [first] = results;
    assert.equal(first?.file, "db/schema.sql");
    assert.deepEqual([first?.changed_with?.support, first?.changed_with?.confidence], [3, 1]);
    assert.deepEqual(first?.why, ["also changed in all 3 commits that changed it"]);
    assert.ok(!results.some(({ file }) => file === "db/gone.sql"));
    assert.match(home.run("code", "related", "src/pool.ts").stdout, /schema\.sql.*also changed in all 3 commits/);
  });

  test("search --in code finds definitions; --in all mixes them in by how near they are to the best of their kind", () => {
    const [first] = home.json<Found>("search", "open pool", "--in", "code").results;
    assert.deepEqual(
      [first?.kind, first?.id, first?.title, first?.definition],
      ["code", "src/pool.ts:1", "openPool", "function"],
    );
    const all = home.json<Found>("search", "open pool", "--in", "all");
    assert.ok(all.results.some(({ kind, relative }) => kind === "code" && relative === 1));
    assert.match(
      home.run("search", "open pool", "--in", "code").stdout,
      /openPool\n +src\/pool\.ts:1 +function · lines 1-3/,
    );
    assert.deepEqual(home.json<Found>("search", "open pool", "--in", "code", "--file", "far").results, []);
    assert.match(home.run("search", "pool", "--in", "code", "--role", "user").stderr, /--role filters conversations/);
  });

  test("search --in code finds words in bodies, and shows the line; it says which words no definition has", () => {
    const { results, note } = home.json<Found & { note?: string }>("search", "openPool return 4", "--in", "code");
    assert.equal(results[0]?.title, "openPool");
    assert.match(results[0]?.snippet ?? "", /\n2: return 4;$/);
    assert.equal(note, undefined);
    assert.match(home.run("search", "openPool zeppelin", "--in", "code").stdout, /^No definition contains: zeppelin\./);
  });

  test("search --in all indexes the code of a small repository, not that of a large one; --in code says what to do", () => {
    const other = new TestHome({ vars: GIT_VARS });
    const small = new TestRepository();
    small.write("src/pool.ts", "export function openPool() {}\n");
    other.cwd = small.root;
    const found = other.json<Found>("search", "pool", "--in", "all").results;
    assert.ok(found.some(({ title }) => title === "openPool"));
    const large = new TestRepository();
    for (let i = 0; i <= 2000; i += 1) large.write(`src/pool${i}.ts`, "export function openPool() {}\n");
    other.cwd = large.root;
    assert.deepEqual(other.json<Found>("search", "pool", "--in", "all").results, []);
    assert.match(other.run("ask", "how is a pool opened?").stdout, /Code was not searched; run `dex code index`/);
    other.cwd = temporaryFolder();
    assert.match(other.run("search", "pool", "--in", "code").stderr, /not indexed[\s\S]*dex code index/);
    other.remove();
  });

  test("history: the graph says what a changed line is in, and where a method is", () => {
    const made = new TestRepository();
    const text = (value: number): string =>
      `export class Pool {\n  open() {\n    return 1;\n  }\n  close() {\n    const x = 1;\n    return x + ${value};\n  }\n}\nexport class Door {\n  close() {\n    return 2;\n  }\n}\n`;
    const first = made.commit("feat: begin", { "src/pool.ts": text(1) });
    const second = made.commit("fix: close", { "src/pool.ts": text(2) });
    made.commit("chore: other", { "other.txt": "x" });
    const at = ["--repository", made.root];
    const before = home.json<History>("history", "src/pool.ts", ...at).events;
    assert.deepEqual(before.find(({ ref }) => ref === second)?.symbols, ["Pool"], "the head of the hunk");
    home.json("code", "index", made.root);
    const after = home.json<History>("history", "src/pool.ts", ...at).events;
    assert.deepEqual(after.find(({ ref }) => ref === second)?.symbols, ["Pool.close"]);
    const began = (events: History["events"]) => events.find(({ ref }) => ref === first)?.symbols;
    assert.deepEqual(began(after), began(before), "of another content the graph says nothing");
    const method = home.json<History>("history", "Door.close", ...at);
    assert.deepEqual([method.places, method.events.map(({ ref }) => ref)], [["src/pool.ts:11"], [first]]);
  });

  test("warnings name callers of deprecated code, not files with the same word", () => {
    const made = new TestRepository();
    made.commit("old", {
      "src/old.ts": "/** @deprecated use fresh */\nexport function retireAll() {}\n",
      "src/index.ts": 'export * from "./old.ts";\n',
      "src/use.ts": 'import { retireAll } from "./old.ts";\nexport const use = () => retireAll();\n',
      "src/through.ts": 'import { retireAll } from "./index.ts";\nexport const use = () => retireAll();\n',
      "src/other.ts": "function retireAll() {}\nexport const other = () => retireAll();\n",
    });
    const deprecated = () =>
      home.json<{ deprecations: { named_in: string[]; told_by: string }[] }>("warnings", "--repository", made.root)
        .deprecations[0];
    assert.deepEqual([deprecated()?.named_in, deprecated()?.told_by], [["src/use.ts"], "text"]);
    home.json("code", "index", made.root);
    assert.deepEqual([deprecated()?.named_in, deprecated()?.told_by], [["src/through.ts", "src/use.ts"], "code"]);
  });

  test("symbol --mentions: conversations, commits and decisions that speak of it", () => {
    const made = new TestRepository();
    made.commit("feat: begin", {
      "src/gate.ts": "export function openGate() {}\n",
      "src/b.ts": "export const b = 1;\n",
    });
    const sha = made.commit("perf: let openGate wait\n\nDecision: openGate waits for a second", { "src/b.ts": "x\n" });
    made.commit("docs: openGateway is another name", { "c.md": "x" });
    const session = "cccc3333-0000-4000-8000-000000000003";
    say(home, session, made.root, "Why does openGate block?");
    home.json("code", "index", made.root);
    const ask = (...args: string[]) => home.json<Symbols>("code", "symbol", ...args, "--project", made.root);
    assert.equal(ask("openGate").mentions, undefined);
    const { mentions = [], tokens } = ask("openGate", "--mentions");
    const named = mentions.filter(({ of }) => of === "symbol").map(({ kind, ref }) => [kind, ref]);
    assert.deepEqual(named.slice(0, 2), [
      ["conversation", `${session}#0`],
      ["commit", sha],
    ]);
    assert.equal(named[2]?.[0], "decision");
    assert.ok(!mentions.some(({ text }) => text.includes("openGateway")));
    assert.ok(mentions.some(({ kind, of }) => kind === "commit" && of === "file"));
    assert.ok(tokens > 0 && ask("openGate", "--mentions", "--max-tokens", "100").tokens <= 100);
    const shown = home.run("code", "symbol", "openGate", "--mentions", "--project", made.root).stdout;
    assert.match(shown, /mentioned in:\n +cccc3333\S+#0 /);
  });

  test("decisions: a name that the code defines makes one surer", () => {
    const made = new TestRepository();
    made.commit("feat: begin", { "src/gate.ts": "export function openGate() {}\n" });
    const shown = (index: boolean): number => {
      const own = new TestHome({ vars: GIT_VARS });
      say(own, "dddd4444-0000-4000-8000-000000000004", made.root, "I chose `openGate`.");
      if (index) own.json("code", "index", made.root);
      const { total } = own.json<{ total: number }>("decisions", "--repository", made.root);
      own.remove();
      return total;
    };
    assert.deepEqual([shown(false), shown(true)], [0, 1]);
  });

  test("related: without a history it answers from the code alone", () => {
    const folder = temporaryFolder();
    const plain = new TestRepository(folder);
    plain.write("src/a.ts", "export const a = 1;\n");
    plain.write("src/b.ts", 'import { a } from "./a.ts";\nexport const b = a;\n');
    home.json("code", "index", folder);
    const [first] = home.json<Related>("code", "related", "src/a.ts", "--project", folder).results;
    assert.deepEqual([first?.file, first?.why[0], first?.changed_with], ["src/b.ts", "imports it", undefined]);
  });
});
