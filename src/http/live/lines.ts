/** The lines of `GET /api/events`. */
import type { SyncStatus } from "../../sync/freshness/freshness.ts";

export interface IndexFacts {
  conversations: number;
  messages: number;
  /** Null: never. */
  last_sync: string | null;
}

/** Parts of dex's home besides the index of conversations. */
export type ChangedPart = "documents" | "code" | "history" | "state" | "traces";

export type LiveLine =
  /** The first line. `waiting`: history of agents that is not indexed yet, and the estimated duration of a sync. */
  | ({
      type: "hello";
      version: string;
      folder: string;
      standing: SyncStatus["standing"];
      waiting: { files: number; bytes: number; seconds: number };
    } & IndexFacts)
  | ({ type: "index" } & IndexFacts)
  /** A conversation is new or has grown. */
  | { type: "conversation"; id: string; source: string; title: string; messages: number; updated: string }
  | { type: "sync"; phase: "running" | "done" | "failed"; done: number; total: number; label: string }
  /** Another process, or a request, wrote these. */
  | { type: "changed"; what: ChangedPart[] }
  | { type: "ping" };
