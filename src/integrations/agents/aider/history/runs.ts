/**
 * One run of Aider, read from the markdown it appends to its history.
 *
 * Aider writes `#### ` before every line a person typed and `> ` before its own output, both with two spaces at the
 * end. The model's answer between them has no prefix. An answer may contain headings, quotations and code that look
 * like such lines, and Aider prefixes only the first line of longer output. The two trailing spaces tell them apart,
 * unless an editor stripped them from the file; then only the prefixes are left to go by.
 */
import type { Message, Part } from "../../../../conversations/model.ts";
import { type Fence, nextFence, trimLines } from "../../../history/reading/markdown.ts";

type Kind = "user" | "tool" | "answer";

export class RunReader {
  readonly #emit: (message: Message) => void;
  /** The writer of the lines that are held. */
  #kind: Kind | undefined;
  #held: string[] = [];
  #fence: Fence | undefined;
  #afterBlank = true;
  /** True once a prefixed line ended in two spaces: the file was not stripped. */
  #spaced = false;
  /** Output of Aider that began with a prefix and has not ended yet. */
  #unfinished = false;
  /** The last answer, while the edits made from it may follow. */
  #answer: Message | undefined;
  /** The output belongs to the start of Aider, or to a command that only controls it. */
  #chatter = true;
  #model: string | undefined;

  constructor(emit: (message: Message) => void) {
    this.#emit = emit;
  }

  /** The model that answered last. */
  get model(): string | undefined {
    return this.#model;
  }

  line(text: string): void {
    const isBlank = text.trim() === "";
    const ends = text.endsWith("  ");
    const mark = this.#unfinished && !(this.#afterBlank && ends) ? undefined : this.#marked(text);
    if (mark) {
      const content = text.replace(/^(?:####|>) ?/, "").trimEnd();
      if (mark === "user" && this.#kind === "user" && this.#afterBlank) this.#close();
      this.#begin(mark === "user" && isConfirmation(content) ? "tool" : mark);
      this.#held.push(content);
      this.#spaced ||= ends;
      this.#unfinished = this.#kind === "tool" && this.#spaced && !ends;
    } else if (this.#unfinished) {
      this.#held.push(text.trimEnd());
      this.#unfinished = isBlank || !ends;
    } else if (!isBlank || this.#kind === "answer") {
      this.#begin("answer");
      this.#fence = nextFence(this.#fence, text);
      this.#held.push(text);
    }
    this.#afterBlank = isBlank;
  }

  end(): void {
    this.#close();
    this.#sendAnswer();
  }

  /** The writer of the line, if its prefix is one that Aider wrote. */
  #marked(text: string): "user" | "tool" | undefined {
    const mark = /^####(?: |$)/.test(text) ? "user" : /^>(?: |$)/.test(text) ? "tool" : undefined;
    const ends = text.endsWith("  ");
    // An empty line follows an answer. A prefix of Aider after one, inside an open fence, means that the answer was cut
    // off.
    if (!mark || this.#fence) return ends && this.#afterBlank ? mark : undefined;
    if (!this.#spaced || ends) return mark;
    // Longer output: only its first line has a prefix, and it directly follows another line of Aider's.
    return mark === "tool" && this.#kind !== "answer" && !this.#afterBlank ? mark : undefined;
  }

  #begin(kind: Kind): void {
    if (this.#kind !== kind) this.#close();
    this.#kind = kind;
  }

  #close(): void {
    const lines = this.#held;
    const closed = this.#kind;
    this.#held = [];
    this.#kind = undefined;
    this.#fence = undefined;
    this.#unfinished = false;
    if (closed === "user") this.#closeUser(lines);
    if (closed === "tool") this.#closeTool(lines);
    if (closed === "answer") this.#closeAnswer(lines);
  }

  #closeUser(lines: readonly string[]): void {
    this.#sendAnswer();
    const text = lines.join("\n").trim();
    this.#chatter = text === "" || text === "<blank>" || isHousekeeping(text);
    if (!this.#chatter) this.#emit({ role: "user", parts: [{ type: "text", text }] });
  }

  #closeAnswer(lines: readonly string[]): void {
    this.#sendAnswer();
    const parts = answerParts(lines);
    if (parts.length === 0) return;
    this.#chatter = false;
    this.#answer = { role: "assistant", parts, ...(this.#model === undefined ? {} : { model: this.#model }) };
  }

  #closeTool(lines: readonly string[]): void {
    for (const line of lines) this.#model = MODEL.exec(line)?.[1] ?? this.#model;
    const files = lines.flatMap((line) => EDITED.exec(line)?.[1] ?? []);
    const kept = lines.filter((line) => !NOISE.test(line) && (!this.#chatter || DONE.test(line)));
    if (files.length > 0) {
      this.#answer ??= { role: "assistant", parts: [] };
      this.#answer.parts.push({ type: "tool_call", name: "edit", input: { files }, files: [...new Set(files)] });
    }
    this.#sendAnswer();
    const output = kept.join("\n").trim();
    const name = files.length > 0 ? "edit" : "aider";
    if (output !== "") this.#emit({ role: "tool", parts: [{ type: "tool_result", name, output }] });
  }

  #sendAnswer(): void {
    if (this.#answer) this.#emit(this.#answer);
    this.#answer = undefined;
  }
}

const EDITED = /^Applied edit to (.+)$/;
const DONE = /^(?:Applied edit to |Commit [0-9a-f]{7,40} |Added .+ to the chat)/;
const MODEL = /^(?:Main model|Models?): ([^\s,]+)/;
const NOISE =
  /^(?:Tokens: |Cost: |[\d,.k]+ prompt tokens|\^C|You can use \/undo |Aider v\d|(?:Main|Weak|Editor) model: |Models?: |Git repo: |Repo-map: |Use \/help |Newer aider version |https:\/\/aider\.chat\/)/;

/** Commands that control Aider and say nothing about the work. */
const HOUSEKEEPING = new Set(
  (
    "chat-mode clear copy copy-context drop editor-model exit help ls map map-refresh model models multiline-mode " +
    "paste quit reasoning-effort report reset save settings think-tokens tokens voice weak-model"
  ).split(" "),
);

function isHousekeeping(text: string): boolean {
  const command = /^\/([a-z-]+)(?: [^\n]*)?$/.exec(text);
  return command !== null && HOUSEKEEPING.has(command[1] ?? "");
}

/** Aider logs a question that was answered for a whole group like a prompt. */
function isConfirmation(content: string): boolean {
  return content.includes("(Y)es/(N)o") && /\]: ?\w*$/.test(content.slice(-40));
}

const THINKING = /^<(\/?)thinking-content-[0-9a-f]+>\s*$/;

/** The answer, with the model's thinking separated from its text. */
function answerParts(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let type: "text" | "thinking" = "text";
  let from = 0;
  const take = (to: number): void => {
    const text = trimLines(lines.slice(from, to).join("\n"));
    if (text !== "") parts.push({ type, text });
  };
  for (const [index, line] of lines.entries()) {
    const tag = THINKING.exec(line);
    if (!tag) continue;
    take(index);
    type = tag[1] === "" ? "thinking" : "text";
    from = index + 1;
  }
  take(lines.length);
  return parts;
}
