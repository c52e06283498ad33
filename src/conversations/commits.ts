/**
 * Commits a conversation made, told from git's own answer in a tool result. The answer alone decides, not the command
 * that asked for it: so each message can be judged by itself, in whatever portions a conversation is read.
 */
import type { Message } from "./model.ts";
import { toolKind } from "./tools.ts";

export interface Commit {
  sha: string;
  subject: string;
}

/** `[main abc1234] subject`, also `[main (root-commit) abc1234]` and `[detached HEAD abc1234]`. */
const COMMIT_LINE = /^\[[^\]\n]{1,250} ([0-9a-f]{7,40})\] (.+)$/gm;
/** git follows its line, perhaps after the author and date of an amended commit, with the count of files. */
const FILES_CHANGED = /^(?: (?:Author|Date): .*\n){0,2} \d+ files? changed\b/;

export function deriveCommits(message: Message): Commit[] {
  const found: Commit[] = [];
  for (const part of message.parts) {
    if (part.type !== "tool_result" || !part.output.includes(" changed")) continue;
    if (part.name !== undefined && !mayRunGit(part.name)) continue;
    for (const match of part.output.matchAll(COMMIT_LINE)) {
      const after = part.output.slice(match.index + match[0].length + 1, match.index + match[0].length + 400);
      const [, sha = "", subject = ""] = match;
      if (FILES_CHANGED.test(after) && !found.some((commit) => commit.sha === sha)) found.push({ sha, subject });
    }
  }
  return found;
}

/** A file that quotes git's answer is read, searched or fetched, not made by git. */
function mayRunGit(tool: string): boolean {
  const kind = toolKind(tool);
  return kind === "shell" || kind === "other";
}
