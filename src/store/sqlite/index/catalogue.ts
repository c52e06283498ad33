/** The conversations whose texts are in the index, in the form that ranking needs. */

import type { Catalogue } from "../../../ranking/ports.ts";
import type { ConversationFilter, FileUse } from "../../ports.ts";
import type { Prepare } from "../connection.ts";
import { whereConversation } from "./rows.ts";
import { readOrder } from "./word_orders.ts";

/** Factors for a conversation that touched a file the question names: the largest that applies. */
const FILE_BOOSTS: Readonly<Record<FileUse, number>> = { edited: 1.5, read: 1.25, mentioned: 1.1 };

export function conversationCatalogue(prepare: Prepare): Catalogue<ConversationFilter> {
  return {
    extent: () => {
      const row = prepare("SELECT count(*) n, coalesce(max(no), 0) largest FROM conversations").get();
      return { count: Number(row?.n ?? 0), largest: Number(row?.largest ?? 0) };
    },
    ownerOf: (no) => {
      const row = prepare("SELECT updated, id, project FROM conversations WHERE no = ?").get(no);
      if (!row) return undefined;
      const project = row.project === null ? undefined : String(row.project);
      return { updated: Number(row.updated), id: String(row.id), project };
    },
    passing: (filter) => {
      const where = whereConversation(filter);
      if (where.sql === "TRUE") return undefined;
      return prepare(`SELECT no FROM conversations c WHERE ${where.sql}`)
        .all(...where.values)
        .map((row) => Number(row.no));
    },
    boosts: ({ paths = [] }) => {
      const boosts = new Map<number, number>();
      for (const path of paths) {
        const rows = prepare(
          "SELECT no, how FROM files WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1",
        ).all(path);
        for (const { no, how } of rows) {
          boosts.set(Number(no), Math.max(boosts.get(Number(no)) ?? 1, FILE_BOOSTS[how as FileUse]));
        }
      }
      return boosts;
    },
    order: (no, slot) => readOrder(prepare, no, slot),
  };
}
