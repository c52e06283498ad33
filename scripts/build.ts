/** Bundles `dist/`: the program, the reader thread and the library; the embedding model goes beside them. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { grammars } from "../src/code/languages/registry.ts";
import { RUNTIME } from "../src/code/parsing/locate.ts";
import { loadSettings } from "../src/config/settings.ts";
import { findToolVerbs } from "../src/operations/toolsets.ts";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const define = {
  DEX_VERSION: JSON.stringify(version),
  DEX_TOOL_VERBS: JSON.stringify(await findToolVerbs()),
  DEX_DEFAULT_SETTINGS: JSON.stringify(await loadSettings("", {})),
};

rmSync(join(root, "dist"), { recursive: true, force: true });
/**
 * One split build for the program, the library and the thread that reads documents: they share chunks, so that large
 * parts (the PDF reader) are shipped once, and a command loads only what it uses. The sync and code threads are one file
 * each, because each file costs about a millisecond to load. The hook is a build of its own for the same reason: alone it
 * has half as many chunks to load.
 */
const parts: BuildOptions[] = [
  {
    entryPoints: {
      dex: "src/cli/entry.ts",
      main: "src/cli/main.ts",
      index: "src/index.ts",
      documents_worker: "src/collections/reading/worker.ts",
    },
    splitting: true,
  },
  {
    entryPoints: { hook: "src/hooks/hook.ts" },
    splitting: true,
    chunkNames: "hook-[name]-[hash]",
    // Code that reads PDFs is reachable from here by imports, but no hook runs it.
    external: ["unpdf", "unpdf/*"],
    // An agent waits for it: fewer bytes to load and compile.
    minifyIdentifiers: true,
  },
  { entryPoints: { worker: "src/sync/reading/worker.ts" }, splitting: false },
  { entryPoints: { code_worker: "src/code/indexing/worker.ts" }, splitting: false },
];
for (const part of parts) {
  await build({
    chunkNames: "[name]-[hash]",
    ...part,
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minifySyntax: true,
    minifyWhitespace: true,
    // Their main entries are CommonJS, which cannot be bundled into ES modules without `require`.
    alias: {
      yaml: join(root, "node_modules/yaml/browser/index.js"),
      "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js"),
    },
    // Loads the program code that fits the machine from a package beside it.
    external: ["@parcel/watcher", ...(part.external ?? [])],
    define,
    legalComments: "linked",
    logLevel: "warning",
  });
}
chmodSync(join(root, "dist/dex.js"), 0o755);

const model = join(root, "models/static.bin");
if (existsSync(model)) copyFileSync(model, join(root, "dist/model.bin"));
else process.stderr.write(`${model} is missing: the built program has no embedding model\n`);

mkdirSync(join(root, "dist/grammars"));
for (const { package: name, file } of [RUNTIME, ...(await grammars())]) {
  copyFileSync(join(root, "node_modules", name, file), join(root, "dist/grammars", file));
}

if (process.argv.includes("--types")) {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const made = spawnSync(process.execPath, [tsc, "-p", "tsconfig.types.json"], { cwd: root, stdio: "inherit" });
  process.exitCode = made.status ?? 1;
}
