/**
 * What a conversation did: the files its tool calls name, and the commits its shell commands made.
 *
 * Only what a call or its own result states is taken. A shell command is not searched for file names: guessing what
 * `sed`, `cp` or a script touches would be wrong too often.
 */
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import { OpenCalls } from "./calls.ts";
import type { Message, ToolCallPart, ToolResultPart } from "./model.ts";
import { callKind, shellCommand, type ToolKind } from "./tools.ts";

export type FileUse = "edited" | "read" | "mentioned";

export interface DerivedFile {
  /** As the agent wrote it: absolute or relative to the conversation's folder. */
  path: string;
  how: FileUse;
}

const STRENGTH: Record<FileUse, number> = { edited: 2, read: 1, mentioned: 0 };

/** Each file once, with the strongest of its uses, in order of first mention. */
export function deriveFiles(message: Message): DerivedFile[] {
  const found = new Map<string, FileUse>();
  for (const part of message.parts) {
    if (part.type !== "tool_call") continue;
    for (const { path, how } of callFiles(part)) {
      const before = found.get(path);
      if (before === undefined || STRENGTH[how] > STRENGTH[before]) found.set(path, how);
    }
  }
  return Array.from(found, ([path, how]) => ({ path, how }));
}

/** Argument names, lower case and without underscores, whose value is a file. */
const FILE_KEYS = new Set(
  (
    "filepath path notebookpath absolutepath targetfile relativepath file filename targetnotebook " +
    "relativeworkspacepath absolutefilepath fspath uri planfilepath"
  ).split(" "),
);
/** Argument names whose value lists files, or objects that each name one. */
const LIST_KEYS = new Set(["files", "paths", "filepaths", "edits", "operations", "replacements", "args"]);

export function callFiles(call: ToolCallPart): DerivedFile[] {
  const kind = callKind(call);
  const how = useOf(kind);
  const found: DerivedFile[] = patchFiles(call).map((path) => ({ path, how: "edited" }));
  for (const named of call.files ?? []) push(found, named, how);
  if (kind === "shell" || kind === "list" || kind === "web" || kind === "agent" || !isObject(call.input)) return found;
  // A search or an unknown tool may be given a folder: only what looks like a file is one.
  const sure = kind === "edit" || kind === "read";
  for (const path of namedFiles(call.input, 2)) if (sure || looksLikeFile(path)) push(found, path, how);
  return found;
}

function useOf(kind: ToolKind): FileUse {
  if (kind === "edit") return "edited";
  return kind === "read" ? "read" : "mentioned";
}

function* namedFiles(input: JsonObject, depth: number): Generator<string> {
  if (input.mode === "Directory") return;
  for (const [key, value] of Object.entries(input)) {
    const plain = key.toLowerCase().replaceAll("_", "");
    if (typeof value === "string") {
      if (FILE_KEYS.has(plain)) yield value;
    } else if (depth > 0 && (LIST_KEYS.has(plain) || FILE_KEYS.has(plain))) {
      yield* listedFiles(value, depth - 1);
    }
  }
}

function* listedFiles(value: Json | undefined, depth: number): Generator<string> {
  if (isObject(value)) yield* namedFiles(value, depth);
  if (!Array.isArray(value)) return;
  for (const item of value) {
    if (typeof item === "string") yield item;
    else if (isObject(item)) yield* namedFiles(item, depth);
  }
}

function push(found: DerivedFile[], named: string, how: FileUse): void {
  const path = cleanPath(named);
  if (path !== undefined) found.push({ path, how });
}

const LONGEST_PATH = 1024;

function cleanPath(named: string): string | undefined {
  let path = named.trim();
  if (path.startsWith("file://")) path = decode(path.slice("file://".length)).replace(/^\/(?=[A-Za-z]:)/, "");
  if (path === "" || path.length > LONGEST_PATH || /[\n\r\0]/.test(path)) return undefined;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path) || /[\\/]$|(?:^|[\\/])\.{1,2}$/.test(path)) return undefined;
  return path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function looksLikeFile(path: string): boolean {
  return /[^\\/]\.[A-Za-z0-9_]{1,12}$/.test(path) && !/[*?{]/.test(path);
}

const PATCH_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** Files of an apply_patch text, also when the patch was handed to a shell: there it is an edit, not a guess. */
function patchFiles(call: ToolCallPart): string[] {
  const texts = typeof call.input === "string" ? [call.input] : isObject(call.input) ? Object.values(call.input) : [];
  const found: string[] = [];
  for (const text of texts.flat()) {
    if (typeof text !== "string" || !text.includes("*** Begin Patch")) continue;
    if (callKind(call) !== "edit" && !/\bapply_?patch\b/.test(text) && !firstIsApplyPatch(texts)) continue;
    for (const match of text.matchAll(PATCH_LINE)) found.push((match[1] ?? "").trim());
  }
  return found.filter((path) => path !== "");
}

function firstIsApplyPatch(values: (Json | undefined)[]): boolean {
  return values.some((value) => Array.isArray(value) && (value[0] === "apply_patch" || value[0] === "applypatch"));
}

export interface Commit {
  /** The message whose result reported it. */
  index: number;
  sha: string;
  subject: string;
  /** Absent on a detached HEAD. */
  branch?: string;
}

export interface PullRequest {
  index: number;
  url: string;
}

const WORD = String.raw`(?:"[^"\n]*"|'[^'\n]*'|[^\s"'])+`;
/** git, its own options, then a subcommand that makes commits. */
const MAKES_COMMIT = new RegExp(
  String.raw`\bgit(?:\.exe)?(?:\s+(?:-[cC]\s+${WORD}|--?[a-z][\w-]*(?:=${WORD})?)){0,8}\s+(?:commit|cherry-pick|revert|rebase|merge|am)(?![\w-])`,
);
const MAKES_PULL_REQUEST = /\bgh\s+pr\s+create\b/;
/** `[main abc1234] subject`, `[main (root-commit) abc1234] subject`, `[detached HEAD abc1234] subject`. */
const COMMIT_LINE = /^\[([^\]\n]{1,250}) ([0-9a-f]{7,40})\] (.+)$/gm;
/** `git log --oneline` behind a quiet commit. */
const LOG_LINE = /^([0-9a-f]{7,40}) (?:\([^)\n]*\) )?(.+)$/gm;
const PULL_REQUEST_URL = /https:\/\/[^\s/]+\/[^\s]+\/pull\/\d+/g;
/** No ref name has these. */
const NO_BRANCH = /[\s~^:?*[\\]/;
/** Arguments that address a command which runs on: its output comes in pieces. */
const CONTINUES = ["session_id", "shellId", "shell_id", "bash_id", "task_id"];

interface OpenCommand {
  command: string;
  commit: boolean;
  pullRequest: boolean;
}

const NO_COMMAND: OpenCommand = { command: "", commit: false, pullRequest: false };
const RESUMED: OpenCommand = { command: "", commit: true, pullRequest: true };

/**
 * Finds commits while messages are fed in order. A commit counts when the command that asked for it, and no other,
 * answered with git's line about it; whether the whole command failed (a push behind the commit) does not matter.
 * What `awaited()` returns goes to the next finder, so that a result read in a later sync is still understood.
 */
export class CommitFinder {
  readonly pullRequests: PullRequest[] = [];
  readonly #open = new OpenCalls<OpenCommand>();
  /** A commit command has answered but not ended: a later look at its output may tell. */
  #running = false;

  constructor(awaited: readonly string[] = []) {
    for (const id of awaited) {
      if (id === RUNNING) this.#running = true;
      else this.#open.add({ type: "tool_call", id, name: "", input: null }, RESUMED);
    }
  }

  feed(index: number, message: Message): Commit[] {
    const found: Commit[] = [];
    for (const part of message.parts) {
      if (part.type === "tool_call") this.#call(part);
      else if (part.type === "tool_result") found.push(...this.#result(index, part));
    }
    return found;
  }

  /** Small state for a finder that goes on with the next message. */
  awaited(): string[] {
    return this.#running ? [...this.#open.ids(), RUNNING] : this.#open.ids();
  }

  #call(call: ToolCallPart): void {
    const command = shellCommand(call);
    const commit = command === undefined ? this.#running && continues(call) : MAKES_COMMIT.test(command);
    const pullRequest = command !== undefined && MAKES_PULL_REQUEST.test(command);
    if (commit || pullRequest) this.#open.add(call, { command: command ?? "", commit, pullRequest });
    else if (call.id === undefined) this.#open.add(call, NO_COMMAND);
  }

  #result(index: number, result: ToolResultPart): Commit[] {
    const open = this.#open.take(result);
    if (!open) return [];
    if (open.pullRequest) {
      for (const match of result.output.matchAll(PULL_REQUEST_URL)) this.pullRequests.push({ index, url: match[0] });
    }
    if (!open.commit) return [];
    const commits = commitsIn(result.output, open.command, index);
    if (commits.length > 0) this.#running = false;
    else if (result.exit_code === undefined && !result.is_error) this.#running = true;
    return commits;
  }
}

const RUNNING = "…";

function continues(call: ToolCallPart): boolean {
  const { input } = call;
  return isObject(input) && CONTINUES.some((key) => input[key] !== undefined);
}

function commitsIn(output: string, command: string, index: number): Commit[] {
  const found = new Map<string, Commit>();
  for (const [, place = "", sha = "", rest = ""] of output.matchAll(COMMIT_LINE)) {
    const branch = place.replace(/ \([^)]*\)$/, "");
    const subject = rest.trim();
    if (subject === "") continue;
    // A detached HEAD is told in words; a place with other signs is some program's log line.
    if (!NO_BRANCH.test(branch)) found.set(sha, { index, sha, subject, branch });
    else if (/^[^~^:?*[\\]+ HEAD$|^HEAD [^~^:?*[\\]+$/.test(branch)) found.set(sha, { index, sha, subject });
  }
  if (found.size > 0) return [...found.values()];
  // Quiet commits print nothing; a log behind them does. It is the new commit if the command holds its subject.
  for (const [, sha = "", rest = ""] of output.matchAll(LOG_LINE)) {
    const subject = rest.trim();
    if (subject.length >= SHORTEST_SUBJECT && command.includes(subject)) found.set(sha, { index, sha, subject });
  }
  return [...found.values()];
}

/** Shorter ones ("fix") may stand in a command for another reason. */
const SHORTEST_SUBJECT = 10;
