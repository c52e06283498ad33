/**
 * Commits and pull requests a conversation made, told from what the command that asked for them answered.
 *
 * Knowing the command shuts out what only quotes git (a file, a test that commits in a repository of its own) and
 * lets in what git says in other ways: a quiet commit with a log behind it, a commit whose slow hooks run on.
 */
import { isObject } from "../kernel/json.ts";
import { OpenCalls } from "./calls.ts";
import type { Message, ToolCallPart, ToolResultPart } from "./model.ts";
import { shellCommand } from "./tools.ts";

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
