/** Questions about a project's code to the built program: quoted, by a scripted model, and never beyond the project. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import {
  type ModelReply,
  type ModelRequest,
  offeredTools,
  startModelServer,
  toolResults,
} from "../support/model/model_server.ts";
import { type Answer, TestHome } from "../support/program/dex.ts";
import { StdioClient } from "../support/servers/mcp.ts";

interface Outcome {
  answer: string;
  sources: { ref: string; collection: string; document: string; section?: string; lines?: [number, number] }[];
  confidence: string;
  note?: string;
  engine: string;
}

const SECRET = ["ghp", "_", "x7Kp2mQ9vR4tY8wZ1nB6cD3fG5hJ0kL2sA4e"].join("");
const PAYMENTS = `import { round } from "./money.ts";

/** What a customer pays: the price with its discount, never below zero. */
export function priceAfterDiscount(price: number, discount: number): number {
  const left = price - price * discount;
  return Math.max(0, round(left));
}

export function checkout(prices: number[]): number {
  return prices.map((price) => priceAfterDiscount(price, 0.1)).reduce((a, b) => a + b, 0);
}

export const token = "${SECRET}";
`;

const REFUND = `def refund(
    order: int,
    reason: str,
) -> bool:
    """Refund a wrapped gift order.

    Call it with the reason::

        if late:
            refund(7, "late")
    """
    return order > 0
`;

let home: TestHome;

before(() => {
  home = new TestHome();
  const project = join(home.home, "shop");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(home.home, path)), { recursive: true });
    writeFileSync(join(home.home, path), text);
  };
  write("outside/secret.ts", "export function outsideSecret(): string {\n  return 'hunter2';\n}\n");
  write("shop/src/payments.ts", PAYMENTS);
  write("shop/src/money.ts", "/** To whole cents. */\nexport function round(x: number): number {\n  return x;\n}\n");
  write("shop/src/refund.py", REFUND);
  write("shop/.gitignore", "private.ts\n");
  write("shop/private.ts", "export const hunter2 = 'hunter2';\n");
  symlinkSync(join(home.home, "outside"), join(project, "linked"));
  const git = (...args: string[]): unknown =>
    spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd: project });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "feat: discounts are ten percent");
  home.cwd = project;
});

async function run(args: readonly string[], vars: Record<string, string> = {}): Promise<Answer> {
  return home.withVars(vars).runBeside(...args);
}

async function asked(query: string, script?: (request: ModelRequest, n: number) => ModelReply, where = "code") {
  const vars: Record<string, string> = {};
  if (script) {
    const server = await startModelServer(script);
    Object.assign(vars, { DEX_LLM_PROVIDER: server.url, DEX_LLM_MODEL: "scripted", DEX_LLM_API_KEY: "sk-1234567890" });
  }
  const answer = await run(["ask", query, "--in", where, "--json"], vars);
  assert.ok(answer.status === 0 || answer.status === 1, answer.stderr);
  return JSON.parse(answer.stdout) as Outcome;
}

/** Makes these calls, then says what came back. */
function calling(...calls: { name: string; arguments: object }[]): (request: ModelRequest) => ModelReply {
  return (request) => {
    const results = toolResults(request);
    return results.length === 0 ? { toolCalls: calls } : { text: results.join("\n") };
  };
}

test("without a model: the definition with its comment, whole, cited by file and lines", async () => {
  const { answer, sources, engine } = await asked("What is the price after a discount?");
  assert.equal(engine, "extractive");
  const definition = PAYMENTS.split("\n").slice(3, 7).join("\n");
  assert.ok(answer.includes(definition), answer);
  assert.match(answer, /What a customer pays: the price with its discount, never below zero\./);
  assert.deepEqual(
    sources.map(({ collection, document, section, lines }) => ({ collection, document, section, lines }))[0],
    { collection: "code", document: "src/payments.ts", section: "priceAfterDiscount", lines: [4, 7] },
  );
  const shown = await run(["ask", "What is the price after a discount?", "--in", "code"]);
  assert.match(shown.stdout, /^• src\/payments\.ts:4-7 priceAfterDiscount \[S\d\]$/m);
  const secret = await asked("token");
  assert.match(secret.answer, /REDACTED/);
  assert.ok(!secret.answer.includes(SECRET));
});

test("a docstring is quoted once, its example laid out as written", async () => {
  const { answer } = await asked("How do I refund a wrapped gift order?");
  assert.match(answer, /if late:\n {4}refund\(7, "late"\)/);
  assert.match(answer, /def refund\(\n {4}order: int,\n {4}reason: str,\n\) -> bool:\n {4}…\n {4}return order > 0/);
  assert.equal(answer.split("Refund a wrapped gift order.").length, 2, answer);
});

test("a model reads definitions, callers, lines and history, and what it quotes is checked against the lines", async () => {
  const model = (request: ModelRequest): ModelReply => {
    const results = toolResults(request);
    if (results.length === 0) {
      const offered = offeredTools(request);
      assert.deepEqual(offered.toSorted(), ["dex_code", "dex_code_lines", "dex_history", "dex_search_code"]);
      return {
        toolCalls: [
          { name: "dex_search_code", arguments: { query: "discount" } },
          { name: "dex_code", arguments: { action: "callers", target: "priceAfterDiscount" } },
          { name: "dex_code_lines", arguments: { file: "src/payments.ts", from: 9, to: 14 } },
          { name: "dex_history", arguments: { target: "src/payments.ts" } },
        ],
      };
    }
    assert.match(results[0] ?? "", /code: src\/payments\.ts → priceAfterDiscount \(lines 4-7\)/);
    assert.match(results[1] ?? "", /function checkout src\/payments\.ts:9, named on line 10/);
    assert.match(results[1] ?? "", /code: src\/payments\.ts → checkout \(lines 8-12\)/);
    assert.match(results[2] ?? "", /code: src\/payments\.ts → 9-14 \(lines 9-14\)/);
    assert.match(results[2] ?? "", /REDACTED/);
    assert.ok(!results.join("").includes(SECRET));
    assert.match(results[3] ?? "", /commits: [0-9a-f]{12}\n.*discounts are ten percent/);
    return {
      text: 'A price falls by `price * discount`: "const left = price - price * discount;" [S1]. It is written "return price minus everything today" [S1].\n\nConfidence: high',
    };
  };
  const { sources, note, confidence } = await asked("How is the discount of a price computed?", model);
  assert.ok(sources.some(({ document, lines }) => document === "src/payments.ts" && lines?.[0] === 4));
  assert.match(note ?? "", /Quoted, but not found in what was read: "return price minus everything today"/);
  assert.doesNotMatch(note ?? "", /const left/);
  assert.notEqual(confidence, "high");
});

test("nothing outside the project can be read, whatever the model asks for", async () => {
  const away = [
    "../../etc/passwd",
    "/etc/passwd",
    "../outside/secret.ts",
    "linked/secret.ts",
    "private.ts",
    ".git/config",
  ];
  const lines = away.map((file) => ({ name: "dex_code_lines", arguments: { file } }));
  const read = await asked("What is in the other files?", calling(...lines));
  assert.equal((read.answer.match(/This project's code has no file/g) ?? []).length, away.length);
  const others = await asked(
    "What is in the other files?",
    calling(
      { name: "dex_code", arguments: { action: "symbol", target: "../../etc/passwd" } },
      { name: "dex_code", arguments: { action: "symbol", target: "outsideSecret" } },
      { name: "dex_code", arguments: { action: "map", project: "../outside" } },
      { name: "dex_history", arguments: { target: "../../etc/passwd" } },
      { name: "dex_history", arguments: { target: "secret.ts", repository: "../outside" } },
      { name: "dex_search_code", arguments: { query: "outsideSecret hunter2" } },
      { name: "dex_search_code", arguments: { query: "secret", in: "conversations", project: "x" } },
    ),
  );
  for (const { answer, sources } of [read, others]) {
    assert.doesNotMatch(answer, /root:|hunter2'|outsideSecret\(/);
    assert.deepEqual(sources, []);
  }
  assert.match(others.answer, /dex_code has no parameter "project"/);
  assert.match(others.answer, /dex_history has no parameter "repository"/);
  assert.match(others.answer, /dex_search_code has no parameter "project"/);
});

test("all: code beside documents, where it was indexed; no code is a sentence", async () => {
  const docs = join(home.home, "guide");
  mkdirSync(docs);
  writeFileSync(join(docs, "shop.md"), "# Shop\n\n## Opening hours\n\nThe shop opens at nine.\n");
  assert.equal(home.run("docs", "add", "shop", docs).status, 0);
  const both = await asked("price after discount, checkout", undefined, "all");
  assert.ok(both.sources.some(({ collection }) => collection === "code"));
  const hours = await asked("When does the shop open?", undefined, "all");
  assert.deepEqual(hours.sources.map(({ document }) => document)[0], "shop.md");
  const empty = new TestHome();
  assert.match(empty.run("ask", "anything", "--in", "all").stdout, /dex docs add.*dex code index/);
  const none = empty.run("ask", "anything", "--in", "code");
  assert.equal(none.status, 2);
  assert.match(none.stderr, /not indexed, and the folder is not in a git repository/);
});

test("a question that names no place indexes the repository, and quotes how its code works; mcp agent too", async () => {
  const other = new TestHome();
  other.cwd = join(other.home, "kiln");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(other.cwd, path)), { recursive: true });
    writeFileSync(join(other.cwd, path), text);
  };
  const steps = Array.from({ length: 60 }, (_, i) => `  heater.step(${i}, "warm the stones a little");`).join("\n");
  const fire = (place: string): string =>
    `/** Fires the pots of the ${place}. */\nexport function firePots(heater: Heater) {\n${steps}\n  if (heater.cracked) throw new Error("a pot has cracked");\n}\n`;
  write("src/fire.ts", fire("kiln"));
  write("examples/fire/fire.ts", fire("kiln").replace("firePots", "fireExamplePots"));
  write(
    "src/shelf.ts",
    `/** Where pots cool. */\nexport class Shelf {\n  glazeFormula = "feldspar";\n${Array.from({ length: 30 }, (_, i) => `  hold${i}(pot: string) {\n    return this.place(pot, ${i}, "the shelf of the kiln, below the window");\n  }\n`).join("")}}\n`,
  );
  const example = Array.from({ length: 60 }, (_, i) => ` * lid.turn(${i}, "a little to the left");`).join("\n");
  write(
    "src/lid.ts",
    `/**\n * Closes the lid.\n *\n * \`\`\`ts\n${example}\n * \`\`\`\n */\nexport function closeLid(lid: Lid) {\n  lid.seal("with wet clay");\n}\n`,
  );
  spawnSync("git", ["init", "-q"], { cwd: other.cwd });
  const unsynced = other.run("ask", "what does firePots throw?", "--no-sync");
  assert.match(unsynced.stdout, /Code was not searched/);
  const client = await StdioClient.greeted(other, "mcp", "agent");
  const served = await client.call("ask_documents", { query: "what does firePots throw?", use_case: "a review" });
  assert.match(served.content[0]?.text ?? "", /src\/fire\.ts → firePots/);
  assert.equal(await client.end(), 0);
  const put = (query: string): Outcome => other.json<Outcome>("ask", query, "--no-model");
  const named = put("what does firePots throw when a pot has cracked?");
  assert.deepEqual([named.sources[0]?.document, named.sources[0]?.section], ["src/fire.ts", "firePots"]);
  assert.match(named.answer, /throw new Error\("a pot has cracked"\)/);
  assert.equal(put("how are the pots of the kiln fired?").sources[0]?.document, "src/fire.ts");
  assert.equal(put("which example fires the pots of the kiln?").sources[0]?.document, "examples/fire/fire.ts");
  assert.match(put("which glaze formula does the shelf have?").answer, /glazeFormula = "feldspar"/);
  // The index has a part of the long comment: its example ends before the code begins.
  assert.match(
    put("how does closeLid seal the lid?").answer,
    /```ts\nexport function closeLid\(lid: Lid\) \{\n {2}lid\.seal/,
  );
  assert.deepEqual(put("which parrot guards the harbour?").sources, []);
});

test("mcp agent --in code answers from code, and a call cannot change that", async () => {
  const client = await StdioClient.greeted(home, "mcp", "agent", "--in", "code");
  const found = await client.call("ask_documents", { query: "price after discount", use_case: "a review" });
  assert.match(found.content[0]?.text ?? "", /priceAfterDiscount[\s\S]*src\/payments\.ts:4-7/);
  const wider = await client.call("ask_documents", { query: "x", use_case: "x", in: "all" });
  assert.equal(wider._meta?.["dex/error"]?.code, "unknown_parameter");
  assert.equal(await client.end(), 0);
  const wrong = await run(["mcp", "agent", "--in", "cod"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /documents, conversations, code, all/);
});
