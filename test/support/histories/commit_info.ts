import type { CommitInfo } from "../../../src/store/history_records.ts";

/** A stored commit of one file. */
export function commitInfo(subject: string, more: Partial<CommitInfo> = {}): CommitInfo {
  return {
    no: 1,
    sha: "a".repeat(40),
    parents: 1,
    authored: 1,
    time: 1,
    author: "A",
    email: "a@b",
    subject,
    body: "",
    file_count: 1,
    boundary: false,
    ...more,
  };
}
