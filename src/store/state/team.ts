/** The port of what this machine knows about its team: shared projects, what was pushed, and what waits to be forgotten. */

export interface Share {
  /** The project's key on the team's server: a normalised git remote. */
  scope: string;
  /** The folder that was shared. */
  root: string;
  at: number;
  /** Nothing is pushed before this time. */
  opens: number;
}

/** How far a conversation was pushed. */
export interface PushedConversation {
  source: string;
  id: string;
  scope: string;
  branch: string;
  generation: number;
  /** Bytes of the local archive that were pushed, and a hash of the last of them: an archive may be rewritten. */
  localBytes: number;
  tail: string;
  teamBytes: number;
  /** A hash over the hashes of all pieces, and the rules that cleaned them. */
  chain: string;
  rules: string;
  /** Why it is not pushed: `forgotten` on the server, or what the gate could not clean. */
  held: string | null;
}

export interface TeamNotes {
  shares(): Share[];
  share(share: Share): void;
  unshare(scope: string): boolean;
  pushed(): PushedConversation[];
  setPushed(rows: readonly PushedConversation[]): void;
  /** Removes the records of a conversation. */
  dropPushed(source: string, id: string): void;
  /** Starts again from the first byte in the same generation, because the server has lost later pieces. */
  restart(source: string, id: string, generation: number): void;
  /** Conversations that a person holds back. */
  objections(): { source: string; id: string }[];
  object(source: string, id: string, at: number): void;
  allow(source: string, id: string): boolean;
  /** Conversations that the server has yet to forget. */
  forgets(): { source: string; id: string }[];
  queueForget(source: string, id: string, at: number): void;
  forgotOnServer(source: string, id: string): void;
  /** A number that changes when another process has written to state.db. */
  version(): number;
  value(key: string): string | undefined;
  setValue(key: string, value: string): void;
  /** Removes everything except pending forgets, after leaving a team. */
  clear(): void;
}
