/**
 * From an event to the text that its model is given: looked up in what is indexed, cut to the event's budget, and each
 * thing once a session. What is about to be told is noted first: rather is a thing lost than told twice.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { Dex } from "../dex.ts";
import { limitPatience } from "../kernel/patience.ts";
import { withoutPrivate } from "../kernel/private.ts";
import { briefingOf, type FactGroup } from "../operations/briefing.ts";
import { type Pushed, pushedText } from "../rendering/pushed.ts";
import { StateStore } from "../store/sqlite/state.ts";
import type { HookEvent } from "./host.ts";

/** For a database that another process holds. */
const LONGEST_WAIT = 40;

const MOST_TOKENS = { start: 1200, prompt: 600, files: 400 } as const;

const HEADS = {
  start: "Recorded by dex about this project before this session; each line ends with its source and date:",
  prompt: "Recorded by dex and possibly related to this request; each line ends with its source and date:",
  files: "Recorded by dex about this file; each line ends with its source and date:",
} as const;

export interface PushContext {
  vars: NodeJS.ProcessEnv;
  /** The host's name: two hosts may have a session of the same id. */
  host: string;
  /** Milliseconds that are left. */
  left(): number;
  /** Told once the settings are read. */
  settings?(of: { budgetMs: number }): void;
}

/** Empty: nothing is said, for the reason that is given where it is not the usual one. */
export async function pushFor(event: HookEvent, context: PushContext): Promise<string> {
  limitPatience(LONGEST_WAIT);
  const dex = await Dex.open({ vars: context.vars, cwd: event.folder });
  try {
    if (!dex.settings.hooks.enabled) return "";
    context.settings?.(dex.settings.hooks);
    // Where dex was never used it knows nothing, and a hook is not what begins it.
    if (!existsSync(dex.paths.home)) return "";
    const ledger = new Ledger(dex, context.host, event);
    if (event.kind === "compacted") {
      ledger.forget();
      return "";
    }
    ledger.begin();
    const groups = await lookUp(dex, event, ledger, context);
    // Too late: nobody will read it, so that it must stay untold.
    if (context.left() <= 0) return "";
    return ledger.tell(HEADS[event.kind], groups, MOST_TOKENS[event.kind]);
  } finally {
    dex.close();
  }
}

async function lookUp(
  dex: Dex,
  event: Exclude<HookEvent, { kind: "compacted" }>,
  ledger: Ledger,
  context: PushContext,
): Promise<FactGroup[]> {
  if (event.kind === "start") {
    const session = event.session === undefined ? {} : { session: event.session };
    return briefingOf(dex, event.folder, { ...session, gitMs: Math.max(1, context.left() * 0.6) });
  }
  const { suggestedFacts } = await import("./suggested.ts");
  if (event.kind === "prompt") {
    const prompt = withoutPrivate(event.prompt);
    if (prompt === "") return [];
    return suggestedFacts(dex, event, { prompt, recent: [] }, ledger.told, MOST_TOKENS.prompt);
  }
  const [file, ...recent] = event.files;
  // Without a session nobody knows what was told already, and files are read all the time.
  if (file === undefined || event.session === undefined) return [];
  return suggestedFacts(dex, event, { file, recent }, ledger.told, MOST_TOKENS.files);
}

/** What this session was told. State is opened only where there is something to know or to note. */
class Ledger {
  readonly #dex: Dex;
  readonly #event: HookEvent;
  readonly #session: string | undefined;
  readonly #host: string;
  told: ReadonlyMap<string, string> = new Map();

  constructor(dex: Dex, host: string, event: HookEvent) {
    this.#dex = dex;
    this.#host = host;
    this.#event = event;
    this.#session = event.session === undefined ? undefined : `${host}:${event.session}`;
  }

  forget(): void {
    const session = this.#session;
    if (session !== undefined && existsSync(this.#dex.paths.state)) this.#state((state) => state.pushed.reset(session));
  }

  /** A session that starts anew knows nothing; one that goes on knows what it was told, a fork what its parent was. */
  begin(): void {
    const session = this.#session;
    if (session === undefined || !existsSync(this.#dex.paths.state)) return;
    const event = this.#event;
    this.#state((state) => {
      if (event.kind === "start" && event.source === "fork" && event.parent !== undefined) {
        state.pushed.copy(`${this.#host}:${event.parent}`, session);
      } else if (event.kind === "start" && event.source !== "resume" && event.source !== "fork") {
        state.pushed.reset(session);
      }
      this.told = state.pushed.of(session);
    });
  }

  /** Notes what fits and is new, and returns it as text. */
  tell(head: string, groups: readonly FactGroup[], maxTokens: number): string {
    const fresh = groups.map(({ title, facts }) => ({
      title,
      facts: facts.filter(({ entityId, content }) => this.told.get(entityId) !== hashOf(content)),
    }));
    const pushed = pushedText(head, fresh, maxTokens);
    const session = this.#session;
    if (pushed.facts.length === 0 || session === undefined) return pushed.text;
    const items = pushed.facts.map(({ entityId, content }) => ({ entity: entityId, hash: hashOf(content) }));
    const claimed = this.#state((state) => state.pushed.claim(session, items, this.#dex.now()));
    if (claimed.length === items.length) return pushed.text;
    return rest(head, fresh, new Set(claimed.map(({ entity }) => entity)), maxTokens).text;
  }

  #state<T>(work: (state: StateStore) => T): T {
    const state = new StateStore(this.#dex.paths.state);
    try {
      return work(state);
    } finally {
      state.close();
    }
  }
}

/** Another hook of the session told the others meanwhile. */
function rest(head: string, groups: readonly FactGroup[], claimed: ReadonlySet<string>, maxTokens: number): Pushed {
  const own = groups.map(({ title, facts }) => ({ title, facts: facts.filter((fact) => claimed.has(fact.entityId)) }));
  return pushedText(head, own, maxTokens);
}

function hashOf(content: string): string {
  return content === "" ? "" : createHash("sha256").update(content).digest("hex").slice(0, 16);
}
