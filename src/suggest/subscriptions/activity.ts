/** Signals other than changed files: failing tests, and new prompts to agents. */
import type { Message } from "../../conversations/model.ts";
import type { Dex } from "../../dex.ts";
import { latestStates } from "../../history/outcomes/latest.ts";
import { insidePath, projectKey, repositoryOrFolder } from "../../history/repository.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { readMessages } from "../../store/archive/archive.ts";
import { isArchiveFailure } from "../../store/archive/frames.ts";
import type { ConversationRow } from "../../store/ports.ts";

const MAX_CONVERSATIONS = 5;
/** Only the last blocks of a conversation are searched for a prompt. */
const MAX_BLOCKS = 2;
const MAX_PROMPT_CHARS = 2000;

/** Files of tests whose last known result is a failure. */
export function failingFiles(dex: Dex, root: string): string[] {
  const repository = repositoryOrFolder(root);
  const outcomes = dex.withState((state) => state.tests.all(projectKey(repository)));
  const failing = latestStates(outcomes).filter(({ status }) => status === "failed");
  return [...new Set(failing.flatMap(({ file }) => (file && insidePath(repository, file, repository.root)) || []))];
}

export interface Prompt {
  text: string;
  session: string;
  /** The message's index, which identifies a prompt that was seen before. */
  index: number;
}

/** The last prompt of each of the project's conversations that was active since then. */
export function promptsSince(dex: Dex, root: string, since: number): Prompt[] {
  return dex.store
    .list({ project: root, from: since }, MAX_CONVERSATIONS, 0)
    .filter(({ project }) => project !== null && isBelow(root, project))
    .flatMap((row) => lastPrompt(dex, row, since) ?? []);
}

function lastPrompt(dex: Dex, row: ConversationRow, since: number): Prompt | undefined {
  let last: Prompt | undefined;
  const blocks = dex.store.blocks(row.no).slice(-MAX_BLOCKS);
  try {
    for (const { index, message } of readMessages(dex.paths.archive, row.archive, blocks)) {
      if (message.role !== "user" || (message.time !== undefined && Date.parse(message.time) < since)) continue;
      const text = textOf(message);
      if (text !== "") last = { text, session: row.id, index };
    }
  } catch (error) {
    // An unreadable archive gives no prompt; `dex doctor` reports it.
    if (!isArchiveFailure(error)) throw error;
  }
  return last;
}

function textOf({ parts }: Message): string {
  return parts
    .flatMap((part) => (part.type === "text" ? part.text : []))
    .join("\n")
    .slice(0, MAX_PROMPT_CHARS);
}
