/** Bundles `dist/`: the program, the reader thread and the library, split so that a command loads what it uses. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

rmSync(join(root, "dist"), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { dex: "src/cli/entry.ts", worker: "src/sync/worker.ts", index: "src/index.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: "[name]-[hash]",
  define: { DEX_VERSION: JSON.stringify(version) },
  legalComments: "linked",
  logLevel: "warning",
  banner: { js: "import{createRequire as $r}from'node:module';const require=$r(import.meta.url);" },
});
chmodSync(join(root, "dist/dex.js"), 0o755);

if (process.argv.includes("--types")) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const made = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
  process.exitCode = made.status ?? 1;
}
