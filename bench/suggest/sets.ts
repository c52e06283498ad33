/** The replays for a fit or a measurement, by their history or project. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { sharedData } from "../../test/support/dex.ts";
import { type Asked, askedOf, historyOf, subjectsOf } from "./rows.ts";
import { playSessions, type Sessions } from "./sessions.ts";

/** Projects with fewer questions are left out: they alone are not significant. */
const MIN_QUESTIONS = 15;

export interface Sets {
  histories: Map<string, Asked[]>;
  /** Of real sessions, by project: queried with edited files, with prompts, and for past sessions. */
  sessions: Map<string, Asked[]>;
  prompts: Map<string, Asked[]>;
  /** The purposes of commits as prompts, of histories that state them. */
  subjects: Map<string, Asked[]>;
  past: Asked[];
  latest: Asked[];
}

/** `asks`: histories that only serve as a source of prompts. */
export async function loadSets(
  typed: readonly string[],
  asks: readonly string[],
  keep: string | undefined,
): Promise<Sets> {
  const histories = new Map<string, Asked[]>();
  for (const each of typed.length === 0 ? ["."] : typed) {
    const history = historyOf(each);
    histories.set(history.name, await askedOf(history, keep));
    process.stderr.write(`replayed: ${history.name}\n`);
  }
  const played = await sessionsOf(keep);
  return {
    histories,
    ...(await loadPrompts([...(typed.length === 0 ? ["."] : typed), ...asks], keep)),
    sessions: byProject(played?.files ?? []),
    past: played?.past ?? [],
    latest: played?.latest ?? [],
  };
}

/** Only prompts: first ones of sessions, and the purposes of commits of these histories. */
export async function loadPrompts(
  typed: readonly string[],
  keep: string | undefined,
): Promise<Pick<Sets, "prompts" | "subjects">> {
  const subjects = new Map<string, Asked[]>();
  for (const each of typed)
    for (const [name, said] of await subjectsOf(historyOf(each), keep)) subjects.set(name, said);
  return { subjects, prompts: byProject((await sessionsOf(keep))?.prompts ?? []) };
}

async function sessionsOf(keep: string | undefined): Promise<Sessions | undefined> {
  const kept = keep === undefined ? undefined : join(keep, "sessions.v8");
  if (kept && existsSync(kept)) return deserialize(readFileSync(kept)) as Sessions;
  if (sharedData("data", "dev-home.tar.xz").skip) return undefined;
  const temp = mkdtempSync(join(tmpdir(), "dex-suggest-"));
  try {
    const played = await playSessions(temp);
    if (keep !== undefined && kept) {
      mkdirSync(keep, { recursive: true });
      writeFileSync(kept, serialize(played));
    }
    return played;
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function byProject(asked: readonly Asked[]): Map<string, Asked[]> {
  const found = new Map<string, Asked[]>();
  for (const each of asked) {
    const list = found.get(each.set);
    if (list) list.push(each);
    else found.set(each.set, [each]);
  }
  for (const [name, list] of found) if (list.length < MIN_QUESTIONS) found.delete(name);
  return found;
}
