/** Asks the person at the terminal, on standard error, so that stdout contains only the command's answer. */
import { stderr, stdout } from "./standard_streams.ts";

/** True when stdin, stdout and stderr are all terminals, so that a person can answer a question. */
export function isInteractive(): boolean {
  // stdin comes last: Node makes a stream of it, which most commands do not need.
  return stdout().isTTY === true && stderr().isTTY === true && process.stdin.isTTY === true;
}

/** `fallback` is the meaning of an empty line. The end of the input means no. */
export async function askYesNo(question: string, fallback: boolean): Promise<boolean> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string | undefined>((resolve) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", () => lines.close());
      lines.question(`${question} ${fallback ? "[Y/n]" : "[y/N]"} `, resolve);
    });
    if (answer === undefined) process.stderr.write("\n");
    const word = answer?.trim().toLowerCase();
    if (word === "") return fallback;
    return word === "y" || word === "yes";
  } finally {
    lines.close();
  }
}
