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

export interface RunReader {
  line(text: string): void;
  end(): void;
  /** The model that answered last. */
  model(): string | undefined;
}

type Kind = "user" | "tool" | "answer";

export function readRun(emit: (message: Message) => void): RunReader {
  let kind: Kind | undefined;
  let held: string[] = [];
  let fence: Fence | undefined;
  let afterBlank = true;
  /** True once a prefixed line ended in two spaces: the file was not stripped. */
  let spaced = false;
  /** Output of Aider that began with a prefix and has not ended yet. */
  let unfinished = false;
  let answer: Message | undefined;
  /** The output belongs to the start of Aider, or to a command that only controls it. */
  let chatter = true;
  let model: string | undefined;

  const sendAnswer = (): void => {
    if (answer) emit(answer);
    answer = undefined;
  };
  const closeUser = (lines: readonly string[]): void => {
    sendAnswer();
    const text = lines.join("\n").trim();
    chatter = text === "" || text === "<blank>" || isHousekeeping(text);
    if (!chatter) emit({ role: "user", parts: [{ type: "text", text }] });
  };
  const closeAnswer = (lines: readonly string[]): void => {
    sendAnswer();
    const parts = answerParts(lines);
    if (parts.length === 0) return;
    chatter = false;
    answer = { role: "assistant", parts, ...(model === undefined ? {} : { model }) };
  };
  const closeTool = (lines: readonly string[]): void => {
    for (const line of lines) model = MODEL.exec(line)?.[1] ?? model;
    const files = lines.flatMap((line) => EDITED.exec(line)?.[1] ?? []);
    const kept = lines.filter((line) => !NOISE.test(line) && (!chatter || DONE.test(line)));
    if (files.length > 0) {
      answer ??= { role: "assistant", parts: [] };
      answer.parts.push({ type: "tool_call", name: "edit", input: { files }, files: [...new Set(files)] });
    }
    sendAnswer();
    const output = kept.join("\n").trim();
    const name = files.length > 0 ? "edit" : "aider";
    if (output !== "") emit({ role: "tool", parts: [{ type: "tool_result", name, output }] });
  };
  const close = (): void => {
    const lines = held;
    const closed = kind;
    held = [];
    kind = undefined;
    fence = undefined;
    unfinished = false;
    if (closed === "user") closeUser(lines);
    if (closed === "tool") closeTool(lines);
    if (closed === "answer") closeAnswer(lines);
  };
  const begin = (next: Kind): void => {
    if (kind !== next) close();
    kind = next;
  };

  /** The writer of the line, if its prefix is one that Aider wrote. */
  const marked = (text: string): "user" | "tool" | undefined => {
    const mark = /^####(?: |$)/.test(text) ? "user" : /^>(?: |$)/.test(text) ? "tool" : undefined;
    const ends = text.endsWith("  ");
    // An empty line follows an answer. A prefix of Aider after one, inside an open fence, means that the answer was cut
    // off.
    if (!mark || fence) return ends && afterBlank ? mark : undefined;
    if (!spaced || ends) return mark;
    // Longer output: only its first line has a prefix, and it directly follows another line of Aider's.
    return mark === "tool" && kind !== "answer" && !afterBlank ? mark : undefined;
  };
  const line = (text: string): void => {
    const isBlank = text.trim() === "";
    const ends = text.endsWith("  ");
    const mark = unfinished && !(afterBlank && ends) ? undefined : marked(text);
    if (mark) {
      const content = text.replace(/^(?:####|>) ?/, "").trimEnd();
      if (mark === "user" && kind === "user" && afterBlank) close();
      begin(mark === "user" && isConfirmation(content) ? "tool" : mark);
      held.push(content);
      spaced ||= ends;
      unfinished = kind === "tool" && spaced && !ends;
    } else if (unfinished) {
      held.push(text.trimEnd());
      unfinished = isBlank || !ends;
    } else if (!isBlank || kind === "answer") {
      begin("answer");
      fence = nextFence(fence, text);
      held.push(text);
    }
    afterBlank = isBlank;
  };
  const end = (): void => {
    close();
    sendAnswer();
  };
  return { line, end, model: () => model };
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
