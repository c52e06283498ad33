/** The objects of LangChain and the checkpoints of LangGraph, as Deep Agents stores them, for tests. */

import { join } from "node:path";
import type { Message } from "../../../src/conversations/model.ts";
import { json, putDatabase } from "./forms.ts";
import { Extended, msgpack } from "./msgpack.ts";

const MODULES: Readonly<Record<string, string>> = {
  HumanMessage: "langchain_core.messages.human",
  AIMessage: "langchain_core.messages.ai",
  ToolMessage: "langchain_core.messages.tool",
  RemoveMessage: "langchain_core.messages.modifier",
};
const KINDS: Readonly<Record<string, string>> = {
  HumanMessage: "human",
  AIMessage: "ai",
  ToolMessage: "tool",
  RemoveMessage: "remove",
};

/** A message of LangChain. */
export function langchain(name: keyof typeof MODULES & string, fields: object): Extended {
  const all = { content: "", additional_kwargs: {}, response_metadata: {}, type: KINDS[name], name: null, ...fields };
  return new Extended(5, msgpack([MODULES[name], name, all, "model_validate_json"]));
}

/** A list in the place of all messages before it. */
export function overwrite(value: readonly unknown[]): Extended {
  return new Extended(2, msgpack(["langgraph.types", "Overwrite", { value }]));
}

export const human = (id: string, content: unknown, more: object = {}): Extended =>
  langchain("HumanMessage", { id, content, ...more });
export const ai = (id: string, content: unknown, more: object = {}): Extended =>
  langchain("AIMessage", { id, content, tool_calls: [], ...more });
export const tool = (id: string, tool_call_id: string, content: unknown, more: object = {}): Extended =>
  langchain("ToolMessage", { id, content, tool_call_id, status: "success", ...more });
export const call = (id: string, name: string, args: object): object => ({ id, name, args, type: "tool_call" });
export const remove = (id: string): Extended => langchain("RemoveMessage", { id });

const START = Date.UTC(2026, 2, 2, 9, 15);

/** Ids of checkpoints begin with their time. */
export function checkpointId(second: number): string {
  const time = (BigInt(START + second * 1000 + 12_219_292_800_000) * 10_000n).toString(16).padStart(15, "0");
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-6${time.slice(12)}-8000-000000000000`;
}

export const at = (second: number): string => new Date(START + second * 1000).toISOString();

export interface Step {
  /** Seconds after the start, which also name the checkpoint. */
  at: number;
  /** The one before, unless stated. */
  parent?: number | null;
  namespace?: string;
  step?: number;
  /** Each write of a task: a list of messages. */
  writes?: readonly unknown[];
  task?: string;
  channel?: string;
  /** The messages in the state itself. */
  state?: unknown;
  metadata?: object;
}

export const THREADS = ".deepagents/.state/sessions.db";

/** Writes one thread into a new database. */
export function putThread(home: string, steps: readonly Step[], path = THREADS): void {
  const keys = steps.map((each) => ({
    thread_id: "t1",
    checkpoint_ns: each.namespace ?? "",
    checkpoint_id: checkpointId(each.at),
  }));
  const none = { ...keys[0], task_id: "t", idx: 0, channel: "other", type: "null", value: null };
  putDatabase(join(home, path), {
    checkpoints: steps.map((each, index) => {
      const before = each.parent === undefined ? steps[index - 1]?.at : each.parent;
      const channel_values = each.state === undefined ? {} : { messages: each.state };
      return {
        ...keys[index],
        parent_checkpoint_id: typeof before === "number" ? checkpointId(before) : null,
        type: "msgpack",
        checkpoint: msgpack({ v: 4, ts: at(each.at), channel_values }),
        metadata: Buffer.from(json({ step: each.step ?? index - 1, cwd: "/srv/tides", ...each.metadata })),
      };
    }),
    writes: [
      none,
      ...steps.flatMap(({ writes = [], task = "task", channel = "messages" }, index) =>
        writes.map((value, idx) => ({
          ...keys[index],
          task_id: task,
          idx,
          channel,
          type: typeof value === "string" ? "json" : "msgpack",
          value: typeof value === "string" ? Buffer.from(value) : msgpack(value),
        })),
      ),
    ],
  });
}

/** Each message as its role and texts, the names of its calls and the outputs of its results. */
export function said(messages: readonly Message[]): string[] {
  return messages.map(({ role, parts }) => {
    const texts = parts.map((part) =>
      part.type === "tool_call" ? part.name : part.type === "tool_result" ? part.output : part.text,
    );
    return `${role}: ${texts.join(" ")}`;
  });
}
