/** Gives a program the functions of `src/kernel/files/quick_path.ts` in the place of those of `node:path`. */
import { join } from "node:path";
import type { Plugin } from "esbuild";

const QUICK: Readonly<Record<string, string>> = { join: "quickJoin", resolve: "quickResolve" };

export function quickPaths(root: string): Plugin {
  const file = join(root, "src/kernel/files/quick_path.ts");
  return {
    name: "quick-paths",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^node:path$/ }, ({ importer, namespace }) =>
        importer === file || namespace === "quick-paths" ? undefined : { path: "node:path", namespace: "quick-paths" },
      );
      onLoad({ filter: /./, namespace: "quick-paths" }, async () => {
        const names = Object.keys(await import("node:path")).filter((name) => QUICK[name] === undefined);
        const quick = Object.entries(QUICK).map(([name, own]) => `${own} as ${name}`);
        const contents = [
          `export { ${quick.join(", ")} } from ${JSON.stringify(file)};`,
          `export { ${names.join(", ")} } from "node:path";`,
        ];
        return { contents: contents.join("\n"), resolveDir: root };
      });
    },
  };
}
