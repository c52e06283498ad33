/**
 * Shows long answers in the user's pager, as git does: only on a terminal, and only when they do not fit on it. The pager
 * is started directly, never through a shell.
 */
import { stripVTControlCharacters } from "node:util";
import { programFile, withSafePath } from "../../kernel/programs.ts";
import { textWidth } from "../../rendering/terminal/width.ts";
import { stdout } from "./standard_streams.ts";

const DEFAULT_PAGER = ["less", "-FRX"];

/** The pager's command, from DEX_PAGER or PAGER. Undefined when it is empty or `cat`, which turn paging off. */
export function pagerCommand(vars: NodeJS.ProcessEnv): string[] | undefined {
  const wanted = vars.DEX_PAGER ?? vars.PAGER;
  if (wanted === undefined) return DEFAULT_PAGER;
  const words = wanted.split(/\s+/).filter(Boolean);
  return words.length === 0 || words[0] === "cat" ? undefined : words;
}

/** dex writes UTF-8; without this `less` prints escapes such as <C2><B7> where the locale is C, as in many containers. */
export function pagerEnvironment(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { LESSCHARSET: "utf-8", ...vars };
}

/** The number of rows that a text takes on a terminal of that width. */
export function rowsOf(text: string, columns: number): number {
  return text
    .split("\n")
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns)), 0);
}

/** Shows a text in the pager. Returns false when the pager cannot be started. */
export async function page(text: string, command: readonly string[]): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(programFile(program, process.env), args, {
      stdio: ["pipe", "inherit", "inherit"],
      env: withSafePath(pagerEnvironment(process.env)),
    });
    let started = false;
    child.once("spawn", () => {
      started = true;
    });
    child.once("error", () => resolve(started));
    child.once("close", () => resolve(true));
    // The user quit the pager before reading everything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${text}\n`);
  });
}

/** Prints an answer, through the pager if it does not fit on the terminal. */
export async function printPaged(text: string, wanted: boolean): Promise<void> {
  const output = stdout();
  const long = output.isTTY && process.stdin.isTTY && rowsOf(text, output.columns || 80) >= (output.rows || 24);
  const command = wanted && long ? pagerCommand(process.env) : undefined;
  if (command) {
    // Leave Ctrl-C to the pager.
    const ignored = (): void => undefined;
    process.on("SIGINT", ignored);
    try {
      if (await page(text, command)) return;
    } finally {
      process.off("SIGINT", ignored);
    }
  }
  output.write(`${text}\n`);
}
