/** Changes on a team's server, as they are applied to the cache. */
import type { SharedNote } from "./notes.ts";
import type { SharedTables } from "./segment.ts";

/** The member and machine that pushed a conversation; by its number in the bucket. */
export interface SharedIdentity {
  conv: number;
  owner: string;
  /** Pushed by the member that this home belongs to. */
  own: boolean;
  machine: string;
}

/** A bucket of the server as it is now. */
export interface BucketUpdate {
  bucket: number;
  scope: string;
  version: number;
  /** All of its segments. */
  segments: readonly number[];
  /** The segments that are new to the cache. */
  added: readonly { segment: number; owner: string; tables: SharedTables }[];
  /** New segments that cannot be used, and the members who wrote them. */
  refused: readonly { segment: number; owner: string }[];
  /** The conversations of the new segments, as far as the server still has them. */
  identities: readonly SharedIdentity[];
  /** Conversations that were removed while segments still have their words. */
  gone: readonly number[];
  notes: readonly SharedNote[];
}
