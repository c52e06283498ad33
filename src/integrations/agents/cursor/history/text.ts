/**
 * The transcripts of older versions: plain text with `user:` and `assistant:` on lines of their own, and `[Thinking]`,
 * `[Tool call] name` and `[Tool result] name` at the beginning of a line.
 *
 * Between `<user_query>` and its end nothing is a marker: people paste all kinds of text.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { readLines } from "../../../../kernel/files/lines.ts";
import type { Json, JsonObject } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { promptText } from "./prompt.ts";

type Section = "user" | "text" | "thinking" | "call" | "result";

const SPEAKER = /^(user|assistant):\s*$/;
const MARKER = /^\[(Thinking|Tool call|Tool result)\] ?(.*)$/;

export function* textMessages(path: string): Generator<Message> {
  const reader = new TextReader();
  for (const line of readLines(path)) yield* reader.line(line.oversized ? "" : line.text);
  yield* reader.end();
}

class TextReader {
  #section: Section | undefined;
  #name = "";
  #lines: string[] = [];
  #parts: Part[] = [];
  #results: Part[] = [];
  #inQuery = false;

  *line(text: string): Generator<Message> {
    if (this.#inQuery) {
      this.#lines.push(text);
      this.#inQuery = !text.includes("</user_query>");
      return;
    }
    const speaker = SPEAKER.exec(text)?.[1];
    if (speaker !== undefined) {
      yield* this.#flush();
      this.#begin(speaker === "user" ? "user" : "text", "");
      return;
    }
    if (this.#section === undefined) return;
    if (this.#section === "user") {
      this.#inQuery = text.includes("<user_query>") && !text.includes("</user_query>");
      this.#lines.push(text);
      return;
    }
    const marker = MARKER.exec(text);
    if (!marker) {
      this.#lines.push(text);
      return;
    }
    this.#settle();
    const [, kind = "", rest = ""] = marker;
    // Text after tool results is a new message.
    if (kind !== "Tool result" && this.#results.length > 0) yield* this.#flush();
    if (kind === "Thinking") {
      this.#begin("thinking", "");
      this.#lines.push(rest);
      return;
    }
    this.#begin(kind === "Tool call" ? "call" : "result", rest.trim());
  }

  end(): Generator<Message> {
    return this.#flush();
  }

  #begin(section: Section, name: string): void {
    this.#section = section;
    this.#name = name;
    this.#lines = [];
  }

  *#flush(): Generator<Message> {
    this.#inQuery = false;
    const speaker = this.#section;
    this.#settle();
    if (this.#parts.length > 0) yield { role: speaker === "user" ? "user" : "assistant", parts: this.#parts };
    if (this.#results.length > 0) yield { role: "tool", parts: this.#results };
    this.#parts = [];
    this.#results = [];
  }

  /** Turns the lines of the section that ends into a part. */
  #settle(): void {
    const text = this.#lines.join("\n").trim();
    const section = this.#section;
    this.#lines = [];
    if (section === "call" && this.#name !== "") {
      const { input, rest } = callInput(text);
      this.#parts.push({ type: "tool_call", name: this.#name, input });
      this.#addText("text", rest);
    }
    if (section === "result" && text !== "") this.#results.push(result(this.#name, text));
    if (section === "thinking") {
      // A thought is one paragraph; the text after it is part of the answer.
      const [thought = "", ...spoken] = text.split(/\n\s*\n/);
      this.#addText("thinking", thought);
      this.#addText("text", spoken.join("\n\n"));
    }
    if (section === "text") this.#addText("text", text);
    if (section === "user") this.#addText("text", promptText(text));
    // Settling twice must not emit it twice.
    if (section !== "user" && section !== undefined) this.#section = "text";
  }

  #addText(type: "text" | "thinking", text: string | undefined): void {
    const part = textPart(type, text);
    if (part) this.#parts.push(part);
  }
}

function result(name: string, output: string): Part {
  return name === "" ? { type: "tool_result", output } : { type: "tool_result", name, output };
}

/** Indented `key: value` lines; unindented text after a blank line is no longer part of the call. */
function callInput(text: string): { input: Json; rest: string } {
  const input: JsonObject = {};
  const lines = text.split("\n");
  let key: string | undefined;
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const pair = /^\s*([A-Za-z_][\w-]*): ?(.*)$/.exec(line);
    const indented = at === 0 || /^\s/.test(line) || line === "";
    if (!indented) break;
    if (pair?.[1] !== undefined && (key === undefined || at === 0 || /^\s{1,4}\S/.test(line))) {
      key = pair[1];
      input[key] = pair[2] ?? "";
    } else if (key !== undefined) {
      input[key] = `${String(input[key])}\n${line}`;
    } else {
      break;
    }
  }
  for (const name of Object.keys(input)) input[name] = String(input[name]).trimEnd();
  return { input, rest: lines.slice(at).join("\n").trim() };
}
