/** A hook answers within milliseconds: the schema library, which takes longer to load than that, is loaded only on demand. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build, type Metafile, type Plugin } from "esbuild";
import { CHECKOUT } from "../support/program/checkout.ts";

const ENTRY = "src/hooks/hook.ts";
/** Loaded on demand, but for every prompt of a person who has documentation. */
const LIBRARY = "src/collections/library.ts";

/** A hook waits only for imports of the hooks themselves; all others that are on demand would be half of dex. */
const onDemandApart: Plugin = {
  name: "on-demand-apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path, importer }) =>
      kind === "dynamic-import" &&
      !importer.startsWith(join(CHECKOUT, "src/hooks/")) &&
      !LIBRARY.endsWith(path.slice(1))
        ? { path, external: true }
        : undefined,
    );
  },
};

test("the hook's static imports do not lead to the schema library", async () => {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    absWorkingDir: CHECKOUT,
    outdir: "dist",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    external: ["@parcel/watcher"],
    plugins: [onDemandApart],
    logLevel: "error",
  });
  const loaded = loadedWith(metafile);
  assert.ok(loaded.includes(ENTRY) && loaded.includes(LIBRARY) && loaded.length > 100, "the closure was found");
  assert.deepEqual(loaded.filter((file) => file.includes("node_modules/zod/")).slice(0, 3), []);
});

/** The source files that a hook runs: those of its entry, of the parts that the hooks load themselves, and of their imports. */
function loadedWith({ inputs, outputs }: Metafile): string[] {
  const parts = Object.entries(inputs)
    .filter(([file]) => file.startsWith("src/hooks/"))
    .flatMap(([, { imports }]) => imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path));
  const entries = new Set([ENTRY, LIBRARY, ...parts]);
  const open = Object.keys(outputs).filter((path) => entries.has(outputs[path]?.entryPoint ?? ""));
  const seen = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement" || !outputs[next] || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return [...seen].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
}
