/**
 * Scans the conversations of a repository for past work: runs of commands, edits that were taken back, and what each
 * session did and left open. One pass over each conversation; the result is stored with the history.
 */
import { workOf } from "../../conversations/activity/work.ts";
import type { Message } from "../../conversations/model.ts";
import type { HistoryWriter } from "../../store/history.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { insidePath, type Repository } from "../repository.ts";
import { type ConversationScan, ownerOf } from "../scan.ts";
import { ReplacedCollector } from "./replaced.ts";
import { RunCollector } from "./runs.ts";
import { didText, openText, SessionCollector } from "./session.ts";
import { revertedFiles, UndoneCollector } from "./undone.ts";

export const WORK_KIND = "work";
/** The commit up to which reverts were read. */
const REVERTS_READ = "reverts_read";

export function workScan(repository: Repository): ConversationScan {
  return {
    kind: WORK_KIND,
    drop: (writer, owner) => writer.removeWork(owner),
    take: (writer, row, messages) => takeConversation(repository, writer, row, messages),
  };
}

function takeConversation(
  repository: Repository,
  writer: HistoryWriter,
  row: TrailConversation,
  messages: Iterable<{ index: number; message: Message }>,
): void {
  const base = row.project === "" ? repository.root : row.project;
  const inside = (path: string): string | undefined => insidePath(repository, path, base);
  const runs = new RunCollector(repository.roots, base);
  const undone = new UndoneCollector(inside);
  const replaced = new ReplacedCollector(inside);
  const session = new SessionCollector();
  const work = workOf(
    (function* () {
      for (const each of messages) {
        const { index, message } = each;
        const time = message.time === undefined ? row.updated : Date.parse(message.time);
        runs.take(index, message, time);
        undone.take(index, message, time);
        replaced.take(index, message, time);
        session.take(index, message);
        yield each;
      }
    })(),
  );
  const owner = ownerOf(row);
  const place = (index: number): string => `${row.id}#${index}`;
  const found = runs.runs();
  writer.addRuns(found.map(({ index, ...run }) => ({ ...run, owner, place: place(index) })));
  writer.addUndone(undone.undone().map(({ index, ...each }) => ({ ...each, owner, place: place(index) })));
  writer.addReplacements(replaced.replaced().map(({ index, ...each }) => ({ ...each, owner, place: place(index) })));
  // A subagent's work is part of the session that started it.
  if (row.subagent) return;
  writer.setSession({
    owner,
    messages: row.messages,
    did: didText(work, session, found, inside),
    open: openText(work, session),
  });
}

/** Reverts change only with the commits. */
export function needsReverts(history: { getValue(key: string): string | undefined }): boolean {
  return history.getValue(REVERTS_READ) !== history.getValue("head");
}

export function readReverts(writer: HistoryWriter): void {
  writer.removeReverted();
  writer.addUndone(revertedFiles(writer));
  writer.setValue(REVERTS_READ, writer.getValue("head") ?? "");
  writer.commit();
}
