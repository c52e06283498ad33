/** The index as applications read it. Only other connections write to it: what was read stays true until one of them does. */
import type { OpenedIndex } from "../../index_reader.ts";
import type { ConversationRow } from "../../ports.ts";
import { type DatabaseState, openRebuildable, stateOf } from "../rebuildable.ts";
import { SqliteReader } from "./reader.ts";
import { INDEX } from "./schema.ts";

type Projects = ReturnType<SqliteReader["projects"]>;
type Neighbours = ReturnType<SqliteReader["idNeighbours"]>;

/** The most conversations whose rows are cached. */
const MAX_ROWS = 2000;

/** Cached rows: those that every check for changes reads, and those that most searches read. */
interface Known {
  version: number;
  stamps?: ReadonlyMap<string, string>;
  projects: Map<number, Projects>;
  rows: Map<number, ConversationRow | undefined>;
  neighbours: Map<string, Neighbours>;
  children: Map<string, number>;
}

/** The index for reading. If there is none that this version can read, it is empty. */
export function openIndex(path: string): { store: OpenedIndex; state: DatabaseState } {
  const { database, state } = openRebuildable(INDEX, path, "read");
  return { store: new SqliteOpenedIndex(database), state };
}

class SqliteOpenedIndex extends SqliteReader implements OpenedIndex {
  #known: Known | undefined;
  /** In a snapshot: what is known of its state. */
  #inSnapshot: Known | undefined;

  get isReady(): boolean {
    return stateOf(this.database, INDEX) === "ready";
  }

  override stamps(): ReadonlyMap<string, string> {
    const known = this.#ofThisVersion();
    known.stamps ??= super.stamps();
    return known.stamps;
  }

  override projects(limit: number): Projects {
    const { projects } = this.#ofThisVersion();
    const found = projects.get(limit) ?? super.projects(limit);
    projects.set(limit, found);
    return [...found];
  }

  override inSnapshot<T>(read: () => T): T {
    if (this.#inSnapshot) return read();
    return super.inSnapshot(() => {
      this.#inSnapshot = this.#ofThisVersion();
      try {
        return read();
      } finally {
        this.#inSnapshot = undefined;
      }
    });
  }

  override byNo(no: number): ConversationRow | undefined {
    return kept(this.#inSnapshot?.rows, no, () => super.byNo(no));
  }

  override idNeighbours(id: string): Neighbours {
    return kept(this.#inSnapshot?.neighbours, id, () => super.idNeighbours(id));
  }

  override childCount(id: string): number {
    return kept(this.#inSnapshot?.children, id, () => super.childCount(id));
  }

  #ofThisVersion(): Known {
    const version = Number(this.prepare("PRAGMA data_version").get()?.data_version);
    if (this.#known?.version !== version) {
      this.#known = { version, projects: new Map(), rows: new Map(), neighbours: new Map(), children: new Map() };
    }
    return this.#known;
  }
}

/** Outside a snapshot nothing is cached: checking the version takes as long as reading a row. */
function kept<Key, Value>(rows: Map<Key, Value> | undefined, key: Key, read: () => Value): Value {
  if (!rows) return read();
  const known = rows.get(key);
  if (known !== undefined || rows.has(key)) return known as Value;
  const row = read();
  if (rows.size >= MAX_ROWS) rows.clear();
  rows.set(key, row);
  return row;
}
