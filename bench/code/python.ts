/** Reads calls and imports with Python's own parser, as the reference for scores. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Gold, GoldCall } from "./score.ts";

export function pythonGold(folder: string, files: readonly string[]): Gold {
  const run = spawnSync("/usr/bin/python3", [join(import.meta.dirname, "python.py"), folder], {
    input: `${files.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(`python3: ${run.error?.message ?? run.stderr}`);
  const said = JSON.parse(run.stdout) as { calls: GoldCall[]; imports: string[]; undecided: string[] };
  const undecided = new Set(said.undecided);
  return {
    calls: said.calls,
    imports: new Set(said.imports),
    decided: (path, line, name) => !undecided.has(`${path}:${line}:${name}`),
  };
}
