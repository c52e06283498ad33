import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const failure = pathToFileURL(`${import.meta.dirname}/failure.ts`).href;

function run(
  body: string,
  vars: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const script = `import { endOnUncaught, fail } from ${JSON.stringify(failure)}; import * as z from "zod"; ${body}`;
  const args = ["--no-warnings", "--input-type=module", "-e", script];
  const env = { PATH: process.env.PATH ?? "", ...vars };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: import.meta.dirname,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("an unexpected failure is one sentence, without a stack; DEX_DEBUG adds it", () => {
  const body = 'process.exitCode = fail(new Error("the disk\\nis made of cheese"), true);';
  const answer = run(body);
  assert.equal(answer.status, 2);
  assert.equal(answer.stderr, "dex: unexpected failure: the disk\nSet DEX_DEBUG=1 for details.\n");
  assert.equal(JSON.parse(answer.stdout).error.code, "unexpected");
  assert.match(
    run(body, { DEX_DEBUG: "1" }).stderr,
    /unexpected failure: the disk\nError: the disk\nis made of cheese\n {4}at /,
  );
});

test("neither a validator's document nor an endless message is printed", () => {
  const zod = run("try { z.object({ a: z.string() }).parse({}) } catch (error) { fail(error, false) }");
  assert.equal(zod.stderr, "dex: unexpected failure: data in an unexpected format.\nSet DEX_DEBUG=1 for details.\n");
  const long = run('fail(new Error("x".repeat(100000)), false)');
  assert.ok(long.stderr.length < 500);
});

test("an uncaught error ends the same way", () => {
  for (const body of [
    'endOnUncaught(false); setTimeout(() => { throw new Error("late") });',
    'endOnUncaught(false); Promise.reject(new Error("late"));',
  ]) {
    assert.deepEqual(run(body), {
      status: 2,
      stdout: "",
      stderr: "dex: unexpected failure: late\nSet DEX_DEBUG=1 for details.\n",
    });
  }
});
