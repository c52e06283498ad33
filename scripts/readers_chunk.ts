/**
 * Puts the history readers of all agents into one chunk. In the source each agent's reader is loaded separately; but a
 * check for new conversations, with which most commands begin, needs all of them, and each file costs about a
 * millisecond to load. Chunks that readers share would come on top.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

export function readersInOneChunk(root: string): Plugin {
  const folder = join(root, "src/integrations/agents");
  return {
    name: "readers-in-one-chunk",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\/history\/source\.ts$/ }, ({ kind, importer }) =>
        kind === "dynamic-import" && importer.startsWith(folder)
          ? { path: "history_readers", namespace: "readers" }
          : undefined,
      );
      onLoad({ filter: /./, namespace: "readers" }, () => {
        const files = globSync("*/history/source.ts", { cwd: folder }).sort();
        return { contents: files.map((file) => `export * from "./${file}";`).join("\n"), resolveDir: folder };
      });
    },
  };
}
