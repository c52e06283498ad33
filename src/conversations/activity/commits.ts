/**
 * Commits made in a conversation, recognised by git's output in a tool result. The output alone decides, not the command,
 * so each message can be judged by itself, however a conversation is divided for reading.
 */
import type { Message } from "../model.ts";
import { toolKind } from "./tools.ts";

export interface Commit {
  sha: string;
  subject: string;
}

/** `[main abc1234] subject`, also `[main (root-commit) abc1234]` and `[detached HEAD abc1234]`. */
const COMMIT_LINE = /^\[[^\]\n]{1,250} ([0-9a-f]{7,40})\] (.+)$/gm;
/** After its commit line, and perhaps author and date of an amended commit, git prints the number of changed files. */
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

/** Tools that read, search or fetch may show a file that quotes git's output. */
function mayRunGit(tool: string): boolean {
  const kind = toolKind(tool);
  return kind === "shell" || kind === "other";
}
