/** Kills a command repeatedly at random moments, until one run completes. */
import assert from "node:assert/strict";
import { cpSync, existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, answerOf, TestHome } from "../support/program/dex.ts";
import type { Random } from "../support/random.ts";

/** So many kills at most before a command may finish and everything is checked. */
const MAX_KILLS_A_BATCH = 8;
/** A command that ends before its kill so often is too short to be hit: the batch is checked as it is. */
const MAX_ENDED_A_BATCH = 3;
/** Before this share of the shortest run a kill hits nothing but the start of Node. */
const FIRST_MOMENT = 0.3;

export interface Scenario {
  name: string;
  /** Writes what is there before the command runs. Done once; every batch begins with a copy of it. */
  prepare(home: TestHome): Promise<void> | void;
  /** The command that is killed. */
  command: readonly string[];
  /** Called when the home is as it was prepared again. */
  restored?(): void;
  /** Called before each start of the command: what changes while dex is not running. */
  meanwhile?(home: TestHome, random: Random): void;
  /** Runs everything to its end and says what is there then: the same as without a kill. */
  finish(home: TestHome): Promise<unknown>;
}

export interface KillFigures {
  scenario: string;
  kills: number;
  batches: number;
  /** Runs that came to their end before the kill. */
  ended: number;
}

export async function run(home: TestHome, ...args: string[]): Promise<Answer> {
  return answerOf(home.open(...args));
}

/** The answer of a command that must end well, or find nothing. */
export async function succeed(home: TestHome, ...args: string[]): Promise<string> {
  const answer = await run(home, ...args);
  assert.ok(answer.status === 0 || answer.status === 1, `dex ${args.join(" ")}: ${answer.stderr}${answer.stdout}`);
  return answer.stdout;
}

export class Killer {
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #home: TestHome;
  readonly #template: string;
  #expected: unknown;
  /** How long the command takes where nothing kills it, and where there is nothing left to do. */
  #whole = 0;
  #idle = 0;
  readonly figures: KillFigures;

  constructor(scenario: Scenario, random: Random, vars: Record<string, string> = {}) {
    this.#scenario = scenario;
    this.#random = random;
    this.#home = new TestHome({ vars });
    this.#template = `${this.#home.home}-template`;
    this.figures = { scenario: scenario.name, kills: 0, batches: 0, ended: 0 };
  }

  /** One undisturbed run gives what every batch has to end with. */
  async begin(): Promise<void> {
    const { prepare, command, finish } = this.#scenario;
    await prepare(this.#home);
    cpSync(this.#home.home, this.#template, { recursive: true, preserveTimestamps: true });
    let began = performance.now();
    await this.#undisturbed(command);
    this.#whole = performance.now() - began;
    this.#expected = await finish(this.#home);
    began = performance.now();
    await run(this.#home, "stats", "--no-sync");
    this.#idle = performance.now() - began;
  }

  /** A command without an end of its own is long enough for kills after a moment. */
  async #undisturbed(command: readonly string[]): Promise<void> {
    if (command[0] === "watch") await sleep(2000);
    else await succeed(this.#home, ...command);
  }

  async batch(mostKills: number): Promise<void> {
    this.#restore();
    this.#scenario.restored?.();
    const { command, meanwhile, finish, name } = this.#scenario;
    let ended = 0;
    for (let kills = 0; kills < Math.min(mostKills, MAX_KILLS_A_BATCH) && ended < MAX_ENDED_A_BATCH; ) {
      meanwhile?.(this.#home, this.#random);
      if (await this.#killed(command)) kills += 1;
      else ended += 1;
    }
    this.figures.batches += 1;
    this.figures.ended += ended;
    assert.deepEqual(await finish(this.#home), this.#expected, `${name}: batch ${this.figures.batches}`);
    const doctor = await run(this.#home, "doctor", "--fix");
    assert.equal(doctor.status, 0, `${name}: doctor --fix: ${doctor.stdout}${doctor.stderr}`);
    assert.deepEqual(await finish(this.#home), this.#expected, `${name}: after doctor --fix`);
  }

  async #killed(command: readonly string[]): Promise<boolean> {
    const first = Math.min(this.#idle, this.#whole) * FIRST_MOMENT;
    const moment = first + this.#random() * Math.max(this.#whole - first, first);
    const child = this.#home.start(...command);
    const exited = new Promise<"exited">((resolve) => child.once("exit", () => resolve("exited")));
    const stop = new AbortController();
    const outcome = await Promise.race([
      exited,
      sleep(moment, "late" as const, { signal: stop.signal }).catch(() => "late" as const),
    ]);
    stop.abort();
    if (outcome === "exited") return false;
    child.kill("SIGKILL");
    await exited;
    if (child.signalCode !== "SIGKILL") return false;
    this.figures.kills += 1;
    return true;
  }

  #restore(): void {
    rmSync(this.#home.home, { recursive: true, force: true });
    cpSync(this.#template, this.#home.home, { recursive: true, preserveTimestamps: true });
  }

  /** After a failure everything stays, to be looked at. */
  remove(): void {
    this.#home.remove();
    if (existsSync(this.#template)) rmSync(this.#template, { recursive: true, force: true });
  }

  get place(): string {
    return this.#home.home;
  }
}
