/**
 * The reader's resume state: everything known about a session at one offset of its file that reading on from there
 * needs.
 *
 * A state is never changed, only replaced, so keeping the state of an earlier record costs nothing.
 */
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { checkedUsage, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import { loadQueue, type Queue } from "./queue.ts";

export interface ResumeState {
  /** Titles by rank: from the person, the model, a summary, the agent's name, the first prompt. */
  custom?: string;
  ai?: string;
  summary?: string;
  agentName?: string;
  prompt?: string;
  /** Summaries whose leaf has not appeared: they may describe another session. */
  summaries: readonly Summary[];
  project?: string;
  branch?: string;
  model?: string;
  parent?: string;
  fork?: boolean;
  prs: readonly string[];
  /** Undefined until the first record of the chain. */
  headless?: boolean;
  /** Calls without a result yet, as id and name. */
  calls: readonly Call[];
  queue: Queue;
  /** The last record of the chain. */
  leaf?: string;
  /** The latest time of a chain record: a record that repeats an earlier one cannot be later. */
  latest: string;
  /** Tokens of requests without a message of their own: the next message takes them. */
  usage?: readonly Usage[];
}

/** An offset from which reading can resume; `state` is the state at that offset. */
export interface Checkpoint {
  offset: number;
  index: number;
  state: ResumeState;
}

export interface Summary {
  leaf: string;
  text: string;
}

export interface Call {
  id: string;
  name: string;
}

export const EMPTY_STATE: ResumeState = { summaries: [], prs: [], calls: [], queue: [], latest: "" };

/** A session that carries out a plan begins with these words and the plan's heading. */
const PREAMBLE = /^(?:Implement the following plan:\s+)?(?:#+\s+)?/;

/** The line of the first prompt that serves as a title when there is no other. */
export function titleOfPrompt(prompt: string): string | undefined {
  return titleFrom(prompt.replace(PREAMBLE, ""));
}

const MAX_SUMMARIES = 8;
const MAX_PRS = 100;
const MAX_OPEN_CALLS = 32;

/** Takes over what every record of the chain says about its session. */
export function noteChain(state: ResumeState, record: JsonObject): ResumeState {
  const time = asString(record.timestamp) ?? "";
  const branch = firstString(record, "gitBranch");
  return {
    ...state,
    project: state.project ?? firstString(record, "cwd"),
    // A detached head does not replace a known branch.
    branch: branch === undefined || (branch === "HEAD" && state.branch !== undefined) ? state.branch : branch,
    headless: state.headless ?? isHeadless(record),
    leaf: asString(record.uuid) ?? state.leaf,
    latest: later(time, state.latest),
  };
}

/** Records outside the chain: titles and pull requests. `known` is true if the file has a chain record. */
export function noteOther(state: ResumeState, record: JsonObject, known: (uuid: string) => boolean): ResumeState {
  if (record.type === "custom-title") return { ...state, custom: firstString(record, "customTitle") ?? state.custom };
  if (record.type === "ai-title") return { ...state, ai: firstString(record, "aiTitle") ?? state.ai };
  if (record.type === "agent-name") return { ...state, agentName: firstString(record, "agentName") ?? state.agentName };
  if (record.type === "pr-link") {
    const url = firstString(record, "prUrl");
    if (url === undefined || state.prs.includes(url) || state.prs.length >= MAX_PRS) return state;
    return { ...state, prs: [...state.prs, url] };
  }
  const text = firstString(record, "summary");
  const leaf = firstString(record, "leafUuid");
  if (record.type !== "summary" || text === undefined || leaf === undefined) return state;
  if (known(leaf)) return { ...state, summary: text };
  return { ...state, summaries: [...state.summaries, { leaf, text }].slice(-MAX_SUMMARIES) };
}

/** The chain has reached this record: a summary that waited for it belongs to this session. */
export function noteLeaf(state: ResumeState, uuid: string): ResumeState {
  if (state.summaries.length === 0) return state;
  const found = state.summaries.findLast((summary) => summary.leaf === uuid);
  if (!found) return state;
  return { ...state, summary: found.text, summaries: state.summaries.filter((summary) => summary.leaf !== uuid) };
}

export function noteCall(state: ResumeState, id: string | undefined, name: string): ResumeState {
  return id === undefined ? state : { ...state, calls: [...state.calls, { id, name }].slice(-MAX_OPEN_CALLS) };
}

export function noteAnswer(state: ResumeState, id: string): ResumeState {
  return { ...state, calls: state.calls.filter((call) => call.id !== id) };
}

export function metaOf(state: ResumeState, id: string, source: string): ConversationMeta {
  return defined<ConversationMeta>({
    id,
    source,
    title: state.custom ?? state.ai ?? state.summary ?? state.agentName ?? state.prompt,
    project: state.project,
    branch: state.branch,
    model: state.model,
    parent: state.parent,
    parent_kind: state.parent === undefined ? undefined : state.fork ? "fork" : "subagent",
    prs: state.prs.length > 0 ? [...state.prs] : undefined,
    headless: state.headless === true ? true : undefined,
  });
}

export function parseResumeState(saved: Json | undefined): ResumeState {
  const state = asObject(saved);
  const text = (key: string): string | undefined => asString(state[key]);
  const flag = (key: string): boolean | undefined => {
    const value = state[key];
    return typeof value === "boolean" ? value : undefined;
  };
  return {
    custom: text("custom"),
    ai: text("ai"),
    summary: text("summary"),
    agentName: text("agentName"),
    prompt: text("prompt"),
    summaries: asArray(state.summaries)
      .map(asObject)
      .map((each) => ({ leaf: asString(each.leaf) ?? "", text: asString(each.text) ?? "" })),
    project: text("project"),
    branch: text("branch"),
    model: text("model"),
    parent: text("parent"),
    fork: flag("fork"),
    prs: asArray(state.prs).filter((url) => typeof url === "string"),
    headless: flag("headless"),
    calls: asArray(state.calls)
      .map(asObject)
      .map((each) => ({ id: asString(each.id) ?? "", name: asString(each.name) ?? "" })),
    leaf: text("leaf"),
    queue: loadQueue(asArray(state.queue)),
    latest: text("latest") ?? "",
    usage: checkedUsage(asArray(state.usage).map(asObject)),
  };
}

export function toJson(state: ResumeState): Json {
  return JSON.parse(JSON.stringify(state)) as Json;
}

/** Started by a program, or by dex itself. */
function isHeadless(record: JsonObject): boolean {
  if (record.sessionKind === "bg" || asString(record.entrypoint)?.startsWith("sdk")) return true;
  return /[\\/]\.dex(?:[\\/]|$)/.test(asString(record.cwd) ?? "");
}

function later(a: string, b: string): string {
  if (a > b) return a;
  return b;
}
