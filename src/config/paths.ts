/** The paths of dex's files, all below `DEX_HOME`. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** A file of this name in a project turns hooks off there. */
export const OPT_OUT = ".dex-no-hooks";

export interface DexPaths {
  home: string;
  config: string;
  archive: string;
  index: string;
  documents: string;
  /** Fetched documents of collections. */
  documentArchive: string;
  documentLock: string;
  /** The list of project files that may point outside their project. */
  trust: string;
  state: string;
  /** Backups of state.db. */
  backups: string;
  traces: string;
  chats: string;
  /** One database for the code of each project. */
  code: string;
  /** The token for HTTP clients. */
  token: string;
  workflows: string;
  /** Summaries of conversations, which `dex compact` can recreate. */
  summaries: string;
  /** A database for the history of each repository. */
  history: string;
  /** Records why hooks answered nothing. */
  hooksLog: string;
  /** Counts how hooks ended, by day and host. */
  hookCounts: string;
  /** Counts the facts that hooks gave to each session. */
  hooksGiven: string;
  /** The number of conversations, for the status line. */
  status: string;
  /** A lock for each project that is watched. */
  watch: string;
  /** The access to a team's server, and what is cached of it. */
  team: string;
  lock: string;
  /** Present while a sync runs, and after one that was killed. */
  running: string;
  /** Names the conversations that `dex forget` is removing, so that the next command can finish after a kill. */
  forgetting: string;
  /** Names the folders that `dex install` created for agents. */
  agentFolders: string;
  /** Questions typed into `dex ask -i`. */
  askHistory: string;
}

export function userHome(vars: NodeJS.ProcessEnv): string {
  return vars.HOME || vars.USERPROFILE || homedir();
}

export function dexPaths(vars: NodeJS.ProcessEnv): DexPaths {
  const home = vars.DEX_HOME ? resolve(vars.DEX_HOME) : join(userHome(vars), ".dex");
  return {
    home,
    config: join(home, "config.yaml"),
    archive: join(home, "archive", "conversations"),
    index: join(home, "index.db"),
    documents: join(home, "documents.db"),
    documentArchive: join(home, "archive", "documents"),
    documentLock: join(home, "documents-lock.db"),
    trust: join(home, "trust.json"),
    state: join(home, "state.db"),
    backups: join(home, "backups"),
    traces: join(home, "traces"),
    chats: join(home, "chat-sessions"),
    code: join(home, "code"),
    token: join(home, "mcp-token"),
    workflows: join(home, "workflows"),
    summaries: join(home, "summaries"),
    history: join(home, "history"),
    hooksLog: join(home, "hooks.log"),
    hookCounts: join(home, "hooks.counts"),
    hooksGiven: join(home, "hooks.given"),
    status: join(home, "status.json"),
    watch: join(home, "watch"),
    team: join(home, "team"),
    lock: join(home, "lock.db"),
    running: join(home, "sync-running.json"),
    forgetting: join(home, "forget-pending.json"),
    agentFolders: join(home, "agent-folders.json"),
    askHistory: join(home, "ask-history"),
  };
}
