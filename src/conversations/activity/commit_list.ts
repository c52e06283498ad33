/**
 * The commits of a conversation that still stand. An amended commit takes the place of the one before, and one that was
 * rebased, or made again after a reset, that of the one with its subject.
 */
import { clip } from "../../text/clip.ts";
import type { Message, ToolResultPart } from "../model.ts";
import { OpenCalls } from "./calls.ts";
import { commitsIn } from "./commits.ts";
import { shellCommand } from "./tools.ts";

export interface MadeCommit {
  /** The message with git's output. */
  index: number;
  sha: string;
  subject: string;
}

const MAX_COMMITS = 200;
const MAX_SUBJECT_CHARS = 120;
/** The rest of a longer command is mostly a message or a script. */
const MAX_COMMAND_CHARS = 2000;
const MIN_TELLING_WORDS = 4;
const AMENDING = /\bgit\b[^\n]*\s--amend\b/;

export class CommitList {
  readonly #amending = new OpenCalls<boolean>();
  #commits: MadeCommit[] = [];

  take(message: Message, index: number): void {
    for (const part of message.parts) {
      if (part.type === "tool_call")
        this.#amending.add(part, AMENDING.test(shellCommand(part)?.slice(0, MAX_COMMAND_CHARS) ?? ""));
      if (part.type === "tool_result") this.#takeResult(part, index);
    }
  }

  #takeResult(result: ToolResultPart, index: number): void {
    const amends = this.#amending.take(result) === true;
    const printed = commitsIn(result);
    for (const [i, { sha, subject, redated }] of printed.entries()) {
      const isAmended = amends && i === printed.length - 1;
      const made = { index, sha, subject: clip(subject, MAX_SUBJECT_CHARS) };
      const repeats = redated || isTelling(made.subject);
      const replaced = this.#commits.findLast((each) => isAmended || (repeats && each.subject === made.subject));
      this.#commits = this.#commits.filter((each) => each !== replaced && each.sha !== sha);
      this.#commits.push(made);
      if (this.#commits.length > MAX_COMMITS) this.#commits.shift();
    }
  }

  get commits(): readonly MadeCommit[] {
    return this.#commits;
  }
}

/** Whether a subject identifies a commit: two commits in a row may both be called "wip". */
function isTelling(subject: string): boolean {
  return subject.split(" ").length >= MIN_TELLING_WORDS;
}
