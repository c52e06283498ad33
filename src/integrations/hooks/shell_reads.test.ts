import assert from "node:assert/strict";
import { test } from "node:test";
import { shellReads } from "./shell_reads.ts";

const CASES: [command: string | string[], files: string[]][] = [
  ["cat src/a.ts", ["src/a.ts"]],
  ["sed -n '1,80p' src/a.ts", ["src/a.ts"]],
  ["nl -ba 'src/with space.ts' | sed -n '1,5p'", ["src/with space.ts"]],
  ["cd x && head -n 20 a.md; tail -5 b.md", ["a.md", "b.md"]],
  [
    ["bash", "-lc", "cat a.ts b.ts"],
    ["a.ts", "b.ts"],
  ],
  ["sed -i 's/a/b/' src/a.ts", []],
  ["cat > src/a.ts", []],
  ["cat $HOME/.ssh/id", []],
  ["npm test", []],
  ["echo cat src/a.ts", []],
  ["", []],
];

test("commands that show a file are recognised, and others are not", () => {
  for (const [command, files] of CASES) {
    const call = { type: "tool_call", name: "Bash", input: { command } } as const;
    assert.deepEqual(shellReads(call), files, String(command));
  }
  assert.deepEqual(shellReads({ type: "tool_call", name: "Read", input: { command: "cat src/a.ts" } }), []);
});
