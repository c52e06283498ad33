/** Runs every test, or those whose path holds one of the arguments. Tests never see the user's own home. */
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const wanted = process.argv.slice(2);
const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
const home = mkdtempSync(join(tmpdir(), "dex-test-home-"));
try {
  const run = spawnSync(
    process.execPath,
    ["--test", "--test-concurrency=2", "--test-timeout=300000", "--test-reporter=spec", ...files],
    { cwd: root, stdio: "inherit", env: { ...process.env, HOME: home, DEX_HOME: join(home, ".dex"), NO_COLOR: "1" } },
  );
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
