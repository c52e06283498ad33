/** The built package as a library: the example of its page, and the operations by their names. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Dex, DexError, type OperationName, operations, runOperation } from "../../src/index.ts";
import { libraryExample } from "../support/library_example.ts";
import { CHECKOUT } from "../support/program/checkout.ts";
import { TestHome } from "../support/program/dex.ts";
import { HANG_MS } from "../support/program/limits.ts";

const home = new TestHome({ samples: true });
let dex: Dex;
before(async () => {
  dex = await Dex.open({ vars: home.env, cwd: home.home });
});
after(() => dex.close());

test("the example on docs/guide/library.md runs against the built package", () => {
  const project = join(home.home, "program");
  mkdirSync(join(project, "node_modules"), { recursive: true });
  symlinkSync(CHECKOUT, join(project, "node_modules/dex-context"));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  writeFileSync(join(project, "example.ts"), libraryExample());
  const { status, stdout, stderr } = spawnSync(process.execPath, ["example.ts"], {
    cwd: project,
    env: home.env,
    encoding: "utf8",
    timeout: HANG_MS,
  });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^2026-03-10 {2}Fix the flaky rate limit test {2}\(80053dd5\)$/m);
  assert.equal(stderr, "");
});

test("an operation is run by its name: the index is fresh, the defaults are set, a trace is left", async () => {
  const { output, unindexed } = await runOperation(dex, "search", { query: "refresh tokens" });
  assert.equal(unindexed, false);
  const [first] = output.results;
  assert.equal(first?.title, "Refresh tokens for the notes API");
  const { output: stats } = await runOperation(dex, "stats", {});
  assert.equal(stats.total_conversations, 4);
  const { output: left } = await runOperation(dex, "traces", {});
  assert.ok(left.traces.some(({ query }) => query === "refresh tokens"));
});

test("a wrong name and a wrong input fail with a sentence", async () => {
  const named = (name: string, input: object): Promise<unknown> =>
    runOperation(dex, name as OperationName, input as Parameters<typeof runOperation>[2]);
  await assert.rejects(named("serch", { query: "x" }), failing("unknown_operation", /"serch"/, /"search"/));
  await assert.rejects(named("toString", {}), failing("unknown_operation", /"toString"/, /operations/));
  await assert.rejects(named("search", {}), failing("bad_input", /"query" must be text/, /dex search --help/));
  await assert.rejects(
    named("search", { query: "x", limit: -1 }),
    failing("bad_input", /"limit" must not be negative/, /--help/),
  );
});

test("an error names the fields of the operation, not the flags of the command line", async () => {
  const { output } = await runOperation(dex, "list", {});
  const id = output.conversations[0]?.id ?? "";
  await assert.rejects(runOperation(dex, "forget", { ids: [id] }), (error: unknown) => {
    assert.ok(error instanceof DexError && error.code === "needs_yes");
    assert.match(error.hint ?? "", /\byes\b.*\bdry_run\b/);
    assert.doesNotMatch(`${error.message} ${error.hint}`, /--/);
    return true;
  });
});

test("every operation can be loaded, under its own verb", async () => {
  const names = Object.keys(operations) as OperationName[];
  assert.ok(names.length > 80);
  for (const name of names) assert.equal((await operations[name]()).verb, name);
});

function failing(code: string, message: RegExp, hint: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DexError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.hint ?? "", hint);
    return true;
  };
}
