/**
 * Finds edits that were undone. In a conversation: `git restore` or `git checkout` of a file that it had edited. In
 * git: a commit that reverts another one, unless the change was made again later.
 */
import { deriveFiles } from "../../conversations/activity/derive.ts";
import { shellCommand } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import { typedText } from "../../conversations/texts/typed_text.ts";
import type { HistoryReader } from "../../store/history.ts";
import type { UndoneEdit } from "../../store/history_records.ts";
import { clip } from "../../text/clip.ts";
import { revertedCommit } from "../trailers.ts";

/** Edits are also restored to divide commits, for example, so the request before must say that they were not wanted. */
const UNWANTED =
  /\b(?:revert|undo|undone|back (?:it |that |this )?out|roll(?:ed)? ?back|discard|get rid|take (?:it|that|this) (?:back|out)|drop|remove|wrong|broke|breaks|don't|do not|shouldn't|didn't ask|not what|no,|nope)\b/i;
const MAX_UNDONE = 50;
const MAX_REQUEST_CHARS = 120;
const MAX_EDITED = 1000;
/** The files of a `git restore` or `git checkout --`; an option that names a branch or a commit changes the meaning. */
const RESTORES =
  /\bgit (?:-C \S+ )?(?:restore(?! +(?:--staged|-S|--source|-s)\b)|checkout(?: HEAD)? --) ([^|;&\n]{1,400})/g;

/** An undone edit, with the index of the message that undid it. */
export type FoundUndone = Omit<UndoneEdit, "owner" | "place"> & { index: number };

/** `inside`: the path relative to the project's root; undefined if it is outside. */
export class UndoneCollector {
  readonly #inside: (path: string) => string | undefined;
  readonly #edited = new Set<string>();
  readonly #undone: FoundUndone[] = [];
  #request = "";

  constructor(inside: (path: string) => string | undefined) {
    this.#inside = inside;
  }

  take(index: number, message: Message, time: number): void {
    if (message.role === "user") this.#request = clip(typedText(message), MAX_REQUEST_CHARS) || this.#request;
    for (const { path, how } of deriveFiles(message)) {
      const file = how === "edited" ? this.#inside(path) : undefined;
      if (file !== undefined && this.#edited.size < MAX_EDITED) this.#edited.add(file);
    }
    for (const part of message.parts) {
      if (part.type === "tool_call") this.#restored(shellCommand(part) ?? "", index, time);
    }
  }

  #restored(command: string, index: number, time: number): void {
    if (!command.includes("git ") || !UNWANTED.test(this.#request)) return;
    for (const [, named = ""] of command.slice(0, 4000).matchAll(RESTORES)) {
      for (const word of named.split(/\s+/)) {
        const file = /^[\w./@+"'-]+$/.test(word) ? this.#inside(word.replace(/["']/g, "")) : undefined;
        if (file === undefined || !this.#edited.delete(file) || this.#undone.length >= MAX_UNDONE) continue;
        this.#undone.push({ kind: "restored", path: file, index, after: null, text: this.#request, time });
      }
    }
  }

  undone(): FoundUndone[] {
    return this.#undone;
  }
}

const MAX_REVERTS = 300;
const MAX_FILES_EACH = 30;
const MAX_SUBJECT_CHARS = 100;

/** A row for each file of a reverted commit. */
export function revertedFiles(history: HistoryReader): UndoneEdit[] {
  const reverts = history.reverts().flatMap(({ sha, body }) => {
    const named = revertedCommit(body);
    return named === undefined ? [] : [{ sha, named }];
  });
  const takenBack = new Set(reverts.map(({ named }) => named));
  return reverts.slice(0, MAX_REVERTS).flatMap(({ sha, named }): UndoneEdit[] => {
    const [revert] = history.byPrefix(sha, 1);
    const [change, another] = history.byPrefix(named, 2);
    // A revert that was itself reverted, and a revert of a revert, leave the change in place.
    if (!revert || !change || another || takenBack.has(sha) || /^Revert "/.test(change.subject)) return [];
    const text = clip(change.subject, MAX_SUBJECT_CHARS);
    const files = history.filesOf(change.no).slice(0, MAX_FILES_EACH);
    return files
      .filter(({ path }) => !isMadeAgain(history, path, change.subject, revert.time))
      .map(({ path }) => ({
        kind: "reverted",
        owner: sha,
        place: sha,
        path,
        after: Math.max(0, revert.time - change.time),
        text,
        time: revert.time,
      }));
  });
}

/** A later commit of the file with the same subject, as "reapply" and "reland" commits have. */
function isMadeAgain(history: HistoryReader, path: string, subject: string, since: number): boolean {
  const words = plain(subject);
  return history.commitsOf(path, 50).some((commit) => commit.time > since && plain(commit.subject).endsWith(words));
}

function plain(subject: string): string {
  return subject
    .toLowerCase()
    .replace(/\(#\d+\)|^(?:re-?apply|re-?land)[: ]*|["']/g, "")
    .trim();
}
