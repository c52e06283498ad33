/** The index as applications read it. Only other connections write to it: what was read stays true until one of them does. */
import type { OpenedIndex } from "../../index_reader.ts";
import { type DatabaseState, openRebuildable, stateOf } from "../rebuildable.ts";
import { SqliteReader } from "./reader.ts";
import { INDEX } from "./schema.ts";

type Projects = ReturnType<SqliteReader["projects"]>;

/** Rows that every check for changes asks for. */
interface Known {
  version: number;
  stamps?: ReadonlyMap<string, string>;
  projects: Map<number, Projects>;
}

/** The index for reading. If there is none that this version can read, it is empty. */
export function openIndex(path: string): { store: OpenedIndex; state: DatabaseState } {
  const { database, state } = openRebuildable(INDEX, path, "read");
  return { store: new SqliteOpenedIndex(database), state };
}

class SqliteOpenedIndex extends SqliteReader implements OpenedIndex {
  #known: Known | undefined;

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

  #ofThisVersion(): Known {
    const version = Number(this.prepare("PRAGMA data_version").get()?.data_version);
    if (this.#known?.version !== version) this.#known = { version, projects: new Map() };
    return this.#known;
  }
}
