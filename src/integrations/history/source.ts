/**
 * The contract of a reader of one agent's history, called a source: it knows where the agent keeps its conversations
 * and how to read them. It knows nothing about storage: it passes messages to a sink and returns the state from which
 * the next read continues.
 *
 * Everything here is synchronous on purpose: a worker thread reads, where sequential system calls are the fastest way
 * through a file.
 */
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import type { Json } from "../../kernel/json.ts";

/** The part of the process environment that a source may read. Tests pass their own. */
export interface SourceEnv {
  /** The user's home directory. */
  home: string;
  platform: NodeJS.Platform;
  /** Environment variables (CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME, …). */
  vars: Readonly<Record<string, string | undefined>>;
  /**
   * Folders named by the user for this source, and project folders already known: for agents without a central store.
   */
  roots: readonly string[];
  /** The folder of dex's own chat sessions, if they are wanted. */
  chats?: string;
}

/** A file (or database) with one or more conversations. */
export interface Container {
  source: string;
  /** Absolute path. */
  path: string;
  /** Changes whenever the content may have changed: size and mtime of every file that belongs to it. */
  stamp: string;
  /** Size in bytes if read whole: for progress, and to estimate how long a sync takes. */
  bytes: number;
  mtimeMs: number;
}

/** A location that the source reads, for `dex doctor` and the documentation. */
export interface HistoryPlace {
  path: string;
  what: string;
}

/** Which conversation a new container has, and what it may repeat. Cheap to read, before the container itself. */
export interface Lineage {
  id: string;
  /** Two containers with the same family key begin with the same records. */
  family?: string;
  /** The conversation whose leading records it repeats, if the file says so. */
  forkOf?: string;
}

export interface OpenOptions {
  /**
   * Messages before this index are unchanged since the last read; the following ones replace the rest. 0 (the default)
   * means that the source returns the whole conversation again; the store finds the difference.
   */
  from?: number;
}

/** Receives the conversations that a source reads. One conversation is open at a time. */
export interface Sink {
  /**
   * Begins a conversation. Returns false if the user does not want it (excluded path, headless): the source then skips
   * it and need not call `close`.
   */
  open(meta: ConversationMeta, options?: OpenOptions): boolean;
  message(message: Message): void;
  /** Ends the conversation. Fields given here win over those given at `open` (titles are often found last). */
  close(meta?: Partial<ConversationMeta>): void;
  /** An abandoned branch is part of its conversation again: the store removes the separate conversation. */
  rejoined?(source: string, id: string): void;
  /** A line or record that could not be read. */
  malformed(where: string, what: string): void;
  /** Called now and then for containers of many conversations: the share of it that was read, from 0 to 1. */
  progress?(share: number): void;
}

export interface ReadRequest {
  container: Container;
  env: SourceEnv;
  /** The result of the last `read` of this container; undefined the first time or after a rebuild. */
  state: Json | undefined;
  /**
   * Record ids (`Message.uid`) that the conversations it was forked from already have: leading records with these ids
   * are skipped.
   */
  inherited: ReadonlySet<string>;
  /** The conversation with the last of the inherited records. */
  inheritedFrom?: string;
  sink: Sink;
}

/** Where an agent's history is in a project. */
export interface ProjectFile {
  /** The project's folder. */
  project: string;
  /** The file, or a folder that contains only such files. */
  history: string;
}

export interface Source {
  /** The integration's id: `claude_code`, `codex`, … */
  id: string;
  /** The locations it reads. They need not exist. */
  places(env: SourceEnv): HistoryPlace[];
  /** All containers that exist now. Cheap: directory listings and stat only, no file is opened. */
  discover(env: SourceEnv): Container[];
  /** For agents that keep their history in the project folder: such a file may have come with a clone. */
  besideCode?(container: Container): ProjectFile;
  lineage?(container: Container, env: SourceEnv): Lineage | undefined;
  /** Reads the part that is new since `state` and returns the next state. */
  read(request: ReadRequest): Json | undefined;
}
