/** Reads a secret value from a pipe or a hidden prompt: shell histories and process lists show command lines. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { DexError } from "../../kernel/errors.ts";

const MAX_VALUE_CHARS = 10_000;

export async function askValue(of: string): Promise<string> {
  const value = process.stdin.isTTY ? await readTyped(of) : await readPiped(of);
  if (value === "")
    throw new DexError("bad_value", `No value was given for "${of}".`, {
      hint: "Type it at the prompt, or pipe it in.",
    });
  return value;
}

async function readPiped(of: string): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.length > MAX_VALUE_CHARS) {
      throw new DexError("bad_value", `The value for "${of}" has more than ${MAX_VALUE_CHARS} characters.`, {
        hint: "Pipe in the value alone.",
      });
    }
  }
  return text.replace(/\r?\n$/, "");
}

function readTyped(of: string): Promise<string> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discard, terminal: true });
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
