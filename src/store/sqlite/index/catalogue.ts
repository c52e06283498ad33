/** Whose texts an index of texts holds: conversations here; other indexes have owners of their own. */
import type { StatementSync } from "node:sqlite";
import type { ConversationFilter, FileUse, TermQuery } from "../../ports.ts";
import { whereConversation } from "./rows.ts";

export interface Catalogue<Filter> {
  /** `owners` are not all there are, and nothing is to be known of the others: not even how often they have a word. */
  partial?: boolean;
  /** All owners, with what breaks ties between them. */
  owners(): Map<number, { updated: number; id: string }>;
  /** Those that the filter lets pass; undefined when it asks for nothing. */
  passing(filter: Filter): Iterable<number> | undefined;
  /** Owners that come up for what the question names, and how much: a factor of 1 or more. */
  boosts(query: TermQuery): ReadonlyMap<number, number>;
}

/** For a conversation that touched a file the question names: by the most it did to one. */
const FILE_BOOSTS: Readonly<Record<FileUse, number>> = { edited: 1.5, read: 1.25, mentioned: 1.1 };

export function conversationCatalogue(prepare: (sql: string) => StatementSync): Catalogue<ConversationFilter> {
  return {
    owners: () =>
      new Map(
        prepare("SELECT no, updated, id FROM conversations")
          .all()
          .map((row) => [Number(row.no), { updated: Number(row.updated), id: String(row.id) }]),
      ),
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
  };
}
