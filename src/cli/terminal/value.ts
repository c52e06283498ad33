/** A value that should not stand in a command line, where histories and process lists show it: from a pipe, or typed unseen. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { DexError } from "../../kernel/errors.ts";

const LONGEST = 10_000;

export async function askValue(of: string): Promise<string> {
  const value = process.stdin.isTTY ? await typed(of) : await piped();
  if (value === "") throw new DexError("bad_value", `There was no value for ${of}.`);
  return value;
}

async function piped(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > LONGEST) throw new DexError("bad_value", `The value has more than ${LONGEST} characters.`);
  }
  return text.replace(/\r?\n$/, "");
}

function typed(of: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(`${of}: `);
  return new Promise((resolve) => {
    lines.once("line", resolve);
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      process.stderr.write("\n");
      resolve("");
    });
  }).then((line) => {
    lines.close();
    return String(line);
  });
}
