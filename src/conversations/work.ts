/**
 * What was asked in a conversation and what came of it, told from its own records: requests, files, commits, commands,
 * the agent's own list, its last words. One reading, in bounded memory: conversations of a hundred thousand messages exist.
 */

import { clip } from "../text/clip.ts";
import { OpenCalls } from "./calls.ts";
import { deriveCommits } from "./commits.ts";
import { deriveFiles } from "./derive.ts";
import { editsOf } from "./edits.ts";
import type { Message } from "./model.ts";
import { outcomeOf } from "./outcome.ts";
import { saidText } from "./said.ts";
import { type Todo, TodoList } from "./todos.ts";
import { shellCommand } from "./tools.ts";

/** Words of a message, on one line. */
export interface Quote {
  index: number;
  text: string;
}

export interface EditedFile {
  path: string;
  edits: number;
  /** Lines, as far as the calls tell. */
  added: number;
  removed: number;
  /** The message that edited it last. */
  last: number;
}

export interface Work {
  /** The first and the last of what the person asked for. */
  requests: Quote[];
  request_count: number;
  /** The agent's last words about a result: the end of a turn, not what it said while it worked. */
  outcome?: Quote;
  files: EditedFile[];
  /** Read and not edited. */
  read: string[];
  commits: { index: number; sha: string; subject: string }[];
  /** Commands whose last run failed; those that failed first and passed later. */
  failing: Quote[];
  fixed: Quote[];
  /** Other commands that passed. */
  passing: number;
  todos: readonly Todo[];
}

const LONGEST_QUOTE = 2000;
const LONGEST_SUBJECT = 120;
const LONGEST_COMMAND = 120;
const LAST_REQUESTS = 5;
const MOST_FILES = 1000;
const MOST_COMMITS = 200;
const MOST_COMMANDS = 1000;

/** Commands that only look: that they found nothing is no failure. */
const LOOKING =
  /^(?:cd [^&;|]+ && )?(?:grep|rg|ls|cat|head|tail|find|fd|which|test|diff|sed -n|command -v|git (?:status|diff|log|show|grep))\b/;
/** What agents say in a person's name. */
const HARNESS = /^(?:This session is being continued|# AGENTS\.md)/;
/** Shortens what a command printed, and gives its own exit code in place of the command's. */
const SHORTENED = /(?:\s+2>&1)?(?:\s*\|\s*(?:head|tail|tee|cat|less)\b[^|;&]*)*\s*$/;
/** A test runner's own count, where the exit code is that of a pipe. */
const REPORTS_FAILURES = /\b[1-9]\d* (?:tests? )?fail(?:ed|ing|ures?)?\b/i;
const REPORT_CHARACTERS = 4000;

interface Command {
  index: number;
  /** As it was typed the last time. */
  text: string;
  failed: boolean;
  failedBefore: boolean;
}

export function workOf(messages: Iterable<{ index: number; message: Message }>): Work {
  const requests: Quote[] = [];
  const files = new Map<string, EditedFile>();
  const read = new Set<string>();
  const commits = new Map<string, Work["commits"][number]>();
  const commands = new Map<string, Command>();
  const open = new OpenCalls<string>();
  const list = new TodoList();
  let count = 0;
  let outcome: Quote | undefined;
  let lastWords: Quote | undefined;
  for (const { index, message } of messages) {
    const said = message.role === "user" || message.role === "assistant" ? quoteOf(message, index) : undefined;
    if (message.role === "assistant") {
      if (said) lastWords = isResult(said.text) ? said : undefined;
      if (message.parts.some(({ type }) => type === "tool_call")) lastWords = undefined;
    }
    if (said && message.role === "user") {
      if (!HARNESS.test(said.text)) outcome = lastWords ?? outcome;
      lastWords = undefined;
    }
    if (said && message.role === "user" && !HARNESS.test(said.text)) {
      count += 1;
      if (requests.length > LAST_REQUESTS) requests.splice(1, 1);
      requests.push(said);
    }
    noteFiles(message, index, files, read);
    for (const { sha, subject } of deriveCommits(message)) {
      commits.set(sha, { index, sha, subject: clip(subject, LONGEST_SUBJECT) });
      keepLast(commits, MOST_COMMITS);
    }
    noteCalls(message, index, open, commands, list);
  }
  outcome = lastWords ?? outcome;
  const runs = [...commands];
  const quotes = (wanted: (command: Command) => boolean): Quote[] =>
    runs.filter(([, command]) => wanted(command)).map(([, { text, index }]) => ({ text, index }));
  return {
    requests,
    request_count: count,
    ...(outcome ? { outcome } : {}),
    files: [...files.values()],
    read: [...read].filter((path) => !files.has(path)),
    commits: [...commits.values()],
    failing: quotes(({ failed }) => failed),
    fixed: quotes(({ failed, failedBefore }) => !failed && failedBefore),
    passing: runs.filter(([, { failed, failedBefore }]) => !failed && !failedBefore).length,
    todos: list.todos,
  };
}

/** A short text that announces what comes next tells no result. */
function isResult(text: string): boolean {
  if (text.endsWith(":")) return false;
  return text.length > LONGEST_ANNOUNCEMENT || !ANNOUNCEMENT.test(text);
}

const LONGEST_ANNOUNCEMENT = 200;
const ANNOUNCEMENT = /\b(?:let me|let's|i'll|i will|i'm going to|i need to|need to|now i)\b/i;

function quoteOf(message: Message, index: number): Quote | undefined {
  const text = clip(saidText(message), LONGEST_QUOTE);
  return text === "" ? undefined : { index, text };
}

function noteFiles(message: Message, index: number, files: Map<string, EditedFile>, read: Set<string>): void {
  for (const { path, how } of deriveFiles(message)) {
    if (how === "edited" && !files.has(path) && files.size < MOST_FILES) {
      files.set(path, { path, edits: 0, added: 0, removed: 0, last: index });
    }
    if (how !== "read" || read.size >= MOST_FILES) continue;
    // The last read counts: what was looked at late is nearer to what is being done.
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
 * Pairs each shell call with its result. Of a command run several times the last run counts, whatever its output was
 * piped through; a run that was interrupted does not count.
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
      const command = clip(shellCommand(part) ?? "", LONGEST_COMMAND);
      open.add(part, LOOKING.test(command) ? "" : command);
    }
    if (part.type !== "tool_result") continue;
    const command = open.take(part);
    if (command === undefined || command === "") continue;
    const outcome = outcomeOf(part);
    if (outcome === "interrupted") continue;
    const name = command.replace(SHORTENED, "") || command;
    const piped = name !== command && REPORTS_FAILURES.test(part.output.slice(-REPORT_CHARACTERS));
    const failed = outcome === "failed" || piped;
    const before = commands.get(name);
    commands.delete(name);
    const failedBefore = before !== undefined && (before.failed || before.failedBefore);
    commands.set(name, { index, text: command, failed, failedBefore });
    keepLast(commands, MOST_COMMANDS);
  }
}

function keepLast(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  for (const oldest of map.keys()) return void map.delete(oldest);
}
