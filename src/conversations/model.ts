/**
 * The common model that the history of every agent is read into.
 *
 * A message is one party's contribution at one time; its parts are in their original order.
 * These types are also the archive's line format, so a field may be added but never change its meaning.
 */
import type { Json } from "../kernel/json.ts";
import type { Usage } from "./usage.ts";

/** `tool`: results of tool calls; `system`: texts of the agent's program. */
export const ROLES = ["user", "assistant", "tool", "system"] as const;
export type Role = (typeof ROLES)[number];

export interface TextPart {
  type: "text";
  text: string;
}

/** The model's reasoning before its answer, where the agent stores it. */
export interface ThinkingPart {
  type: "thinking";
  text: string;
}

export interface ToolCallPart {
  type: "tool_call";
  /** The agent's own call id, which the matching result repeats. */
  id?: string;
  /** The tool, by the agent's name for it. */
  name: string;
  input: Json;
  /** Files the call names under keys that dex does not know. */
  files?: string[];
}

export interface ToolResultPart {
  type: "tool_result";
  /** The id of the call, if the agent stores it; otherwise calls and results are in the same order. */
  id?: string;
  /** The tool. */
  name?: string;
  output: string;
  is_error?: boolean;
  exit_code?: number;
  /** The id of the subagent's conversation that did the work. */
  agent?: string;
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart;

export interface Message {
  role: Role;
  /** ISO 8601, UTC, with milliseconds when the agent gave them; absent when it gave no time. */
  time?: string;
  parts: Part[];
  /** The agent's own id of this record; it identifies records that forks repeat. */
  uid?: string;
  /** The model that wrote it. */
  model?: string;
  /** `summary`: text the agent wrote to replace earlier messages; `queued`: typed while the agent worked. */
  kind?: "summary" | "queued";
  /** The requests to models that produced this message. The hash by which dex compares messages leaves them out. */
  usage?: Usage[];
}

export const PARENT_KINDS = ["subagent", "fork", "abandoned"] as const;
/** `abandoned`: the messages that a person left behind by going back to an earlier message of the parent. */
export type ParentKind = (typeof PARENT_KINDS)[number];

/** Follows the id of a conversation in the id of a branch that was abandoned, before the name of the branch. */
export const BRANCH_MARK = "~";

export interface ConversationMeta {
  /** The agent's own id; with the source it identifies the conversation. */
  id: string;
  /** The agent: `claude_code`. */
  source: string;
  title?: string;
  /** Working directory of the conversation. */
  project?: string;
  /** The git branch. */
  branch?: string;
  /** The last model. */
  model?: string;
  /** Times from the agent's own record, used when messages have none. */
  created?: string;
  updated?: string;
  /** The id of the conversation that this one was started from; `parent_kind` says how. */
  parent?: string;
  parent_kind?: ParentKind;
  /** URLs of pull requests. */
  prs?: string[];
  /** The file it was read from. */
  origin?: string;
  /** Id of its first record: a fork or resume that repeats the conversation starts with the same one. */
  family?: string;
  /** Started by a program, not a person: left out of the index unless asked for. */
  headless?: boolean;
  /** Only where it is pushed to a team, and only if its folder does not show it: the root of its project. */
  root?: string;
}
