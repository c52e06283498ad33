/** Evidence in the output of git in conversations: ids of commits, and the addresses of remotes. */
import { toolKind } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import type { HistoryReader } from "../../store/history.ts";
import { remoteName } from "./names.ts";

const MAX_OUTPUT_CHARS = 40_000;
const MAX_IDS = 2000;
/** A commit's id as git abbreviates it; only digits would be a number. */
const COMMIT_ID = /\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g;
/** `origin\tgit@host:a/b.git (push)`, and the first line of a push or fetch. */
const REMOTE_LINE = /^(?:[\w.-]{1,100}\t(\S{1,500}) \((?:fetch|push)\)|(?:To|From) (\S{1,500}))$/gm;

export function gitOutputOf(
  messages: Iterable<Message>,
  history: Pick<HistoryReader, "byPrefix">,
  remotes: readonly string[],
  hasRemote: boolean,
): { shown: number; remote: boolean } {
  const ids = new Set<string>();
  const commits = new Set<string>();
  let remote = hasRemote;
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== "tool_result" || (part.name !== undefined && toolKind(part.name) !== "shell")) continue;
      const output = part.output.slice(0, MAX_OUTPUT_CHARS);
      for (const [id] of output.matchAll(COMMIT_ID)) {
        if (ids.size >= MAX_IDS || ids.has(id)) continue;
        ids.add(id);
        const [commit] = history.byPrefix(id, 1);
        if (commit) commits.add(commit.sha);
      }
      for (const match of output.matchAll(REMOTE_LINE)) {
        remote ||= remotes.includes(remoteName(match[1] ?? match[2] ?? "") ?? "");
      }
    }
  }
  return { shown: commits.size, remote };
}
