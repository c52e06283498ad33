/** What a source that lies elsewhere does at a sync: it gives files, says what it could not get, and leaves a state. */
import type { Json } from "../../kernel/json.ts";
import type { WebLimits } from "../net/fetch.ts";

export interface Trouble {
  path: string;
  /** A sentence. */
  error: string;
}

export interface GatheredFile {
  /** Inside the collection, with slashes. */
  path: string;
  /** Where it can be opened. */
  location: string;
  bytes: Uint8Array;
  /** Milliseconds. */
  updated: number;
  etag?: string;
  modified?: string;
}

/** What is known of a file from the last sync. */
export interface KnownFile {
  location: string;
  etag?: string;
  modified?: string;
}

export interface GatherSink {
  known(path: string): KnownFile | undefined;
  knownPaths(): Iterable<string>;
  /** What is kept of it. */
  content(path: string): Buffer | undefined;
  file(file: GatheredFile): Promise<void>;
  /** It is as it was. */
  unchanged(path: string): void;
  /** It could not be got: what the last sync had of it stays. */
  failed(path: string, error: string): void;
  /** It is there and is no document. */
  skipped(path: string, reason: string): void;
  progress(done: number, total: number): void;
}

export interface GatherLimits extends WebLimits {
  maxFiles: number;
  /** Of all files together. */
  maxTotal: number;
  maxPages: number;
  delayMs: number;
}

export interface GatherContext {
  limits: GatherLimits;
  sink: GatherSink;
  /** What the last gathering left; undefined: everything is fetched. */
  state: Json | undefined;
  vars: NodeJS.ProcessEnv;
  registry: string | undefined;
  /** Project files that send a fetch elsewhere have to be trusted; undefined: the user's own, which are. */
  mayFollow: ((file: string, content: string) => boolean) | undefined;
}

export interface Gathered {
  state?: Json;
  /** Nothing changed since the state was left: what is kept stays as it is. */
  same?: true;
  /** Only part of the source was seen: what was not is no reason to remove anything. */
  partial?: true;
}
