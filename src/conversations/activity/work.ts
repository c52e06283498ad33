/**
 * Summarises the work in a conversation from its records: requests, files, commits, commands, the agent's to-do list and
 * final message. One pass in bounded memory: conversations of a hundred thousand messages exist.
 */
import { clip } from "../../text/clip.ts";
import type { Message } from "../model.ts";
import { typedText } from "../texts/typed_text.ts";
import { OpenCalls } from "./calls.ts";
import { CommitList, type MadeCommit } from "./commit_list.ts";
import { deriveFiles } from "./derive.ts";
import { editsOf } from "./edits.ts";
import { INSPECTING, runOutcome, TRUNCATING_PIPE } from "./shell/commands.ts";
import { stillFailing } from "./shell/still_failing.ts";
import { type Todo, TodoList } from "./todos.ts";
import { shellCommand } from "./tools.ts";

/** Text of a message, on one line. */
export interface Quote {
  index: number;
  text: string;
}

export interface EditedFile {
  path: string;
  edits: number;
  /** Lines, as far as the calls state them. */
  added: number;
  removed: number;
  /** Index of the message that edited it last. */
  last: number;
}

export interface Work {
  /** The first request and the last few. */
  requests: Quote[];
  request_count: number;
  /** The final message of the latest turn that has one: a result, not a remark during work. */
  outcome?: Quote;
  /** The agent's last text since the latest request, if this turn has no final message. */
  last_words?: Quote;
  files: EditedFile[];
  /** Files that were read but not edited. */
  read: string[];
  commits: readonly MadeCommit[];
  /** Commands whose last run failed and that nothing settled later; and those that failed but passed in the end. */
  failing: Quote[];
  fixed: Quote[];
  /** Other commands that passed. */
  passing: number;
  todos: readonly Todo[];
}

const MAX_QUOTE_CHARS = 2000;
const MAX_COMMAND_CHARS = 120;
const MAX_LAST_REQUESTS = 5;
const MAX_FILES = 1000;
const MAX_COMMANDS = 1000;

/** Texts that agents add as user messages. */
const PROGRAM_PROMPT = /^(?:This session is being continued|# AGENTS\.md)/;

interface Command {
  index: number;
  /** As last typed. */
  text: string;
  failed: boolean;
  failedBefore: boolean;
}

export function workOf(messages: Iterable<{ index: number; message: Message }>): Work {
  const requests: Quote[] = [];
  const files = new Map<string, EditedFile>();
  const read = new Set<string>();
  const made = new CommitList();
  const commands = new Map<string, Command>();
  const open = new OpenCalls<string>();
  const list = new TodoList();
  let count = 0;
  let outcome: Quote | undefined;
  let lastResult: Quote | undefined;
  let lastWords: Quote | undefined;
  for (const { index, message } of messages) {
    const quote = message.role === "user" || message.role === "assistant" ? quoteOf(message, index) : undefined;
    if (message.role === "assistant") {
      if (quote) {
        lastResult = isResult(message, quote.text) ? quote : undefined;
        lastWords = quote;
      }
      if (message.parts.some(({ type }) => type === "tool_call")) lastResult = undefined;
    }
    const prompts = quote && message.role === "user";
    if (prompts && !PROGRAM_PROMPT.test(quote.text)) {
      outcome = lastResult ?? outcome;
      lastWords = undefined;
      count += 1;
      if (requests.length > MAX_LAST_REQUESTS) requests.splice(1, 1);
      requests.push(quote);
    }
    if (prompts) lastResult = undefined;
    noteFiles(message, index, files, read);
    made.take(message, index);
    noteCalls(message, index, open, commands, list);
  }
  outcome = lastResult ?? outcome;
  const runs = Array.from(commands, ([name, command]) => ({ name, ...command }));
  const quotes = (those: readonly Command[]): Quote[] => those.map(({ text, index }) => ({ text, index }));
  const { commits } = made;
  const lastCommit = Math.max(-1, ...commits.map(({ index }) => index));
  return {
    requests,
    request_count: count,
    ...(outcome ? { outcome } : {}),
    ...(lastWords && !lastResult ? { last_words: lastWords } : {}),
    files: [...files.values()],
    read: [...read].filter((path) => !files.has(path)),
    commits,
    failing: quotes(stillFailing(runs, lastCommit)),
    fixed: quotes(runs.filter(({ failed, failedBefore }) => !failed && failedBefore)),
    passing: runs.filter(({ failed, failedBefore }) => !failed && !failedBefore).length,
    todos: list.todos,
  };
}

/** The last thing the agent said. "unfinished": its turn has no final message. "earlier": nothing since the latest request. */
export type ClosingStage = "final" | "unfinished" | "earlier";
export type Closing = Quote & { stage: ClosingStage };

export function closingOf({ requests, outcome, last_words }: Work): Closing | undefined {
  if (last_words) return { ...last_words, stage: "unfinished" };
  if (!outcome) return undefined;
  return { ...outcome, stage: outcome.index < (requests.at(-1)?.index ?? -1) ? "earlier" : "final" };
}

/** A short text that announces the next step is not a result, nor one that ends with a colon, unless code follows. */
function isResult(message: Message, text: string): boolean {
  const last = message.parts.findLast((part) => part.type === "text");
  if (last?.text.trimEnd().endsWith(":")) return false;
  return text.length > MAX_ANNOUNCEMENT_CHARS || !ANNOUNCEMENT.test(text);
}

const MAX_ANNOUNCEMENT_CHARS = 200;
const ANNOUNCEMENT = /\b(?:let me|let's|i'll|i will|i'm going to|i need to|now i)\b/i;

function quoteOf(message: Message, index: number): Quote | undefined {
  const text = clip(typedText(message), MAX_QUOTE_CHARS);
  return text === "" ? undefined : { index, text };
}

function noteFiles(message: Message, index: number, files: Map<string, EditedFile>, read: Set<string>): void {
  for (const { path, how } of deriveFiles(message)) {
    if (how === "edited" && !files.has(path) && files.size < MAX_FILES) {
      files.set(path, { path, edits: 0, added: 0, removed: 0, last: index });
    }
    if (how !== "read" || read.size >= MAX_FILES) continue;
    // The latest read counts: recently read files are closer to the current work.
    read.delete(path);
    read.add(path);
  }
  for (const part of message.parts) {
    if (part.type !== "tool_call") continue;
    for (const { path, added, removed } of editsOf(part)) {
      const file = files.get(path);
      if (!file) continue;
      file.edits += 1;
      file.added += added;
      file.removed += removed;
      file.last = index;
    }
  }
}

/**
 * Pairs each shell call with its result. The last run of a command counts, regardless of pipes that truncate its output;
 * interrupted runs do not count.
 */
function noteCalls(
  message: Message,
  index: number,
  open: OpenCalls<string>,
  commands: Map<string, Command>,
  list: TodoList,
): void {
  for (const part of message.parts) {
    if (part.type === "tool_call") {
      list.take(part);
      const command = clip(shellCommand(part) ?? "", MAX_COMMAND_CHARS);
      open.add(part, INSPECTING.test(command) ? "" : command);
    }
    if (part.type !== "tool_result") continue;
    const command = open.take(part);
    if (command === undefined || command === "") continue;
    const name = command.replace(TRUNCATING_PIPE, "") || command;
    const outcome = runOutcome(part, name !== command);
    if (outcome === "interrupted") continue;
    const failed = outcome === "failed";
    const before = commands.get(name);
    commands.delete(name);
    const failedBefore = before !== undefined && (before.failed || before.failedBefore);
    commands.set(name, { index, text: command, failed, failedBefore });
    keepLast(commands, MAX_COMMANDS);
  }
}

function keepLast(map: Map<string, unknown>, maxEntries: number): void {
  if (map.size <= maxEntries) return;
  for (const oldest of map.keys()) return void map.delete(oldest);
}
