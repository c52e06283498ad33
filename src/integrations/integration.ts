/**
 * One coding agent as dex knows it: its names, how a conversation is handed to it, and where its code is.
 *
 * A record is light: it imports no reader, no editor of settings and no hook. Those are loaded on demand, so a command
 * that needs only the names starts fast.
 */
import type { Source, SourceEnv } from "./history/source.ts";
import type { HookHost } from "./hooks/hook_host.ts";
import type { AgentSettings } from "./settings/agent_settings.ts";

/** How a person or a program continues a conversation in this agent. */
export interface Handoff {
  /** Written before a path in a prompt, it makes the agent read that file. Absent: the path has no prefix. */
  filePrefix?: string;
  /** The command that resumes a session, up to the session's id. */
  resume?: readonly string[];
  /**
   * Matches history files of sessions that `resume` cannot open, because another program of the same vendor wrote them.
   */
  elsewhere?: RegExp;
  /** The command that starts the agent, up to its first prompt. */
  start?: readonly string[];
}

export interface Integration {
  /** As in `--source` and in every stored conversation: it never changes. */
  id: string;
  /** Its product name. */
  name: string;
  /** Other names that a person may type for it, in lower case with underscores. */
  aliases: readonly string[];
  /** Variables in which the agent passes the id of its session to a command; the first one that is set counts. */
  sessionVariables?: readonly string[];
  /** Absent: dex knows neither its commands nor how its prompts name a file; a handoff to it is like one to any agent. */
  handoff?: Handoff;
  /** The word after `dex hook`, if it is not the id. */
  hookName?: string;
  /**
   * The folders and files of its history. dex loads the reader only if one of them exists, because most people have two
   * agents out of fifty.
   */
  folders?: (env: SourceEnv) => readonly string[];
  /** Reads its conversations. */
  history?: () => Promise<Source>;
  /** Its settings, for connecting dex to it. */
  settings?: () => Promise<AgentSettings>;
  /** Understands the events of its hooks. */
  hooks?: () => Promise<HookHost>;
  /** Every output of a hook becomes context, so a hook with nothing to say writes nothing, not even `{}`. */
  readsAllOutput?: true;
}
