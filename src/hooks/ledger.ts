/**
 * What a session was told, so that it hears a thing once: not again after a resume, again after its model has lost it.
 * The state is opened once, and only where there is something to know or to note.
 */
import type { Dex } from "../dex.ts";
import { contentId } from "../kernel/ids.ts";
import { pushedText } from "../rendering/pushed.ts";
import { StateStore } from "../store/sqlite/state/state.ts";
import type { Fact, FactGroup } from "../suggest/briefing.ts";
import type { HookEvent } from "./host.ts";

export class Ledger {
  readonly #dex: Dex;
  readonly #host: string;
  readonly #session: string | undefined;
  #opened: StateStore | undefined;
  #told: ReadonlyMap<string, { hash: string; at: number }> = new Map();

  /** The host is part of the key: two hosts may have a session of the same id. */
  constructor(dex: Dex, host: string, session: string | undefined) {
    this.#dex = dex;
    this.#host = host;
    this.#session = session === undefined ? undefined : `${host}:${session}`;
  }

  /** The model has lost what it was told. */
  forget(): void {
    if (this.#session !== undefined && this.#dex.hasState) this.#state.pushed.reset(this.#session);
  }

  /** A session that starts anew knows nothing; one that goes on knows what it was told, a fork what its parent was. */
  begin(event: HookEvent): void {
    const session = this.#session;
    if (session === undefined || !this.#dex.hasState) return;
    const { pushed } = this.#state;
    if (event.kind === "start" && event.source === "fork") {
      if (event.parent !== undefined) pushed.copy(`${this.#host}:${event.parent}`, session);
    } else if (event.kind === "start" && event.source !== "resume") {
      pushed.reset(session);
    }
    this.#told = pushed.of(session);
  }

  /** Things that are the same whenever they are told, and were told. */
  get known(): ReadonlySet<string> {
    return new Set([...this.#told].flatMap(([entity, { hash }]) => (hash === "" ? [entity] : [])));
  }

  /** When the session was last told about a subject, a file or a prompt; undefined: never. */
  toldAbout(subject: string): number | undefined {
    return this.#told.get(subject)?.at;
  }

  /**
   * Notes what is new and fits, and returns it as text. A subject that was told about before has only what came about
   * since: what did not fit then was not worth it.
   */
  tell(head: string, groups: readonly FactGroup[], maxTokens: number, subject?: string): string {
    const since = subject === undefined ? undefined : this.toldAbout(subject);
    const fresh = chosen(groups, ({ entityId, content, time }) => {
      const said = this.#told.get(entityId);
      return (said === undefined || said.hash !== hashOf(content)) && (since === undefined || (time ?? 0) > since);
    });
    const { facts, text } = pushedText(head, fresh, maxTokens);
    const session = this.#session;
    if (facts.length === 0 || session === undefined || this.#dex.stateDamaged) return text;
    const items = facts.map(({ entityId, content }) => ({ entity: entityId, hash: hashOf(content) }));
    const claimed = this.#state.pushed.claim(session, items, this.#dex.now(), subject);
    if (claimed.length === items.length) return text;
    // Another hook of the session told the others meanwhile.
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
    this.#opened ??= new StateStore(this.#dex.paths.state);
    return this.#opened;
  }
}

function chosen(groups: readonly FactGroup[], wanted: (fact: Fact) => boolean): FactGroup[] {
  return groups.map(({ title, facts }) => ({ title, facts: facts.filter(wanted) }));
}

function hashOf(content: string): string {
  return content === "" ? "" : contentId(content);
}
