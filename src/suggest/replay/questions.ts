/**
 * The questions of a replay: at a commit, its first file and its subject; in a session, its first prompt and the first
 * files that it opened. Each question contains the work that followed.
 */
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { insidePath, type Repository } from "../../history/repository.ts";
import { loadMessages } from "../../search/messages.ts";
import type { FileChange } from "../../store/history_records.ts";
import type { ConversationRow } from "../../store/ports.ts";
import type { Activity } from "../model.ts";
import { hasContent } from "../prompt_content.ts";
import type { LaterWork } from "./outcomes.ts";
import { plainSubject } from "./plain_subject.ts";

export interface Question {
  about: Pick<Activity, "file" | "prompt" | "session">;
  later: Omit<LaterWork, "diff">;
}

/** The part of a past commit that a question needs. */
export interface PastCommit {
  sha: string;
  subject: string;
  author: string;
  time: number;
  file_count: number;
  files: readonly FileChange[];
}

const NOTHING: ReadonlySet<string> = new Set();
/** A commit of more files is a rename or a reformat. */
const MAX_COMMIT_FILES = 30;
const MAX_PROMPT_CHARS = 4000;
/** The first prompt is among the first messages. */
const MAX_MESSAGES = 20;
/** The most files of a session that become questions. */
const MAX_OPENED = 3;

export function commitQuestions({ subject, file_count, files }: PastCommit, root: string): Question[] {
  const paths = files.map(({ path, old }) => old ?? path);
  const [first] = paths;
  if (file_count > MAX_COMMIT_FILES || first === undefined) return [];
  const later = { edited: new Set(paths), opened: NOTHING };
  const prompt = plainSubject(subject);
  return [
    { about: { file: `${root}/${first}` }, later: { ...later, about: new Set([first]), message: subject } },
    ...(hasContent(prompt) ? [{ about: { prompt }, later: { ...later, about: NOTHING, message: "" } }] : []),
  ];
}

export function sessionQuestions(dex: Dex, row: ConversationRow, repository: Repository): Question[] {
  const inside = (path: string): string[] => {
    const found = insidePath(repository, path, row.project ?? repository.root);
    return found === undefined ? [] : [found];
  };
  const used = dex.store.files(row.no).filter(({ how }) => how !== "mentioned");
  const after = (first: number): Omit<LaterWork, "diff" | "about"> => {
    const rest = used.filter((each) => each.first >= first);
    return {
      edited: new Set(rest.flatMap(({ path, how }) => (how === "edited" ? inside(path) : []))),
      opened: new Set(rest.flatMap(({ path }) => inside(path))),
      message: "",
    };
  };
  // A session without any use of files does not show what would have helped.
  if (after(0).opened.size === 0) return [];
  const session = `${row.source}:${row.id}`;
  const prompt = firstPrompt(dex, row);
  const opened = used.toSorted((a, b) => a.first - b.first).slice(0, MAX_OPENED);
  return [
    ...(hasContent(prompt) ? [{ about: { prompt, session }, later: { ...after(0), about: NOTHING } }] : []),
    ...opened.flatMap(({ path, first, how }): Question[] => {
      const file = inside(path);
      if (file.length === 0) return [];
      return [
        {
          about: { file: path, session },
          later: { ...after(first + 1), about: new Set(how === "edited" ? file : []) },
        },
      ];
    }),
  ];
}

function firstPrompt(dex: Dex, row: ConversationRow): string {
  for (const { message } of loadMessages(dex, row, 0, Math.min(row.messages, MAX_MESSAGES))) {
    if (message.role !== "user") continue;
    const text = renderMessage(message, "user_only")?.trim() ?? "";
    if (text !== "") return text.slice(0, MAX_PROMPT_CHARS);
  }
  return "";
}
