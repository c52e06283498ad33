/**
 * The built program, started once and given one command after the other. Each start costs a quarter of a second of
 * processor time, and most tests are about an answer, not about its process. A test can wait for the answer
 * synchronously: requests and answers go through named pipes, which can be read without an event loop, and the program
 * writes to two files in place of a terminal.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { PROCESS_VARS } from "./limits.ts";
import { type Ended, type Request, readLine } from "./resident_wire.ts";
import { running } from "./running.ts";

export interface Output {
  status: number;
  stdout: string;
  stderr: string;
}

/** Commands that keep running or talk with a person: they get a separate process. */
const SEPARATE_COMMANDS: ReadonlySet<string> = new Set(["hook", "serve", "mcp", "watch", "chat"]);
const ABOUT_CHATS: ReadonlySet<string> = new Set(["list", "rm"]);

/** Whether a command may be given to a resident program. Options of Node itself need a fresh start. */
export function mayShare(args: readonly string[], vars: Readonly<Record<string, string>>): boolean {
  const alone = SEPARATE_COMMANDS.has(args[0] ?? "") && !ABOUT_CHATS.has(args[1] ?? "");
  return !alone && !Object.keys(vars).some((name) => name.startsWith("NODE_"));
}

/** One is enough, unless commands run at the same time. */
const idle: Resident[] = [];
const all = new Set<Resident>();

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  after(() => {
    for (const resident of all) resident.end();
  });
}

/** Runs one command in a resident program, and waits for its end. */
export function runResident(program: string, request: Request): Output {
  const resident = idle.pop() ?? new Resident(program);
  return resident.run(request);
}

/** The same, while this process continues. */
export async function runResidentBeside(program: string, request: Request): Promise<Output> {
  const resident = idle.pop() ?? new Resident(program);
  return resident.runBeside(request);
}

class Resident {
  readonly #folder = mkdtempSync(join(tmpdir(), "dex-resident-"));
  readonly #child: ChildProcess;
  readonly #requests: number;
  readonly #answers: number;
  readonly #stdout: number;
  readonly #stderr: number;

  constructor(program: string) {
    all.add(this);
    execFileSync("mkfifo", [this.#file("requests"), this.#file("answers")]);
    // Opening a pipe both ways does not wait for its other end.
    this.#requests = openSync(this.#file("requests"), "r+");
    const answering = openSync(this.#file("answers"), "r+");
    this.#stdout = openSync(this.#file("stdout"), "a+");
    this.#stderr = openSync(this.#file("stderr"), "a+");
    const args = [join(import.meta.dirname, "resident_program.ts"), program, this.#file("requests")];
    this.#child = running(
      spawn(process.execPath, args, {
        stdio: ["ignore", this.#stdout, this.#stderr, answering],
        env: { PATH: process.env.PATH, ...PROCESS_VARS },
      }),
    );
    this.#child.unref();
    // From here on only the program can write answers: if it ends, this pipe ends.
    this.#answers = openSync(this.#file("answers"), "r");
    closeSync(answering);
  }

  run(request: Request): Output {
    this.#ask(request);
    return this.#answerTo(request, readLine(this.#answers));
  }

  async runBeside(request: Request): Promise<Output> {
    const line = this.#nextLine();
    this.#ask(request);
    return this.#answerTo(request, await line);
  }

  #ask(request: Request): void {
    writeSync(this.#requests, `${JSON.stringify(request)}\n`);
  }

  /** Through a separate end of the pipe: one that an event loop reads no longer blocks. */
  async #nextLine(): Promise<string | undefined> {
    const fd = openSync(this.#file("answers"), constants.O_RDONLY | constants.O_NONBLOCK);
    let text = "";
    for await (const chunk of new Socket({ fd, writable: false }).setEncoding("utf8")) {
      text += String(chunk);
      if (text.endsWith("\n")) return text;
    }
    return undefined;
  }

  #answerTo({ args }: Request, line: string | undefined): Output {
    const stdout = this.#take(this.#stdout, "stdout");
    const stderr = this.#take(this.#stderr, "stderr");
    if (line === undefined) throw new Error(`dex ${args.join(" ")}: the program was ended\n${stderr}`);
    const { status, last } = JSON.parse(line) as Ended;
    if (last) this.end();
    else idle.push(this);
    return { status, stdout, stderr };
  }

  #take(file: number, name: string): string {
    const text = readFileSync(this.#file(name), "utf8");
    ftruncateSync(file, 0);
    return text;
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  end(): void {
    all.delete(this);
    this.#child.kill("SIGKILL");
    for (const file of [this.#requests, this.#answers, this.#stdout, this.#stderr]) closeSync(file);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
