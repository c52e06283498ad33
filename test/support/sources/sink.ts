/** A sink that stores what a source reads, for tests of sources. */
import type { ConversationMeta, Message } from "../../../src/conversations/model.ts";
import type { Container, OpenOptions, Sink, Source, SourceEnv } from "../../../src/integrations/history/source.ts";
import type { Json } from "../../../src/kernel/json.ts";

export interface ReadConversation {
  meta: ConversationMeta;
  messages: Message[];
}

/** Stores conversations across reads, so an incremental read can be compared with a whole one. */
export class CollectingSink implements Sink {
  readonly conversations = new Map<string, ReadConversation>();
  readonly malformedLines: string[] = [];
  /** The number of messages delivered since the sink was made. */
  delivered = 0;
  #open: ReadConversation | undefined;

  open(meta: ConversationMeta, options: OpenOptions = {}): boolean {
    if (this.#open) throw new Error(`${meta.id} opened while ${this.#open.meta.id} is open`);
    const before = this.conversations.get(meta.id);
    const kept = before?.messages.slice(0, options.from ?? 0) ?? [];
    if (kept.length !== (options.from ?? 0))
      throw new Error(`${meta.id} goes on at ${options.from}, ${kept.length} are there`);
    this.#open = { meta: { ...before?.meta, ...meta }, messages: kept };
    return true;
  }

  message(message: Message): void {
    if (!this.#open) throw new Error("message without an open conversation");
    this.delivered += 1;
    this.#open.messages.push(structuredClone(message));
  }

  close(meta: Partial<ConversationMeta> = {}): void {
    if (!this.#open) throw new Error("close without an open conversation");
    Object.assign(this.#open.meta, meta);
    this.conversations.set(this.#open.meta.id, this.#open);
    this.#open = undefined;
  }

  malformed(where: string, what: string): void {
    this.malformedLines.push(`${where}: ${what}`);
  }

  rejoined(_source: string, id: string): void {
    this.conversations.delete(id);
  }

  /** Branches that were abandoned, in the order in which they were read. */
  abandoned(): ReadConversation[] {
    return [...this.conversations.values()].filter(({ meta }) => meta.parent_kind === "abandoned");
  }

  /** The only conversation besides its abandoned branches. */
  only(): ReadConversation {
    const all = [...this.conversations.values()].filter(({ meta }) => meta.parent_kind !== "abandoned");
    if (all.length !== 1) throw new Error(`expected one conversation, got ${all.length}`);
    return all[0] as ReadConversation;
  }
}

export function testEnv(home: string, vars: Record<string, string> = {}, roots: string[] = []): SourceEnv {
  return { home, platform: "linux", vars, roots };
}

/** Reads every container of the source once. Returns the states, for a second, incremental read. */
export function readAll(
  source: Source,
  env: SourceEnv,
  sink: CollectingSink,
  states: Map<string, Json | undefined> = new Map(),
  options: { inherited?: ReadonlySet<string>; inheritedFrom?: string } = {},
): Map<string, Json | undefined> {
  for (const container of source.discover(env)) readOne(source, env, container, sink, states, options);
  return states;
}

export function readOne(
  source: Source,
  env: SourceEnv,
  container: Container,
  sink: CollectingSink,
  states: Map<string, Json | undefined>,
  options: { inherited?: ReadonlySet<string>; inheritedFrom?: string } = {},
): void {
  const state = source.read({
    container,
    env,
    state: states.get(container.path),
    inherited: options.inherited ?? new Set(),
    inheritedFrom: options.inheritedFrom,
    sink,
  });
  states.set(container.path, state);
}
