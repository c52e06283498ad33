/**
 * Names of Codex threads that are stored outside the rollout: an append-only list (older builds) and a column of
 * Codex's own database (newer ones). dex reads both once, and again only when they changed. If a file cannot be read,
 * or has another shape, only its names are missing.
 */
import { join } from "node:path";
import { firstString } from "../../../kernel/json.ts";
import { databaseContainer, fileContainer, listDir, statOrUndefined } from "../../history/reading/files.ts";
import { readRecords } from "../../history/reading/jsonl.ts";
import { stampedCache, withDatabase } from "../../history/reading/sqlite.ts";
import { silent } from "../../history/reading/tail.ts";
import type { Container } from "../../history/source.ts";

type Names = ReadonlyMap<string, string>;

/** The list grows forever; the newest names are at its end. */
const MAX_LIST_BYTES = 16 << 20;
const MAX_NAMES = 100_000;
const NO_NAMES: Names = new Map();

const cached = stampedCache<Names>();

/** The thread's name; undefined if it has none. */
export function threadName(home: string, id: string): string | undefined {
  try {
    const list = fileContainer("codex", join(home, "session_index.jsonl"));
    return namesIn(list, listedNames).get(id) ?? namesIn(stateDatabase(home), databaseNames).get(id);
  } catch {
    // The file is not accessible, or was deleted just now.
    return undefined;
  }
}

function namesIn(file: Container | undefined, read: (file: Container) => Names): Names {
  return file ? cached(file.path, file.stamp, () => read(file)) : NO_NAMES;
}

const cachedVersion = stampedCache<number>();

/** Its name carries the version of its schema: the newest counts. */
function stateDatabase(home: string): Container | undefined {
  const version = cachedVersion(home, String(statOrUndefined(home)?.mtimeMs), () =>
    listDir(home).reduce(
      (newest, { name }) => Math.max(newest, Number(/^state_(\d{1,9})\.sqlite$/.exec(name)?.[1] ?? 0)),
      0,
    ),
  );
  return version === 0 ? undefined : databaseContainer("codex", join(home, `state_${version}.sqlite`));
}

function databaseNames({ path }: Container): Names {
  const rows = withDatabase(path, silent, (database) =>
    database.snapshot(() =>
      database.columns("threads").has("name")
        ? database.all("SELECT id, name FROM threads WHERE name <> '' LIMIT ?", MAX_NAMES)
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
