/**
 * The built program, started once and given one command after the other. Each start costs a quarter of a second of
 * processor time, and most tests are about an answer, not about the process that gives it. The test waits for each
 * answer as it would wait for a program of its own: requests and answers go through named pipes, which can be read
 * without an event loop, and the program writes to two files in place of a terminal.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { COMPILE_CACHE } from "./limits.ts";
import { type Ended, type Request, readLine } from "./resident_wire.ts";
import { running } from "./running.ts";

/** Commands that run on, talk with a person or read their input: they have a process of their own. */
const ALONE: ReadonlySet<string> = new Set(["hook", "serve", "mcp", "watch", "chat"]);

/** Whether a command may be given to the resident program. Options of Node itself need a start. */
export function mayShare(args: readonly string[], vars: Readonly<Record<string, string>>): boolean {
  return !ALONE.has(args[0] ?? "") && !Object.keys(vars).some((name) => name.startsWith("NODE_"));
}

let resident: Resident | undefined;

/** Runs one command in the resident program, which is started by the first one. */
export function runResident(program: string, request: Request): { status: number; stdout: string; stderr: string } {
  resident ??= new Resident(program);
  const answer = resident.run(request);
  if (answer.last) endResident();
  return answer;
}

function endResident(): void {
  resident?.end();
  resident = undefined;
}

if (process.env.NODE_TEST_CONTEXT !== undefined) after(endResident);

class Resident {
  readonly #folder = mkdtempSync(join(tmpdir(), "dex-resident-"));
  readonly #child: ChildProcess;
  readonly #requests: number;
  readonly #answers: number;
  readonly #stdout: number;
  readonly #stderr: number;

  constructor(program: string) {
    const requests = join(this.#folder, "requests");
    const answers = join(this.#folder, "answers");
    execFileSync("mkfifo", [requests, answers]);
    // A pipe opened both ways waits for nobody at its other end.
    this.#requests = openSync(requests, "r+");
    const answering = openSync(answers, "r+");
    this.#stdout = openSync(join(this.#folder, "stdout"), "a+");
    this.#stderr = openSync(join(this.#folder, "stderr"), "a+");
    const args = [join(import.meta.dirname, "resident_program.ts"), program, requests];
    this.#child = running(
      spawn(process.execPath, args, {
        stdio: ["ignore", this.#stdout, this.#stderr, answering],
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE },
      }),
    );
    this.#child.unref();
    // From here on only the program can write answers: its end is the end of this pipe.
    this.#answers = openSync(answers, "r");
    closeSync(answering);
  }

  run(request: Request): { status: number; stdout: string; stderr: string; last: boolean } {
    writeSync(this.#requests, `${JSON.stringify(request)}\n`);
    const line = readLine(this.#answers);
    const stdout = this.#take(this.#stdout, "stdout");
    const stderr = this.#take(this.#stderr, "stderr");
    if (line === undefined) throw new Error(`dex ${request.args.join(" ")}: the program was ended\n${stderr}`);
    return { ...(JSON.parse(line) as Ended), stdout, stderr };
  }

  #take(file: number, name: string): string {
    const text = readFileSync(join(this.#folder, name), "utf8");
    ftruncateSync(file, 0);
    return text;
  }

  end(): void {
    this.#child.kill("SIGKILL");
    for (const file of [this.#requests, this.#answers, this.#stdout, this.#stderr]) closeSync(file);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
