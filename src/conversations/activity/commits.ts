/**
 * Commits made in a conversation, recognised by git's output in a tool result. The output alone decides, not the command,
 * so each message can be judged by itself, however a conversation is divided for reading.
 */
import type { Message, ToolResultPart } from "../model.ts";
import { toolKind } from "./tools.ts";

export interface Commit {
  sha: string;
  subject: string;
}

/** `[main abc1234] subject`, also `[main (root-commit) abc1234]` and `[detached HEAD abc1234]`. */
const COMMIT_LINE = /^\[[^\]\n]{1,250} ([0-9a-f]{7,40})\] (.+)$/gm;
/** After its commit line, and perhaps author and date of an amended commit, git prints the number of changed files. */
const FILES_CHANGED = /^((?: (?:Author|Date): .*\n){0,2}) \d+ files? changed\b/;

export interface PrintedCommit extends Commit {
  /** Git prints a date if the commit keeps that of an earlier one: amended, rebased, picked from elsewhere. */
  redated: boolean;
}

export function deriveCommits(message: Message): Commit[] {
  const found: Commit[] = [];
  for (const part of message.parts) {
    if (part.type !== "tool_result") continue;
    for (const { sha, subject } of commitsIn(part)) {
      if (!found.some((commit) => commit.sha === sha)) found.push({ sha, subject });
    }
  }
  return found;
}

/** In the order in which git printed them. */
export function commitsIn({ name, output }: ToolResultPart): PrintedCommit[] {
  if ((name !== undefined && !mayRunGit(name)) || !output.includes(" changed")) return [];
  const found: PrintedCommit[] = [];
  for (const match of output.matchAll(COMMIT_LINE)) {
    const after = output.slice(match.index + match[0].length + 1, match.index + match[0].length + 400);
    const [, sha = "", subject = ""] = match;
    const changed = FILES_CHANGED.exec(after);
    if (changed) found.push({ sha, subject, redated: changed[1]?.includes("Date:") === true });
  }
  return found;
}

/** Tools that read, search or fetch may show a file that quotes git's output. */
function mayRunGit(tool: string): boolean {
  const kind = toolKind(tool);
  return kind === "shell" || kind === "other";
}
