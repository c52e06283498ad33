/**
 * The blocks of an answer of JetBrains' agents. Events update a block in place, by its step, and all blocks are repeated
 * when a task ends: the last update counts, at the place of the first.
 */
import { isDeepStrictEqual } from "node:util";
import type { Message, Part } from "../../../../conversations/model.ts";
import type { Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";

/** States of a step that has no result yet; it has none for good if the person stopped it. */
const RUNNING = new Set(["STARTED", "PENDING", "RUNNING", "IN_PROGRESS"]);

interface Slot {
  messages: Message[];
  usage?: Usage[];
}

export class Blocks {
  hasPrompt = false;
  /** The latest working folder. */
  folder: string | undefined;
  readonly #slots: Slot[] = [];
  readonly #bySteps = new Map<string, Slot>();
  /** Of requests before the first block. */
  #earlier: Usage[] = [];
  #model: string | undefined;

  /** The tokens of a request belong to the block before it. */
  use(usage: readonly Usage[]): void {
    const last = this.#slots.findLast(({ messages }) => messages.length > 0);
    if (last) last.usage = [...(last.usage ?? []), ...usage];
    else this.#earlier.push(...usage);
  }

  prompt(text: string | undefined, time: string | undefined): void {
    this.hasPrompt = true;
    this.#slots.push({ messages: unlessEmpty({ role: "user", time, parts: asList(textPart("text", text)) }) });
  }

  update(event: JsonObject, time: string | undefined): void {
    this.folder = firstString(event, "currentDirectory") ?? this.folder;
    const [usage] = asArray(event.modelUsage);
    this.#model = firstString(asObject(usage), "model") ?? this.#model;
    const step = asString(event.stepId) ?? "";
    const known = this.#bySteps.get(step);
    const chunk = asString(event.textChunk);
    const before = known?.messages[0]?.parts[0];
    if (chunk !== undefined && before && "text" in before) {
      before.text += chunk;
      return;
    }
    const messages = blockMessages(event, step, time, this.#model);
    if (messages.length === 0) return;
    if (known) {
      known.messages = messages.map((message) => keepTime(message, known.messages));
      return;
    }
    const slot = { messages };
    this.#slots.push(slot);
    if (step !== "") this.#bySteps.set(step, slot);
  }

  /** `task`: the words of the user, if no event has them. */
  messages(task?: string): Message[] {
    const typed = unlessEmpty({ role: "user", parts: asList(textPart("text", task)) });
    const messages = [...typed, ...this.#slots.flatMap(({ messages, usage }) => withUsage(messages, usage, -1))];
    return withUsage(messages, this.#earlier, 0);
  }
}

function withUsage(messages: Message[], usage: readonly Usage[] = [], at: number): Message[] {
  const message = messages.at(at);
  if (!message || usage.length === 0) return messages;
  return messages.with(at, { ...message, usage: [...usage, ...(message.usage ?? [])] });
}

/** A block that is repeated unchanged when the task ends keeps its time; a result has the time at which it was complete. */
function keepTime(message: Message, before: readonly Message[]): Message {
  const old = before.find(({ role }) => role === message.role);
  const isSame = message.role === "assistant" || isDeepStrictEqual(old?.parts, message.parts);
  return old?.time !== undefined && isSame ? { ...message, time: old.time } : message;
}

function blockMessages(event: JsonObject, id: string, time: string | undefined, model: string | undefined): Message[] {
  const answer = (part: Part | undefined): Message[] =>
    unlessEmpty({ role: "assistant", time, model, parts: asList(part) });
  switch (event.kind) {
    case "MarkdownBlockUpdatedEvent":
      return answer(textPart("text", firstString(event, "text", "textChunk")));
    case "ResultBlockUpdatedEvent":
      return answer(textPart("text", firstString(event, "result", "text")));
    case "AgentThoughtBlockUpdatedEvent":
      return answer(textPart("thinking", firstString(event, "text", "textChunk", "thought")));
    case "AgentFailureEvent":
      return answer(textPart("text", firstString(event, "message", "errorCode")));
    case "TerminalBlockUpdatedEvent":
      return tool(event, { name: "terminal", input: { command: asString(event.command) ?? "" } }, id, time, model);
    case "ToolBlockUpdatedEvent":
    case "McpBlockUpdatedEvent":
      return tool(
        event,
        { name: firstString(event, "label", "toolName", "name") ?? "tool", input: event.input ?? {} },
        id,
        time,
        model,
      );
    case "ViewFilesBlockUpdatedEvent":
      return fileTool("view_files", paths(event.files, "relativePath"), id, time, model);
    case "FileChangesBlockUpdatedEvent":
      return unlessEmpty({
        role: "assistant",
        time,
        model,
        parts: asArray(event.changes).map((change) => editOf(asObject(change), id)),
      });
    default:
      return [];
  }
}

function tool(
  event: JsonObject,
  { name, input }: Pick<Extract<Part, { type: "tool_call" }>, "name" | "input">,
  id: string,
  time: string | undefined,
  model: string | undefined,
): Message[] {
  const call = defined({ type: "tool_call" as const, id: id || undefined, name, input });
  const exit_code = asNumber(event.exitCode);
  const failed = event.status === "FAILED" || event.status === "ERROR" || (exit_code ?? 0) !== 0;
  const result = defined({
    type: "tool_result" as const,
    id: id || undefined,
    name,
    output: firstString(event, "output", "details") ?? "",
    is_error: failed ? true : undefined,
    exit_code,
  });
  return [
    ...unlessEmpty({ role: "assistant", time, model, parts: [call] }),
    ...(RUNNING.has(asString(event.status) ?? "") ? [] : unlessEmpty({ role: "tool", time, parts: [result] })),
  ];
}

function fileTool(
  name: string,
  files: string[],
  id: string,
  time: string | undefined,
  model: string | undefined,
): Message[] {
  const part = defined({ type: "tool_call" as const, id: id || undefined, name, input: { files }, files });
  return files.length > 0 ? unlessEmpty({ role: "assistant", time, model, parts: [part] }) : [];
}

function paths(files: JsonObject[string], key: string): string[] {
  return asArray(files).flatMap((file) => firstString(asObject(file), key) ?? []);
}

function editOf(change: JsonObject, id: string): Part {
  const path = firstString(change, "afterRelativePath", "beforeRelativePath") ?? "";
  return defined({
    type: "tool_call" as const,
    id: id || undefined,
    name: "edit",
    input: defined({
      file_path: path,
      old_string: asString(asObject(change.beforeContent).text),
      new_string: asString(asObject(change.afterContent).text),
    }),
  });
}
