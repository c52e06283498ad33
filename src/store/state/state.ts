/** The port of the user's own state: data that people and agents saved, and the items that dex has pushed to them. */
import type { MemoryNotes } from "./memories.ts";
import type { DecisionNotes, TestNotes } from "./recorded.ts";
import type { DeliveryStore, SubscriptionStore } from "./subscriptions.ts";
import type { SuggestionLog } from "./suggestions.ts";
import type { TeamNotes } from "./team.ts";
import type { Tombstone } from "./tombstones.ts";

export interface StateStore {
  readonly decisions: DecisionNotes;
  readonly memory: MemoryNotes;
  readonly tests: TestNotes;
  readonly subscriptions: SubscriptionStore;
  readonly deliveries: DeliveryStore;
  readonly pushed: PushedItems;
  readonly suggestions: SuggestionLog;
  readonly team: TeamNotes;
  /** Runs the work in one transaction: no other process writes meanwhile, and all of it is done or none. */
  transaction<T>(work: () => T): T;
  /** Changes when another connection has written. The check costs next to nothing. */
  version(): number;
  /** Conversations that a sync must not archive again. */
  forgotten(): Tombstone[];
  forget(source: string, id: string, at: number): void;
  /** Removes everything that quotes these conversations; with `dry` it is only counted. */
  forgetQuotes(forgetting: Forgetting, dry: boolean): ForgottenInState;
  /** Takes a conversation off the list of forgotten ones. */
  remember(source: string, id: string): void;
  /** Rewrites the file to erase everything that was removed from the disk. */
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
  /** Items that dex pushed to sessions and subscriptions. */
  told: number;
}

export interface PushedItem {
  entity: string;
  /** A hash of the item's text. */
  hash: string;
}

/** Which items hooks have pushed to an agent's session; each is pushed once. */
export interface PushedItems {
  /** By entity. */
  of(session: string): Map<string, { hash: string; at: number }>;
  /**
   * Records the items about to be pushed, and returns those that the session has not had. Hooks of one session run
   * concurrently: the first to write pushes. The subject is recorded as pushed now.
   */
  claim<T extends PushedItem>(session: string, items: readonly T[], now: number, subject?: string): T[];
  /** The session's agent has lost the items pushed to it. */
  reset(session: string): void;
  /** A fork begins with the items of its parent. */
  copy(from: string, to: string): void;
}
