/** Calls and imports as a language's own tool reads them, in another process: the reference for scores. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Gold, GoldCall } from "../score.ts";

type ReadGold = (folder: string, files: readonly string[]) => Gold;

/** In the place of a name: nothing is known about any call in that line that leads to no target. */
export const ANY_NAME = "*";

const here = (name: string): string => join(import.meta.dirname, name);

/** Python's own parser. */
export const pythonGold: ReadGold = (folder, files) => goldOf("/usr/bin/python3", [here("python.py"), folder], files);

/** pyright, which infers types. */
export const pyrightGold: ReadGold = (folder, files) => goldOf(process.execPath, [here("pyright.ts"), folder], files);

/** The Java compiler of the JDK. */
export const javaGold: ReadGold = (folder, files) => goldOf("java", [here("JavaCalls.java"), folder], files);

/** libclang and its Python bindings (`pip install libclang`). */
export const cGold: ReadGold = (folder, files) => goldOf("python3", [here("c.py"), folder], files);

/** The same for C++. */
export const cppGold: ReadGold = (folder, files) => goldOf("python3", [here("cpp.py"), folder], files);

/** The Rust compiler, for a crate without dependencies. */
export const rustGold: ReadGold = (folder, files) => goldOf("python3", [here("rust.py"), folder, "std"], files);

/** Mono's C# compiler and Mono.Cecil. */
export const csharpGold: ReadGold = (folder, files) => goldOf("python3", [here("csharp.py"), folder], files);

/** Go's own type checker; the packages it imports are in GOPATH. */
export const goGold: ReadGold = (folder, files) => goldOf("go", ["run", here("go_calls.go"), folder], files);

function goldOf(command: string, args: readonly string[], files: readonly string[]): Gold {
  const run = spawnSync(command, args, { input: `${files.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${command}: ${run.error?.message ?? run.stderr}`);
  const said = JSON.parse(run.stdout) as { calls: GoldCall[]; imports: string[]; undecided: string[] };
  const undecided = new Set(said.undecided);
  return {
    calls: said.calls,
    imports: new Set(said.imports),
    decided: (path, line, name) =>
      !undecided.has(`${path}:${line}:${name}`) && !undecided.has(`${path}:${line}:${ANY_NAME}`),
  };
}
