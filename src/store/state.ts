/** What the rest of dex may ask of the user's own state: what people and agents saved, and what dex has told them. */
import type { DecisionNotes, TestNotes } from "./history.ts";
import type { MemoryNotes } from "./memories.ts";
import type { Tombstone } from "./state/tombstones.ts";
import type { DeliveryStore, SubscriptionStore } from "./subscriptions.ts";
import type { SuggestionLog } from "./suggestions.ts";

export interface StateStore {
  readonly decisions: DecisionNotes;
  readonly memory: MemoryNotes;
  readonly tests: TestNotes;
  readonly subscriptions: SubscriptionStore;
  readonly deliveries: DeliveryStore;
  readonly pushed: PushedItems;
  readonly suggestions: SuggestionLog;
  /** Does the work in one transaction: no other process writes meanwhile, and all of it is done or none. */
  transaction<T>(work: () => T): T;
  /** Changes when another connection has written. Asking costs next to nothing. */
  version(): number;
  /** Conversations that must not be taken in again. */
  forgotten(): Tombstone[];
  forget(source: string, id: string, at: number): void;
  /** Removes everything that quotes these conversations; with `dry` it is only counted. */
  forgetQuotes(forgetting: Forgetting, dry: boolean): ForgottenInState;
  /** Takes a conversation off the list of forgotten ones. */
  remember(source: string, id: string): void;
  /** Rewrites the file, so that nothing that was removed stays on disk. */
  purge(): void;
  close(): void;
}

/** Conversations that are being forgotten. */
export interface Forgetting {
  conversations: readonly { source: string; id: string; title: string }[];
  /** Whether a text names or quotes one of them. */
  quotes(text: string): boolean;
}

export interface ForgottenInState {
  suggestions: number;
  deliveries: number;
  /** Items that sessions and subscriptions were told. */
  told: number;
}

export interface PushedItem {
  entity: string;
  /** A hash of the text that is told about it. */
  hash: string;
}

/** Which items hooks have told an agent's session, so that each is told once. */
export interface PushedItems {
  /** By entity. */
  of(session: string): Map<string, { hash: string; at: number }>;
  /**
   * Notes the items that are about to be told, and returns those that the session was not told yet. Hooks of one session
   * run at the same time: the first to write tells. The subject is noted as told now.
   */
  claim<T extends PushedItem>(session: string, items: readonly T[], now: number, subject?: string): T[];
  /** The session's agent has lost what it was told. */
  reset(session: string): void;
  /** A fork begins with what its parent was told. */
  copy(from: string, to: string): void;
}
