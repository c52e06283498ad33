/** Questions to the person at the terminal, on standard error: the answer of the command stays alone on stdout. */

/** Whether somebody is there to answer: a person types, and sees both the question and the answer. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.stderr.isTTY === true;
}

/** `otherwise`: what a mere return means. The end of the input is a no. */
export async function askYesNo(question: string, otherwise: boolean): Promise<boolean> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string | undefined>((resolve) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", () => lines.close());
      lines.question(`${question} ${otherwise ? "[Y/n]" : "[y/N]"} `, resolve);
    });
    if (answer === undefined) process.stderr.write("\n");
    const word = answer?.trim().toLowerCase();
    if (word === "") return otherwise;
    return word === "y" || word === "yes";
  } finally {
    lines.close();
  }
}
