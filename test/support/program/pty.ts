/** A terminal for the built program, made by `script`: typed input, and the screen. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { program, type TestHome } from "./dex.ts";
import { running } from "./running.ts";

/** Why a test that needs a terminal is skipped; false if it can run. */
export const noTerminal: string | false =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0
    ? false
    : "there is no `script` of util-linux to make a terminal with";

const PATIENCE_MS = 60_000;

export class Terminal {
  screen = "";
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  #seen = 0;

  /** Arguments are passed to a shell: use only plain words. */
  constructor(home: TestHome, args: readonly string[], options: { rows?: number; columns?: number } = {}) {
    const { rows = 24, columns = 80 } = options;
    const words = args.map((word) => `'${word}'`).join(" ");
    const command = `stty rows ${rows} cols ${columns}; exec '${process.execPath}' '${program}' ${words}`;
    const env = { ...home.env, TERM: "xterm", NO_COLOR: "1", SHELL: "/bin/sh" };
    this.#child = running(spawn("script", ["-qefc", command, "/dev/null"], { cwd: home.cwd, env }));
    this.#child.stdout.on("data", (bytes: Buffer) => {
      this.screen += bytes.toString();
    });
    this.ended = new Promise((resolve) => this.#child.on("close", resolve));
  }

  /** Waits until a text is on the screen, after the texts that were waited for before. */
  async until(text: RegExp): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = text.exec(this.screen.slice(this.#seen));
      if (found) {
        this.#seen += found.index + found[0].length;
        return;
      }
      if (Date.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`${text} never came:\n${this.screen}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }
}
