/**
 * `dex hook <host>`: reads one event of an agent from stdin, writes the answer to stdout, and always ends with status 0.
 * An answer that misses its time budget is empty. The budget counts from the start of the process, so the timer is set
 * before anything else. A session starts once, and nobody has typed anything yet: there the budget is larger, because the
 * answer waits for git and has most to read, and on a busy machine each of them takes a multiple of its usual time.
 */
import { statSync, writeSync } from "node:fs";
import { isMomentOff } from "../config/moments.ts";
import { dexPaths, OPT_OUT } from "../config/paths.ts";
import { isRepeatable } from "../conversations/activity/shell/commands.ts";
import type { HookEvent } from "../integrations/hooks/hook_host.ts";
import type { HookOutcome } from "../integrations/hooks/outcome_counts.ts";
import { HOOK_NAMES, hookName, loadHookHost, silentHost } from "../integrations/registry.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { restoreEngineFlags, tuneForOneAnswer } from "../threads/engine_flags.ts";
import type { Reason } from "./log.ts";
import { activeEvent } from "./moments.ts";
import { endProcess, readEvent } from "./process/quick_stdin.ts";
import { runInTime } from "./process/watchdog.ts";
import { optedOut, switchedOff } from "./switches.ts";

const DEFAULT_BUDGET_MS = 300;
const MAX_BUDGET_MS = 60_000;
/** The budget of a session start, and of an event that is not read yet, as a multiple of the usual one. */
const START_BUDGETS = 3;
/** The share of the budget after which dex gives up: the empty answer, the log and the end of the process need the rest. */
const WORKING_SHARE = 0.95;
const EMPTY = "{}";
const MAX_NAME_CHARS = 20;
/** Events that come rarely enough to start a refresh afterwards. */
const REFRESHES: ReadonlySet<HookEvent["kind"]> = new Set(["start", "prompt", "compacted"]);

export interface HookEnd {
  status: number;
  /** Ends the process; until then, an event that never came may keep it alive. */
  end(): never;
  /** The kind of the event, and whether it was answered. */
  kind: string;
  isLate: boolean;
}

export async function hook(argv: readonly string[]): Promise<HookEnd> {
  return new Promise((resolve) => new HookRun(argv[0] ?? "", process.env, resolve).start());
}

class HookRun {
  readonly #name: string;
  readonly #vars: NodeJS.ProcessEnv;
  readonly #ended: (end: HookEnd) => void;
  #deadline: number;
  #timer: NodeJS.Timeout | undefined;
  /** Its name, once it is read. */
  #event = "(event not read)";
  #kind = "ignored";
  #done = false;
  /** Whether the event is of a kind that dex may answer. */
  #isCounted = false;
  /** The text of the answer, and the session that gets it. */
  #given: { session: string; text: string } | undefined;
  /** Why the answer is empty, for the log. */
  #reason: Pick<Reason, "kind" | "text"> | undefined;
  /** Runs after the answer is written. */
  #after: (() => void) | undefined;

  constructor(name: string, vars: NodeJS.ProcessEnv, ended: (end: HookEnd) => void) {
    this.#name = hookName(name.slice(0, MAX_NAME_CHARS));
    this.#vars = vars;
    this.#ended = ended;
    this.#deadline = budgetOf(vars.DEX_HOOK_BUDGET_MS) ?? DEFAULT_BUDGET_MS * START_BUDGETS;
    this.#arm();
  }

  start(): void {
    // A stray error must not end the process with a status that hosts read as a refusal.
    process.on("uncaughtException", (error) => this.#silent("error", reasonOf(error)));
    process.on("unhandledRejection", (error) => this.#silent("error", reasonOf(error)));
    this.#answer().then(
      (text) => this.#end(text),
      (error: unknown) => this.#silent("error", reasonOf(error)),
    );
  }

  async #answer(): Promise<string> {
    const host = await loadHookHost(this.#name);
    if (!host) {
      process.stderr.write(`dex hook knows ${HOOK_NAMES.join(", ")}, not "${this.#name}".\n`);
      return EMPTY;
    }
    if (switchedOff(this.#vars)) return this.#off("DEX_HOOKS is off");
    const input = await readEvent();
    const given = host.read(input);
    if (!given) return EMPTY;
    this.#event = given.name;
    if (isEmptyEvent(given)) return EMPTY;
    const { config, index } = dexPaths(this.#vars);
    const event = await activeEvent(given, (moment) => isMomentOff(moment, this.#vars, config));
    if (!event) return EMPTY;
    this.#kind = event.kind;
    this.#setBudget(DEFAULT_BUDGET_MS);
    if (event.kind === "end") return this.#endSession(event.folder);
    this.#isCounted = true;
    if (optedOut(event.folder)) return this.#off(`the project has a file ${OPT_OUT}`);
    if (event.kind === "prompt") await tuneForPrompt(event.prompt, index);
    const { pushFor, startRefresh } = await import("./push.ts");
    const text = await pushFor(event, {
      vars: this.#vars,
      host: event.sender ?? this.#name,
      left: () => this.#deadline - performance.now(),
      exits: true,
      inTime: (work) => runInTime(this.#untilLate(), work, () => this.#late()),
      silent: (kind, reason) => {
        this.#reason = { kind, text: kind === "late" ? `${reason} (${this.#deadline} ms)` : reason };
      },
      settings: ({ budgetMs, refresh }) => {
        this.#setBudget(budgetMs);
        if (refresh && REFRESHES.has(event.kind)) this.#after = () => startRefresh(event.folder, this.#vars);
      },
    });
    if (text === "") return EMPTY;
    this.#given = { session: event.session ?? "", text };
    const answer = host.answer(event, text);
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  }

  async #endSession(folder: string): Promise<string> {
    if (optedOut(folder)) return EMPTY;
    const { refreshAtEnd } = await import("./ending.ts");
    this.#after = await refreshAtEnd(folder, this.#vars);
    return EMPTY;
  }

  #off(text: string): string {
    this.#reason = { kind: "off", text };
    return EMPTY;
  }

  /** For most events; the environment variable overrides it for all. */
  #setBudget(usualMs: number): void {
    const ms = this.#kind === "start" ? Math.min(usualMs * START_BUDGETS, MAX_BUDGET_MS) : usualMs;
    if (budgetOf(this.#vars.DEX_HOOK_BUDGET_MS) !== undefined || ms === this.#deadline) return;
    this.#deadline = ms;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#late(), this.#untilLate());
  }

  #untilLate(): number {
    return Math.max(0, this.#deadline * WORKING_SHARE - performance.now());
  }

  #late(): void {
    this.#silent("late", `no answer within ${this.#deadline} ms`);
  }

  #silent(kind: Reason["kind"], text: string): void {
    if (this.#done) return;
    this.#reason = { kind, text };
    this.#end(EMPTY);
  }

  /** Answers the host first; then writes the log and starts the refresh of the project in the background. */
  #end(text: string): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    try {
      if (text !== EMPTY) writeSync(1, `${text}\n`);
      else if (!silentHost(this.#name)) writeSync(1, `${EMPTY}\n`);
    } catch {
      // The host closed the pipe.
    }
    this.#log(text !== EMPTY)
      .catch(() => {})
      .then(() => {
        restoreEngineFlags();
        this.#after?.();
        const isLate = this.#reason?.kind === "late";
        const ending = text !== EMPTY ? "" : isLate ? "-late" : "-silent";
        this.#ended({ status: 0, end: endProcess, kind: `${this.#kind}${ending}`, isLate });
      });
  }

  async #log(isAnswered: boolean): Promise<void> {
    const { hooksLog, hookCounts, hooksGiven } = dexPaths(this.#vars);
    if (isAnswered && this.#given) {
      const { countGiven, factsIn } = await import("../integrations/hooks/given_counts.ts");
      countGiven(hooksGiven, this.#given.session, factsIn(this.#given.text));
    }
    const outcome = this.#outcome(isAnswered);
    if (outcome) {
      const { countOutcome } = await import("../integrations/hooks/outcome_counts.ts");
      countOutcome(hookCounts, this.#name, outcome, Date.now());
    }
    if (!this.#reason) return;
    const { logReason } = await import("./log.ts");
    logReason(hooksLog, { host: this.#name, event: this.#event, ...this.#reason });
  }

  /** Undefined for events that dex never answers, and if hooks are turned off. */
  #outcome(isAnswered: boolean): HookOutcome | undefined {
    if (!HOOK_NAMES.includes(this.#name) || this.#reason?.kind === "off") return undefined;
    if (this.#reason) return this.#reason.kind === "late" ? "late" : "failed";
    if (!this.#isCounted) return undefined;
    return isAnswered ? "answered" : "silent";
  }
}

/**
 * Called before the rest is loaded, which causes the first garbage collection. Prompts without content are not worth
 * the time.
 */
async function tuneForPrompt(prompt: string, index: string): Promise<void> {
  const { isWorthAnswering } = await import("../suggest/prompt_content.ts");
  if (isWorthAnswering(prompt)) tuneForOneAnswer(statSync(index, { throwIfNoEntry: false })?.size ?? 0);
}

/** Commands that only inspect files are very frequent, and have no earlier runs to report. */
function isEmptyEvent(event: HookEvent): boolean {
  if (event.kind === "command") return !isRepeatable(event.command);
  return "files" in event && event.files.length === 0;
}

/** Undefined when it is not set, or not a number of milliseconds in range. */
function budgetOf(value: string | undefined): number | undefined {
  const ms = Number(value);
  return value !== undefined && value !== "" && ms >= 1 && ms <= MAX_BUDGET_MS ? ms : undefined;
}

/** The log must not hold prompts: dex's own errors name only files and settings, and log.ts redacts other messages. */
function reasonOf(error: unknown): string {
  if (error instanceof DexError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? `${error.name}: ${errorMessage(error)}` : "an unknown failure";
}
