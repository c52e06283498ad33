/** A running `dex watch`: its output so far, and waiting for more. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeBatch } from "../../../src/suggest/model.ts";
import type { TestHome } from "./dex.ts";
import { HANG_MS } from "./limits.ts";
import { running } from "./running.ts";

/** Far longer than it takes: only a watcher that is stuck waits this long. */
const PATIENCE_MS = HANG_MS;
const PAUSE_MS = 50;

export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const begin = performance.now(); performance.now() - begin < PATIENCE_MS; await sleep(PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`it never came: ${what}`);
}

export class RunningWatch {
  readonly process: ChildProcessWithoutNullStreams;
  stderr = "";
  readonly batches: ChangeBatch[] = [];
  #rest = "";
  readonly #closed: Promise<unknown[]>;

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.process = running(child);
    this.#closed = once(child, "close");
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (this.#rest + text).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.batches.push(JSON.parse(line) as ChangeBatch);
    });
  }

  /** Returns when everything is up to date. */
  static async start(home: TestHome, ...args: string[]): Promise<RunningWatch> {
    const running = RunningWatch.of(home.open("watch", "--json", ...args));
    await running.says(/watching .*up to date/);
    return running;
  }

  static of(child: ChildProcessWithoutNullStreams): RunningWatch {
    return new RunningWatch(child);
  }

  says(what: RegExp): Promise<true> {
    return until(String(what), () => {
      if (what.test(this.stderr)) return true;
      if (this.process.exitCode !== null) throw new Error(`ended with ${this.process.exitCode}: ${this.stderr}`);
      return false;
    });
  }

  /** The batches since a moment, once together they contain the expected files. */
  async tells(what: string, holds: (batches: readonly ChangeBatch[]) => boolean, since = 0): Promise<ChangeBatch[]> {
    return until(`${what}\n${this.stderr}`, () => holds(this.batches.slice(since)) && this.batches.slice(since));
  }

  changed(path: string, since = 0): Promise<ChangeBatch[]> {
    return this.tells(path, (batches) => batches.some(({ changed }) => changed.includes(path)), since);
  }

  removed(path: string, since = 0): Promise<ChangeBatch[]> {
    return this.tells(path, (batches) => batches.some(({ removed }) => removed.includes(path)), since);
  }

  async ended(): Promise<number | null> {
    await this.#closed;
    return this.process.exitCode;
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.process.kill(signal);
    return this.ended();
  }
}
