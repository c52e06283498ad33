/** The parts of zod that programs of one file get. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** The functions of zod that do not return a schema; they are called at once. */
const AT_ONCE: ReadonlySet<string> = new Set(["toJSONSchema"]);

/** Source of an export `zod` with the functions that these files of dex use: all of zod is ten times as large. */
export async function usedZod(root: string, files: string): Promise<string> {
  return `import * as z from "zod"; export const zod = { ${(await usedNames(root, files)).map((name) => `${name}: z.${name}`).join(", ")} };`;
}

async function usedNames(root: string, files: string): Promise<string[]> {
  const all: Record<string, unknown> = await import("zod");
  const sources = globSync(files, { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  // A call may continue on the next line.
  const used = sources.flatMap((source) => Array.from(source.matchAll(/\bz\s*\.\s*(\w+)/g), ([, name = ""]) => name));
  return [...new Set(used)].filter((name) => typeof all[name] === "function").sort();
}

/** The files whose schemas the frequent verbs may need. */
export const ALL_FILES = "src/**/*.ts";

/**
 * Gives a program schemas that are made when they are first used: see `src/kernel/schema/lazy_schema.ts`. zod itself is in
 * `file`, next to the program.
 */
export function lazySchemas(root: string, file: string): Plugin {
  return {
    name: "lazy-schemas",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^zod$/ }, () => ({ path: "zod", namespace: "lazy-schemas" }));
      onResolve({ filter: /\.cjs$/, namespace: "lazy-schemas" }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: "lazy-schemas" }, async () => {
        const names = await usedNames(root, ALL_FILES);
        const call = (name: string): string => `zod().${name}(...made(args))`;
        // `enum` and the like are words of the language, so each has another name inside.
        const one = (name: string): string =>
          `const $${name} = (...args) => ${AT_ONCE.has(name) ? call(name) : `lazySchema(() => ${call(name)})`};`;
        const contents = [
          `import { lazySchema, made } from ${JSON.stringify(join(root, "src/kernel/schema/lazy_schema.ts"))};`,
          `let loaded; const zod = () => loaded ??= require(${JSON.stringify(file)}).zod;`,
          ...names.map(one),
          `export { ${names.map((name) => `$${name} as ${name}`).join(", ")} };`,
        ];
        return { contents: contents.join("\n"), resolveDir: root };
      });
    },
  };
}
