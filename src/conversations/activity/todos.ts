/**
 * The agent's own to-do list in its latest state. Most agents write the whole list each time
 * (TodoWrite, todowrite, write_todos, update_plan); Claude Code also has tools for one entry at a time.
 */
import { asArray, asObject, asString, isObject } from "../../kernel/json.ts";
import { clip } from "../../text/clip.ts";
import type { ToolCallPart } from "../model.ts";

export interface Todo {
  text: string;
  status: "open" | "doing" | "done" | "dropped";
}

const LIST_TOOL = /todo|plan/i;
const MAX_TODOS = 100;
const MAX_TODO_CHARS = 200;
const TEXT_KEYS = ["content", "step", "text", "subject", "title", "description", "task"];

export class TodoList {
  #todos: Todo[] = [];
  /** Entries created one at a time, by the number the agent gives them, from 1. */
  readonly #numbered = new Map<string, Todo>();

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  take(call: ToolCallPart): void {
    const name = call.name.split("__").pop() ?? "";
    const input = asObject(call.input);
    if (name === "TaskCreate") this.#create(asString(input.subject) ?? asString(input.description) ?? "");
    if (name === "TaskUpdate") this.#update(String(input.taskId ?? ""), statusOf(input.status));
    if (!LIST_TOOL.test(name)) return;
    const list = Object.values(input).map(asArray).find(isList) ?? [];
    if (list.length === 0) return;
    this.#todos = list.slice(0, MAX_TODOS).flatMap((entry) => {
      const each = asObject(entry);
      const text = TEXT_KEYS.map((key) => asString(each[key])).find((value) => value);
      return text === undefined ? [] : [{ text: clip(text, MAX_TODO_CHARS), status: statusOf(each.status) ?? "open" }];
    });
  }

  #update(number: string, status: Todo["status"] | undefined): void {
    const known = this.#numbered.get(number);
    if (known && status) known.status = status;
  }

  #create(text: string): void {
    if (text === "" || this.#numbered.size >= MAX_TODOS) return;
    const todo: Todo = { text: clip(text, MAX_TODO_CHARS), status: "open" };
    this.#numbered.set(String(this.#numbered.size + 1), todo);
    this.#todos = [...this.#numbered.values()];
  }
}

function isList(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((entry) => isObject(entry) && typeof entry.status === "string");
}

function statusOf(status: unknown): Todo["status"] | undefined {
  if (typeof status !== "string") return undefined;
  if (/^(?:completed?|done|finished)$/i.test(status)) return "done";
  if (/^in[_ -]?progress$|^doing$|^active$/i.test(status)) return "doing";
  if (/^(?:cancell?ed|deleted|skipped|dropped)$/i.test(status)) return "dropped";
  return "open";
}
