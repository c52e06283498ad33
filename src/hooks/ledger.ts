/**
 * Records which facts a session has received, so that hooks inject each fact once: not again after a resume, but again
 * after the session was compacted. The state database is opened once, and only when it is needed.
 */
import type { Dex } from "../dex.ts";
import type { HookEvent } from "../integrations/hooks/hook_host.ts";
import { contentId } from "../kernel/ids.ts";
import { pushedText } from "../rendering/suggest/pushed.ts";
import { openState } from "../store/engine/state.ts";
import type { StateStore } from "../store/state/state.ts";
import type { Fact, FactGroup } from "../suggest/briefing.ts";

export interface Injectable {
  groups: readonly FactGroup[];
  /** The prompt or file, when it may come again in this session. */
  subject?: string;
  /** The model has lost the facts that it heard before. */
  isLost?: boolean;
}

export class Ledger {
  readonly #dex: Dex;
  readonly #host: string;
  readonly #session: string | undefined;
  #opened: StateStore | undefined;
  #injected: ReadonlyMap<string, { hash: string; at: number }> = new Map();

  /** The host is part of the key: two hosts may have a session with the same id. */
  constructor(dex: Dex, host: string, session: string | undefined) {
    this.#dex = dex;
    this.#host = host;
    this.#session = session === undefined ? undefined : `${host}:${session}`;
  }

  /** After a compaction the model no longer has the injected facts. */
  forget(): void {
    if (this.#session !== undefined && this.#dex.hasState) this.#state.pushed.reset(this.#session);
  }

  /** A new session has no facts yet; a resumed one keeps its own, and a fork starts with those of its parent. */
  begin(event: HookEvent): void {
    const session = this.#session;
    if (session === undefined || !this.#dex.hasState) return;
    const { pushed } = this.#state;
    if (event.kind === "start" && event.source === "fork") {
      if (event.parent !== undefined) pushed.copy(`${this.#host}:${event.parent}`, session);
    } else if (event.kind === "start" && event.source !== "resume") {
      pushed.reset(session);
    }
    this.#injected = pushed.of(session);
  }

  /** Injected facts that never change: those without a content hash. */
  get known(): ReadonlySet<string> {
    return new Set([...this.#injected].flatMap(([entity, { hash }]) => (hash === "" ? [entity] : [])));
  }

  /** When facts about a subject (a file or a prompt) were last injected; undefined: never. */
  lastInjected(subject: string): number | undefined {
    return this.#injected.get(subject)?.at;
  }

  /**
   * Records the new facts that fit the budget, and returns them as text. For a subject that was served before, only later
   * facts count as new: those that did not fit then ranked too low.
   */
  inject(head: string, { groups, subject, isLost = false }: Injectable, maxTokens: number): string {
    const since = subject === undefined ? undefined : this.lastInjected(subject);
    const fresh = chosen(groups, ({ entityId, content, time }) => {
      if (isLost) return true;
      const known = this.#injected.get(entityId);
      return (known === undefined || known.hash !== hashOf(content)) && (since === undefined || (time ?? 0) > since);
    });
    const { facts, text } = pushedText(head, fresh, maxTokens);
    const session = this.#session;
    if (facts.length === 0 || session === undefined || this.#dex.stateDamaged) return text;
    const items = facts.map(({ entityId, content }) => ({ entity: entityId, hash: hashOf(content) }));
    const claimed = this.#state.pushed.claim(session, items, this.#dex.now(), subject);
    if (isLost || claimed.length === items.length) return text;
    // Another hook of the session injected the others meanwhile.
    const own = new Set(claimed.map(({ entity }) => entity));
    return pushedText(
      head,
      chosen(fresh, ({ entityId }) => own.has(entityId)),
      maxTokens,
    ).text;
  }

  close(): void {
    this.#opened?.close();
  }

  get #state(): StateStore {
    this.#opened ??= openState(this.#dex.paths.state);
    return this.#opened;
  }
}

function chosen(groups: readonly FactGroup[], wanted: (fact: Fact) => boolean): FactGroup[] {
  return groups.map(({ title, facts }) => ({ title, facts: facts.filter(wanted) }));
}

function hashOf(content: string): string {
  return content === "" ? "" : contentId(content);
}
