/**
 * Long answers go through the reader's pager, as git's do: only on a terminal, and only when they do not fit it.
 * The pager is started by its words, never by a shell.
 */
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { textWidth } from "../../rendering/width.ts";

const USUAL = ["less", "-FRX"];

/** The pager's words; undefined: none is wanted. DEX_PAGER is asked before PAGER; an empty one, or `cat`, means none. */
export function pagerCommand(vars: NodeJS.ProcessEnv): string[] | undefined {
  const wanted = vars.DEX_PAGER ?? vars.PAGER;
  if (wanted === undefined) return USUAL;
  const words = wanted.split(/\s+/).filter(Boolean);
  return words.length === 0 || words[0] === "cat" ? undefined : words;
}

/** dex writes UTF-8; without this `less` prints escapes such as <C2><B7> where the locale is C, as in many containers. */
export function pagerEnvironment(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { LESSCHARSET: "utf-8", ...vars };
}

/** Rows that a text takes on a terminal of that width. */
export function rowsOf(text: string, columns: number): number {
  return text
    .split("\n")
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns)), 0);
}

/** Shows a text in the pager. False where there is none that starts: the caller then prints it. */
export function page(text: string, command: readonly string[]): Promise<boolean> {
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"], env: pagerEnvironment(process.env) });
    let started = false;
    child.once("spawn", () => {
      started = true;
    });
    child.once("error", () => resolve(started));
    child.once("close", () => resolve(true));
    // The reader has seen enough: what is left is not written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${text}\n`);
  });
}

/** Prints an answer, through the pager where that helps. */
export async function printPaged(text: string, wanted: boolean): Promise<void> {
  const { stdout, stdin, env } = process;
  const long = stdout.isTTY && stdin.isTTY && rowsOf(text, stdout.columns || 80) >= (stdout.rows || 24);
  const command = wanted && long ? pagerCommand(env) : undefined;
  if (command) {
    // Ctrl-C is for the pager, which decides what it means.
    const ignored = (): void => undefined;
    process.on("SIGINT", ignored);
    try {
      if (await page(text, command)) return;
    } finally {
      process.off("SIGINT", ignored);
    }
  }
  stdout.write(`${text}\n`);
}
