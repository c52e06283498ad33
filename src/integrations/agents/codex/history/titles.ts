/**
 * Names of Codex threads that are stored outside the rollout: an append-only list (older builds) and a column of
 * Codex's own database (newer ones). dex reads both once, and again only when they changed. If a file cannot be read,
 * or has another shape, only its names are missing.
 */
import { join } from "node:path";
import { firstString } from "../../../../kernel/json.ts";
import {
  databaseContainer,
  fileContainer,
  listDir,
  stampedCache,
  statOrUndefined,
} from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { Container } from "../../../history/source.ts";

type Names = ReadonlyMap<string, string>;

/** The list grows forever; the newest names are at its end. */
const MAX_LIST_BYTES = 16 << 20;
const MAX_NAMES = 100_000;
/** The column of each database that has names. In the state, a title is only the first prompt. */
const NAME_COLUMNS = [
  ["thread_history", "title"],
  ["state", "name"],
] as const;
const NO_NAMES: Names = new Map();

const cached = stampedCache<Names>();

/** The thread's name; undefined if it has none. */
export function threadName(homes: readonly string[], id: string): string | undefined {
  for (const home of homes) {
    try {
      const name = nameIn(home, id);
      if (name !== undefined) return name;
    } catch {
      // The file is not accessible, or was deleted just now.
    }
  }
  return undefined;
}

/** Newer builds keep their databases in a folder of their own, and the names in the one of the history. */
function nameIn(home: string, id: string): string | undefined {
  const list = fileContainer("codex", join(home, "session_index.jsonl"));
  const listed = namesIn(list, listedNames).get(id);
  if (listed !== undefined) return listed;
  for (const folder of [join(home, "sqlite"), home]) {
    for (const [kind, column] of NAME_COLUMNS) {
      const name = namesIn(newestDatabase(folder, kind), (file) => databaseNames(file, column)).get(id);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

function namesIn(file: Container | undefined, read: (file: Container) => Names): Names {
  return file ? cached(file.path, file.stamp, () => read(file)) : NO_NAMES;
}

const cachedVersion = stampedCache<number>();

/** Its name carries the version of its schema: the newest counts. */
function newestDatabase(folder: string, kind: string): Container | undefined {
  const version = cachedVersion(`${folder} ${kind}`, String(statOrUndefined(folder)?.mtimeMs), () =>
    listDir(folder).reduce((newest, { name }) => {
      const [, found, number = "0"] = /^([a-z_]{1,40})_(\d{1,9})\.sqlite$/.exec(name) ?? [];
      return found === kind ? Math.max(newest, Number(number)) : newest;
    }, 0),
  );
  return version === 0 ? undefined : databaseContainer("codex", join(folder, `${kind}_${version}.sqlite`));
}

function databaseNames({ path }: Container, column: "title" | "name"): Names {
  const rows = withDatabase(path, silent, (database) =>
    database.snapshot(() =>
      database.columns("threads").has(column)
        ? database.all(`SELECT id, ${column} AS name FROM threads WHERE ${column} <> '' LIMIT ?`, MAX_NAMES)
        : [],
    ),
  );
  return new Map(rows?.map((row) => [String(row.id), String(row.name)]));
}

function listedNames({ path, bytes }: Container): Names {
  const names = new Map<string, string>();
  for (const { value } of readRecords(path, { offset: Math.max(0, bytes - MAX_LIST_BYTES), sink: silent })) {
    const id = firstString(value, "id");
    const name = firstString(value, "thread_name");
    if (id !== undefined && name !== undefined) names.set(id, name);
  }
  return names;
}
