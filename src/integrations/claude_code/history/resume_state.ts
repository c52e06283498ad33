/**
 * What is known of a session at one place of its file: all that reading on from there needs.
 *
 * A Carry is never changed, only replaced, so that keeping the one that held at an earlier record costs nothing.
 */
import type { ConversationMeta } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../kernel/json.ts";
import { titleFrom } from "../../history/reading/wrappers.ts";
import { loadQueue, type Queue } from "./queue.ts";

export interface Carry {
  /** Titles by their rank: given by the person, by the model, a summary, the agent's name, the first prompt. */
  custom?: string;
  ai?: string;
  summary?: string;
  agentName?: string;
  prompt?: string;
  /** Summaries whose leaf has not been met: they may tell of another session. */
  summaries: readonly Summary[];
  project?: string;
  branch?: string;
  model?: string;
  parent?: string;
  fork?: boolean;
  prs: readonly string[];
  /** Undefined until the first record of the chain. */
  headless?: boolean;
  /** Calls without an answer yet, as id and name. */
  calls: readonly Call[];
  queue: Queue;
  /** The latest time of a chain record: a record that repeats an earlier one cannot be later. */
  latest: string;
}

export interface Summary {
  leaf: string;
  text: string;
}

export interface Call {
  id: string;
  name: string;
}

export const EMPTY_CARRY: Carry = { summaries: [], prs: [], calls: [], queue: [], latest: "" };

/** A plan carried out in a fresh session begins with these words and its own heading. */
const PREAMBLE = /^(?:Implement the following plan:\s+)?(?:#+\s+)?/;

/** The line of the first prompt that stands for a title when nothing else does. */
export function titleOfPrompt(prompt: string): string | undefined {
  return titleFrom(prompt.replace(PREAMBLE, ""));
}

const MOST_SUMMARIES = 8;
const MOST_PRS = 100;
const MOST_CALLS = 32;

/** What every record of the chain tells of its session. */
export function noteChain(carry: Carry, record: JsonObject): Carry {
  const time = asString(record.timestamp) ?? "";
  const branch = firstString(record, "gitBranch");
  return {
    ...carry,
    project: carry.project ?? firstString(record, "cwd"),
    // A detached head is no branch to remember when there was one.
    branch: branch === undefined || (branch === "HEAD" && carry.branch !== undefined) ? carry.branch : branch,
    headless: carry.headless ?? isHeadless(record),
    latest: later(time, carry.latest),
  };
}

/** Records that are not of the chain: titles and pull requests. `known` tells whether a chain record is in the file. */
export function noteOther(carry: Carry, record: JsonObject, known: (uuid: string) => boolean): Carry {
  if (record.type === "custom-title") return { ...carry, custom: firstString(record, "customTitle") ?? carry.custom };
  if (record.type === "ai-title") return { ...carry, ai: firstString(record, "aiTitle") ?? carry.ai };
  if (record.type === "agent-name") return { ...carry, agentName: firstString(record, "agentName") ?? carry.agentName };
  if (record.type === "pr-link") {
    const url = firstString(record, "prUrl");
    if (url === undefined || carry.prs.includes(url) || carry.prs.length >= MOST_PRS) return carry;
    return { ...carry, prs: [...carry.prs, url] };
  }
  const text = firstString(record, "summary");
  const leaf = firstString(record, "leafUuid");
  if (record.type !== "summary" || text === undefined || leaf === undefined) return carry;
  if (known(leaf)) return { ...carry, summary: text };
  return { ...carry, summaries: [...carry.summaries, { leaf, text }].slice(-MOST_SUMMARIES) };
}

/** The chain has reached this record: a summary that waited for it is this session's. */
export function noteLeaf(carry: Carry, uuid: string): Carry {
  if (carry.summaries.length === 0) return carry;
  const found = carry.summaries.findLast((summary) => summary.leaf === uuid);
  if (!found) return carry;
  return { ...carry, summary: found.text, summaries: carry.summaries.filter((summary) => summary.leaf !== uuid) };
}

export function noteCall(carry: Carry, id: string | undefined, name: string): Carry {
  return id === undefined ? carry : { ...carry, calls: [...carry.calls, { id, name }].slice(-MOST_CALLS) };
}

export function noteAnswer(carry: Carry, id: string): Carry {
  return { ...carry, calls: carry.calls.filter((call) => call.id !== id) };
}

export function metaOf(carry: Carry, id: string, source: string): ConversationMeta {
  return defined<ConversationMeta>({
    id,
    source,
    title: carry.custom ?? carry.ai ?? carry.summary ?? carry.agentName ?? carry.prompt,
    project: carry.project,
    branch: carry.branch,
    model: carry.model,
    parent: carry.parent,
    parent_kind: carry.parent === undefined ? undefined : carry.fork ? "fork" : "subagent",
    prs: carry.prs.length > 0 ? [...carry.prs] : undefined,
    headless: carry.headless === true ? true : undefined,
  });
}

export function loadCarry(saved: Json | undefined): Carry {
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
    queue: loadQueue(asArray(state.queue)),
    latest: text("latest") ?? "",
  };
}

export function saveCarry(carry: Carry): Json {
  return JSON.parse(JSON.stringify(carry)) as Json;
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
