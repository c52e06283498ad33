/** Imports conversations from a file: archived and indexed like any other, and compared with existing ones. */
import { statSync } from "node:fs";
import type { ConversationMeta } from "../conversations/model.ts";
import type { PlainConversation } from "../integrations/history/imports/plain.ts";
import type { Policy, ReadEvent } from "./reading/events.ts";
import { Ingest } from "./reading/ingest.ts";
import { Recorder, type Recording } from "./recording/recorder.ts";
import { type SyncPlaces, withWriter } from "./writing.ts";

export interface ImportTotals {
  new: number;
  updated: number;
  unchanged: number;
  redactions: number;
  /** Conversations that are forgotten or excluded. */
  refused: number;
}

/** Undefined when another process holds the lock. */
export function importConversations(
  request: { places: SyncPlaces; waitMs: number; now: () => number; policy: Policy; path: string },
  conversations: readonly PlainConversation[],
): Promise<ImportTotals | undefined> {
  return withWriter(request, (writer) => {
    const recorder = new Recorder(writer, request.places);
    const totals: ImportTotals = { new: 0, updated: 0, unchanged: 0, redactions: 0, refused: 0 };
    const mtimeMs = statSync(request.path, { throwIfNoEntry: false })?.mtimeMs ?? request.now();
    let recording: Recording | undefined;
    // A conversation that is known already still comes from where it came from, not from a copy of it.
    const withKnownOrigin = (meta: ConversationMeta): ConversationMeta => {
      const row = writer.find(meta.source, meta.id);
      const origin = row && writer.storedMeta(row.no)?.origin;
      return origin === undefined ? meta : { ...meta, origin };
    };
    const ingest = new Ingest(0, { path: request.path, mtimeMs }, request.policy, (event: ReadEvent) => {
      if (event.type === "open") recording = recorder.open(withKnownOrigin(event.meta), 0, undefined, mtimeMs);
      else if (event.type === "block") recording?.block(event);
      else if (event.type === "rejoined") recorder.remove(event.source, event.id);
      else if (event.type === "close" && recording) totals[recording.close(withKnownOrigin(event.meta))] += 1;
    });
    for (const { meta, messages, rejoined = [] } of conversations) {
      for (const id of rejoined) ingest.rejoined(meta.source, id);
      if (!ingest.open(meta)) continue;
      for (const message of messages) ingest.message(message);
      ingest.close();
    }
    totals.redactions = ingest.redactions;
    totals.refused = Object.values(ingest.leftOut).reduce((sum, count) => sum + count, 0);
    return totals;
  });
}
