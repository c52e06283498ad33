/**
 * The contract of a reader of one agent's history, called a source: it knows where the agent keeps its conversations and
 * how to read them. It knows nothing of storage: it hands messages to a sink and returns the state from which the next
 * read continues.
 *
 * Everything here is synchronous on purpose: reading runs in a worker thread, where sequential system calls are the
 * fastest way through a file.
 */
import type { ConversationMeta, Message } from "../../conversations/model.ts";
import type { Json } from "../../kernel/json.ts";

/** The process environment a source may look at. Tests pass their own. */
export interface SourceEnv {
  /** The user's home directory. */
  home: string;
  platform: NodeJS.Platform;
  /** Environment variables (CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_DATA_HOME, …). */
  vars: Readonly<Record<string, string | undefined>>;
  /** Folders named by the user for this source, and project folders already known: for agents without a central store. */
  roots: readonly string[];
  /** The folder of dex's own chat sessions, when they are wanted. */
  chats?: string;
}

/** A file (or database) that holds one or more conversations. */
export interface Container {
  source: string;
  /** Absolute path. */
  path: string;
  /** Changes whenever the content may have changed: size and mtime of every file that belongs to it. */
  stamp: string;
  /** Bytes to read if it were read whole: for progress, and to guess how long a sync takes. */
  bytes: number;
  mtimeMs: number;
}

/** A place where the source looks, for `dex doctor` and the documentation. */
export interface HistoryPlace {
  path: string;
  what: string;
}

/** Which conversation a new container holds, and what it may repeat. Read cheaply, before the container is. */
export interface Lineage {
  id: string;
  /** Two containers with the same family key begin with the same records. */
  family?: string;
  /** The conversation whose leading records it repeats, when the file says so. */
  forkOf?: string;
}

export interface OpenOptions {
  /**
   * Messages before this index are unchanged since the last read; what follows replaces the rest.
   * 0 (the default) means that the whole conversation is given again; the store finds out what is new.
   */
  from?: number;
}

/** Takes what a source reads. One conversation is open at a time. */
export interface Sink {
  /**
   * Begins a conversation. Returns false when the user does not want it (excluded path, headless):
   * the source then leaves it and need not call `close`.
   */
  open(meta: ConversationMeta, options?: OpenOptions): boolean;
  message(message: Message): void;
  /** Ends it. Fields given here win over those given at `open` (titles are often found last). */
  close(meta?: Partial<ConversationMeta>): void;
  /** A line or record that could not be read. */
  malformed(where: string, what: string): void;
  /** Told now and then by containers of many conversations: the share of it that was read, from 0 to 1. */
  progress?(share: number): void;
}

export interface ReadRequest {
  container: Container;
  env: SourceEnv;
  /** What the last `read` of this container returned; undefined the first time or after a rebuild. */
  state: Json | undefined;
  /** Record ids (`Message.uid`) that conversations it was forked from already hold: leading records with these are skipped. */
  inherited: ReadonlySet<string>;
  /** The conversation that holds the last of the inherited records. */
  inheritedFrom?: string;
  sink: Sink;
}

/** Where in a project an agent's history lies. */
export interface ProjectFile {
  /** The project's folder. */
  project: string;
  /** The file, or a folder of nothing but such files. */
  history: string;
}

export interface Source {
  /** The integration's id: `claude_code`, `codex`, … */
  id: string;
  /** Where it looks. Need not exist. */
  places(env: SourceEnv): HistoryPlace[];
  /** All containers there are now. Cheap: directory listings and stat only, nothing is opened. */
  discover(env: SourceEnv): Container[];
  /** For agents that keep their history beside the code: such a file may have come with a clone. */
  besideCode?(container: Container): ProjectFile;
  lineage?(container: Container, env: SourceEnv): Lineage | undefined;
  /** Reads what is new since `state` and returns the next state. */
  read(request: ReadRequest): Json | undefined;
}
