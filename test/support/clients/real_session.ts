/**
 * A session of a real agent with dex's hooks, as `dex install --hooks` sets them up: turn by turn, against a scripted
 * model on the loopback, with the requests that reached the model and the outcomes that dex counted in each turn.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HEADS } from "../../../src/integrations/hooks/injected.ts";
import { HOOK_OUTCOMES, type HookOutcome } from "../../../src/integrations/hooks/outcome_counts.ts";
import {
  type ModelRequest,
  type ModelServer,
  offeredTools,
  startModelServer,
  toolResults,
} from "../model/model_server.ts";
import { type Answer, answerOf } from "../program/dex.ts";
import { installedProgram } from "../program/installed.ts";
import { HANG_MS } from "../program/limits.ts";
import type { Scene } from "./hook_scene.ts";
import type { Moment, RealHost } from "./real_hosts.ts";
import { FILE, PROMPT } from "./real_scene.ts";

type Counts = Record<HookOutcome, number>;

export interface Turn {
  answer: Answer;
  /** Without requests for a title or the like, which offer no tools. */
  requests: ModelRequest[];
  outcomes: Counts;
  /** Hooks whose text reached the model, but whose outcome dex did not count. */
  uncounted: number;
}

/** A hook counts its outcome within milliseconds of its answer, unless the agent ends it before. */
const MAX_COUNTING_MS = 20_000;
const PAUSE_MS = 50;

export class RealSession {
  readonly #host: RealHost;
  readonly #scene: Scene;
  readonly #program: string;
  readonly #model: ModelServer;
  /** Tool results of earlier turns, in the first request of this one. */
  #before: number | undefined;
  /** The moments whose texts the session has from earlier turns. */
  #known: ReadonlySet<string> = new Set();

  private constructor(host: RealHost, folder: string, scene: Scene, model: ModelServer) {
    this.#host = host;
    this.#scene = scene;
    this.#program = installedProgram(folder, host.command);
    this.#model = model;
  }

  /** `folder`: of the installed package. */
  static async open(host: RealHost, folder: string, scene: Scene): Promise<RealSession> {
    let session: RealSession | undefined;
    const model = await startModelServer((request) => session?.reply(request) ?? {});
    session = new RealSession(host, folder, scene, model);
    host.configure?.(scene.home.home, model);
    const install = scene.home.run("install", host.agent, "--hooks", "--yes");
    if (install.status !== 0) throw new Error(`dex install ${host.agent}: ${install.stdout}${install.stderr}`);
    return session;
  }

  begin(vars: Record<string, string> = {}): Promise<Turn> {
    this.#known = new Set();
    return this.turn(this.#host.begin(PROMPT), vars);
  }

  /** The same prompt again, in the same session. */
  async goOn(vars: Record<string, string> = {}): Promise<Turn> {
    if (!this.#host.goOn) throw new Error(`${this.#host.name} resumes no session here`);
    if (this.#host.losesStart) this.#known = new Set([...this.#known].filter((moment) => moment !== "start"));
    return this.turn(this.#host.goOn(PROMPT), vars);
  }

  async turn(args: readonly string[], vars: Record<string, string> = {}): Promise<Turn> {
    this.#before = undefined;
    const asked = this.#model.requests.length;
    const counted = this.#counts();
    const answer = await this.run(args, vars);
    const requests = this.#model.requests.slice(asked).filter((request) => offeredTools(request).length > 0);
    const moments = Object.keys(told(requests.at(-1)));
    const answered = counted.answered + moments.filter((moment) => !this.#known.has(moment)).length;
    this.#known = new Set(moments);
    const counts = await this.#countsFrom(answered);
    return {
      answer,
      requests,
      outcomes: Object.fromEntries(HOOK_OUTCOMES.map((each) => [each, counts[each] - counted[each]])) as Counts,
      uncounted: Math.max(0, answered - counts.answered),
    };
  }

  /** A hook answers its host first and counts its outcome then: the session may end in between. */
  async #countsFrom(answered: number): Promise<Counts> {
    const begin = performance.now();
    let counts = this.#counts();
    while (counts.answered < answered && performance.now() - begin < MAX_COUNTING_MS) {
      await sleep(PAUSE_MS);
      counts = this.#counts();
    }
    return counts;
  }

  run(args: readonly string[], vars: Record<string, string> = {}): Promise<Answer> {
    const { home, repo } = this.#scene;
    const [file, first] = this.#host.isNative ? [this.#program, []] : [process.execPath, [this.#program]];
    // A refresh would make the conversation of a first try known to the turn that is played again.
    const env = { ...home.env, ...this.#host.vars(this.#model), DEX_HOOKS_REFRESH: "false", ...vars };
    const options = { cwd: repo.root, env, timeout: HANG_MS } as const;
    return answerOf(spawn(file, [...first, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] }));
  }

  /** The model makes its tool calls one after the other, then answers. */
  reply(request: ModelRequest): { text: string } | { toolCalls: { name: string; arguments: object }[] } {
    const tools = offeredTools(request);
    if (tools.length === 0) return { text: "Rounding" };
    const results = toolResults(request).length;
    this.#before ??= results;
    const next = this.#host.calls[results - this.#before];
    return next ? { toolCalls: [next.call(join(this.#scene.repo.root, FILE))] } : { text: "Done." };
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  #counts(): Counts {
    const { outcomes } = this.#scene.home.json<{ outcomes: (Counts & { host: string })[] }>("hooks");
    const own = outcomes.filter(({ host }) => host === this.#host.agent);
    const sum = (outcome: HookOutcome): number => own.reduce((total, day) => total + day[outcome], 0);
    return Object.fromEntries(HOOK_OUTCOMES.map((each) => [each, sum(each)])) as Counts;
  }
}

/** How often the text of each moment stands in a request, wherever the agent put it. */
export function told(request: ModelRequest | undefined): Partial<Record<Moment, number>> {
  const moments = Object.keys(HEADS) as Moment[];
  return Object.fromEntries(
    moments.map((moment) => [moment, occurrences(request, HEADS[moment])]).filter(([, times]) => times !== 0),
  );
}

/** How often the prompt stands in a request. */
export function asked(request: ModelRequest | undefined): number {
  return occurrences(request, PROMPT);
}

export function occurrences(request: ModelRequest | undefined, text: string): number {
  return JSON.stringify(request?.body ?? {}).split(text).length - 1;
}

export function hooksLog({ home }: Scene): string {
  const path = join(home.dexHome, "hooks.log");
  return existsSync(path) ? readFileSync(path, "utf8") : "no log\n";
}
