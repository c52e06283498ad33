/** Plugins of esbuild: parts of Node that are loaded late or not at all, and files that a program goes without. */
import { isBuiltin } from "node:module";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/**
 * CommonJS packages load parts of Node with `require`, which ES modules do not have: here they import them. In a CommonJS
 * file, `import()` of a part of Node becomes `require`: Node warns of the other where the file is run from the code cache.
 */
export const importedBuiltins: Plugin = {
  name: "imported-builtins",
  setup: ({ initialOptions, onResolve, onLoad }) => {
    const late = initialOptions.format === "cjs" ? ["require-call", "dynamic-import"] : ["require-call"];
    onResolve({ filter: /./ }, ({ kind, path }) =>
      late.includes(kind) && isBuiltin(path)
        ? { path: path.replace(/^(?:node:)?/, "node:"), namespace: "builtin" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({ contents: `export * from "${path}";` }));
  },
};

/**
 * Node makes an ES module of each of its own parts that is imported, which reads every getter of it: for `node:fs` that
 * loads all streams. Files that every start waits for import the default exports instead, which need no such module.
 * An old Node without that function gets nothing, and then the sentence that it is too old.
 */
export const plainBuiltins: Plugin = {
  name: "plain-builtins",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      /src\/(?:config\/compile_cache|threads\/code_cache|cli\/(?:entry|terminal\/standard_streams))\.ts$/.test(importer)
        ? { path, namespace: "plain" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "plain" }, ({ path }) => ({
      contents: `export default (process.getBuiltinModule ?? (() => ({})))("${path}");`,
    }));
  },
};

/** Leaves out files that are loaded with `import()` and that no run of this program loads. */
export function without(files: RegExp): Plugin {
  return {
    name: "without",
    setup: ({ onResolve }) => {
      onResolve({ filter: /./ }, ({ kind, path, importer }) => {
        if (kind !== "dynamic-import") return undefined;
        const file = path.startsWith(".") ? join(importer, "..", path) : path;
        return files.test(file) ? { path, external: true } : undefined;
      });
    },
  };
}

/** Loads these packages from a file next to the program, when they are first used. */
export function apart(file: string, packages: RegExp): Plugin {
  const namespace = `apart ${file}`;
  return {
    name: "packages-apart",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: packages }, ({ path }) => ({ path, namespace }));
      onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `module.exports = require("${file}")["${path}"];`,
      }));
    },
  };
}

/**
 * Parts of Node that the driver uses little of. TLS, which takes as long to load as all others together, is loaded by the
 * first server that asks for it; a clock needs none.
 */
const DRIVER_PARTS: Readonly<Record<string, string>> = {
  tls: 'export default { connect: (...args) => process.getBuiltinModule("node:tls").connect(...args) };',
  perf_hooks: "export const performance = { now: () => process.uptime() * 1000 };",
};

export const smallDriver: Plugin = {
  name: "small-driver",
  setup: ({ onResolve, onLoad }) => {
    const filter = new RegExp(`^(?:${Object.keys(DRIVER_PARTS).join("|")})$`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: "small-driver" }));
    onLoad({ filter: /./, namespace: "small-driver" }, ({ path }) => ({ contents: DRIVER_PARTS[path] ?? "" }));
  },
};
