/** What a watcher noticed beside changed files: tests that fail now, and what agents were asked since the last time. */
import type { Message } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { latestOutcomes } from "../../history/outcomes/latest.ts";
import { findProject, insidePath } from "../../history/repository.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { readMessages } from "../../store/archive.ts";
import type { ConversationRow } from "../../store/ports.ts";

const MOST_CONVERSATIONS = 5;
/** A prompt is looked for in the last blocks of a conversation, not in all of it. */
const BLOCKS = 2;
const LONGEST_PROMPT = 2000;

/** Files of tests whose last known result is a failure. */
export function failingFiles(dex: Dex, root: string): string[] {
  const repository = findProject(root);
  const outcomes = dex.withState((state) => state.tests.all(repository.commonDir));
  const failing = latestOutcomes(outcomes).filter(({ status, name }) => status === "failed" && name !== null);
  return [...new Set(failing.flatMap(({ file }) => (file && insidePath(repository, file, repository.root)) || []))];
}

export interface Prompt {
  text: string;
  session: string;
  /** Of the message, by which it is known again. */
  index: number;
}

/** The last one of each conversation of the project that was active since. */
export function promptsSince(dex: Dex, root: string, since: number): Prompt[] {
  return dex.store
    .list({ project: root, from: since }, MOST_CONVERSATIONS, 0)
    .filter(({ project }) => project !== null && isBelow(root, project))
    .flatMap((row) => lastPrompt(dex, row, since) ?? []);
}

function lastPrompt(dex: Dex, row: ConversationRow, since: number): Prompt | undefined {
  let last: Prompt | undefined;
  try {
    const blocks = dex.store.blocks(row.no).slice(-BLOCKS);
    for (const { index, message } of readMessages(dex.archive, row.archive, blocks)) {
      if (message.role !== "user" || (message.time !== undefined && Date.parse(message.time) < since)) continue;
      const text = textOf(message);
      if (text !== "") last = { text, session: row.id, index };
    }
  } catch (error) {
    // An archive that cannot be read tells nothing here; `dex doctor` says so of it.
    if (!(error instanceof Error)) throw error;
  }
  return last;
}

function textOf({ parts }: Message): string {
  return parts
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n")
    .slice(0, LONGEST_PROMPT);
}
