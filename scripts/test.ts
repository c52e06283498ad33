/**
 * Runs every test, or those whose path holds one of the arguments. Tests never see the user's own home. At the end the
 * tests that were skipped are listed with their reasons, before the runner's own counts.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILE_CACHE, HANG_MS } from "../test/support/limits.ts";

const root = join(import.meta.dirname, "..");
const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
const home = mkdtempSync(join(tmpdir(), "dex-test-home-"));
const reporter = new URL("./test_reporter.ts", import.meta.url).href;
const flags = ["--test-concurrency=2", `--test-timeout=${HANG_MS}`, `--test-reporter=${reporter}`];
const run = spawn(process.execPath, ["--test", ...flags, ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    HOME: home,
    DEX_HOME: join(home, ".dex"),
    NO_COLOR: "1",
    // Two hundred test files import the same sources: their types are stripped and their code compiled once.
    NODE_COMPILE_CACHE: COMPILE_CACHE,
  },
});
run.once("close", (status) => {
  rmSync(home, { recursive: true, force: true });
  process.exitCode = status ?? 1;
});
