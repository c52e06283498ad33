/** The interface of remote sources: during a sync they deliver files, report failures and return a state for the next sync. */
import type { Json } from "../../kernel/json.ts";
import type { WebLimits } from "../net/fetch.ts";

export interface Trouble {
  path: string;
  error: string;
}

export interface GatheredFile {
  /** Relative to the collection, with slashes. */
  path: string;
  /** Address or path where it can be opened. */
  location: string;
  bytes: Uint8Array;
  /** Milliseconds. */
  updated: number;
  etag?: string;
  modified?: string;
}

/** A file as the last sync left it. */
export interface KnownFile {
  location: string;
  etag?: string;
  modified?: string;
}

export interface GatherSink {
  known(path: string): KnownFile | undefined;
  knownPaths(): Iterable<string>;
  /** Its archived content. */
  content(path: string): Buffer | undefined;
  file(file: GatheredFile): Promise<void>;
  unchanged(path: string): void;
  /** The version of the last sync stays. */
  failed(path: string, error: string): void;
  /** The file exists but is not a document. */
  skipped(path: string, reason: string): void;
  progress(done: number, total: number): void;
}

/** One place that documentation of a package came from. */
export interface PackagePart {
  /** `types`: the doc comments of declaration files. */
  from: "package" | "types" | "repository" | "homepage";
  place: string;
  documents: number;
  tokens: number;
  /** Which commit, or why there is nothing. */
  note?: string;
  /** It could not be fetched. */
  failed?: true;
}

/** The documentation of a package: which version it is of, and where it came from. */
export interface PackageReport {
  name: string;
  version: string;
  parts: PackagePart[];
  /** Set if there is little documentation: what to try next. */
  advice?: string;
}

/** Where documentation of packages may come from besides the packages. */
export interface PackageSettings {
  /** False: only the registry is asked. */
  repositories: boolean;
  /** Git repositories by package, from the user's settings. */
  catalogue: Readonly<Record<string, string>>;
}

export interface GatherLimits extends WebLimits {
  maxFiles: number;
  /** Bytes of all files together. */
  maxTotal: number;
  maxPages: number;
  delayMs: number;
}

export interface GatherContext {
  limits: GatherLimits;
  sink: GatherSink;
  /** The state that the last sync returned; undefined: fetch everything. */
  state: Json | undefined;
  vars: NodeJS.ProcessEnv;
  registry: string | undefined;
  packages: PackageSettings;
  /** Checks that a project file that lists remote documents is trusted; undefined: the user's own files, always trusted. */
  mayFollow: ((file: string, content: string) => boolean) | undefined;
}

export interface Gathered {
  state?: Json;
  /** Nothing changed since the last sync. */
  same?: true;
  /** Of a package. */
  package?: PackageReport;
  /** Only part of the source was seen, so no file may be removed. */
  partial?: true;
}
