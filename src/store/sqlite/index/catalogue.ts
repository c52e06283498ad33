/** The conversations whose texts are in the index, in the form that ranking needs. */
import type { Catalogue } from "../../../ranking/ports.ts";
import type { ConversationFilter, FileUse } from "../../ports.ts";
import type { Prepare } from "../connection.ts";
import { whereConversation } from "./rows.ts";
import { readOrder } from "./word_orders.ts";

/** Factors for a conversation that touched a file the question names: the largest that applies. */
const FILE_BOOSTS: Readonly<Record<FileUse, number>> = { edited: 1.5, read: 1.25, mentioned: 1.1 };

export function conversationCatalogue(prepare: Prepare): Catalogue<ConversationFilter> {
  const known = new KnownPaths(prepare);
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
      for (const path of paths.flatMap((each) => known.endingIn(each))) {
        for (const { no, how } of prepare("SELECT no, how FROM files WHERE path = ?").all(path)) {
          boosts.set(Number(no), Math.max(boosts.get(Number(no)) ?? 1, FILE_BOOSTS[how as FileUse]));
        }
      }
      return boosts;
    },
    order: (no, slot) => readOrder(prepare, no, slot),
  };
}

/** No path contains it. */
const BETWEEN = "\0";

/**
 * The paths of all files that conversations touched, as one text. Searching it for the end of a path takes a tenth of
 * the time that SQLite needs to compare each row.
 */
class KnownPaths {
  readonly #prepare: Prepare;
  #state = "";
  #paths: string = BETWEEN;

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  /** The paths that are this one or end in it. */
  endingIn(path: string): string[] {
    this.#refresh();
    const found = this.#paths.includes(BETWEEN + path + BETWEEN) ? [path] : [];
    const end = `/${path}${BETWEEN}`;
    for (let at = this.#paths.indexOf(end); at >= 0; at = this.#paths.indexOf(end, at + 1)) {
      found.push(this.#paths.slice(this.#paths.lastIndexOf(BETWEEN, at) + 1, at + 1 + path.length));
    }
    return found;
  }

  /** Reads them again if another connection or this one has changed anything. */
  #refresh(): void {
    const { data_version, own } =
      this.#prepare("SELECT data_version, total_changes() own FROM pragma_data_version").get() ?? {};
    const state = `${data_version} ${own}`;
    if (state === this.#state) return;
    const row = this.#prepare(
      "SELECT group_concat(path, char(0)) all_paths FROM (SELECT DISTINCT path FROM files)",
    ).get();
    this.#paths = row?.all_paths == null ? BETWEEN : BETWEEN + String(row.all_paths) + BETWEEN;
    this.#state = state;
  }
}
