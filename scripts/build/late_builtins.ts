/** Parts of Node that a program of one file loads late. */
import { join } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Loads these parts of Node when they are first used. An import loads them at once, and most events do not need them:
 * together they take longer to load than the rest of an ignored event.
 */
const LATE_BUILTINS = [
  "node:crypto",
  "node:child_process",
  "node:timers/promises",
  "node:worker_threads",
  "node:os",
  "node:v8",
  "node:zlib",
] as const;

export function lateBuiltins(root: string): Plugin {
  return {
    name: "late-builtins",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: new RegExp(`^(?:${LATE_BUILTINS.join("|")})$`) }, ({ path, namespace }) =>
        namespace === "late" ? { path, external: true } : { path, namespace: "late" },
      );
      onLoad({ filter: /./, namespace: "late" }, async ({ path }) => {
        const names = Object.entries((await import(path)) as object).flatMap(([name, value]) =>
          typeof value === "function" && name !== "default" ? [name] : [],
        );
        const one = (name: string): string =>
          `export function ${name}(...args) { return new.target ? new (part().${name})(...args) : part().${name}(...args); }`;
        const constants = "export const constants = new Proxy({}, { get: (_, name) => part().constants[name] });";
        // Loaded once, and the part that sets flags needs none of its own.
        const flags = `import { withUsualFlags } from ${JSON.stringify(join(root, "src/threads/engine_flags.ts"))};`;
        const load = `process.getBuiltinModule("${path}")`;
        const part = `let loaded; const part = () => loaded ??= ${path === "node:v8" ? load : `withUsualFlags(() => ${load})`};`;
        return { contents: [flags, part, constants, ...names.map(one)].join("\n"), resolveDir: root };
      });
    },
  };
}
