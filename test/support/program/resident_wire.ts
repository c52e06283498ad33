/** The protocol between a test and the resident program: one line of JSON for each command, one for its end. */
import { readSync } from "node:fs";

export interface Request {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** The line that follows each command. `last`: the program has ended itself, or can run no other command. */
export interface Ended {
  status: number;
  last: boolean;
}

/** Undefined: no process is left that could write one. */
export function readLine(file: number): string | undefined {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(64 << 10);
    const size = readSync(file, chunk);
    if (size === 0) return undefined;
    chunks.push(chunk.subarray(0, size));
    if (chunk[size - 1] === 0x0a) return Buffer.concat(chunks).toString("utf8");
  }
}
