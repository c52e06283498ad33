/** The replays for a fit or a measurement, by their history or project. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { sharedData } from "../../test/support/dex.ts";
import { type Asked, type History, type Replayed, replayedOf } from "./rows.ts";
import { playSessions, type Sessions } from "./sessions.ts";

/** Projects with fewer questions are left out: they alone are not significant. */
const MIN_QUESTIONS = 15;

export interface Sets {
  histories: Map<string, Asked[]>;
  /** Of real sessions, by project: queried with edited files, with prompts, and for past sessions. */
  sessions: Map<string, Asked[]>;
  prompts: Map<string, Asked[]>;
  /** The subjects of commits as prompts, by history. */
  subjects: Map<string, Asked[]>;
  past: Asked[];
  latest: Asked[];
}

export async function loadSets(typed: readonly string[], keep: string | undefined): Promise<Sets> {
  const replayed = await replayAll(typed, keep);
  const played = await sessionsOf(keep);
  return {
    histories: new Map(replayed.map(([name, { files }]) => [name, files])),
    subjects: new Map(replayed.map(([name, { subjects }]) => [name, subjects])),
    prompts: byProject(played?.prompts ?? []),
    sessions: byProject(played?.files ?? []),
    past: played?.past ?? [],
    latest: played?.latest ?? [],
  };
}

/** The given repositories; without any, the shared ones next to this checkout; without those, this one. */
async function replayAll(typed: readonly string[], keep: string | undefined): Promise<[string, Replayed][]> {
  const temp = mkdtempSync(join(tmpdir(), "dex-suggest-"));
  try {
    const found: [string, Replayed][] = [];
    for (const history of typed.length > 0 ? typed.map(historyOf) : sharedHistories(temp)) {
      found.push([history.name, await replayedOf(history, keep)]);
      process.stderr.write(`replayed: ${history.name}\n`);
    }
    return found;
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function historyOf(folder: string): History {
  return { name: folder === "." ? "this repository" : basename(folder), folder };
}

/** Bundles named `owner__name.bundle`, cloned into the folder. */
function sharedHistories(temp: string): History[] {
  const shared = sharedData("data", "repos");
  if (shared.skip) {
    process.stderr.write(`${shared.skip}: only this repository is replayed\n`);
    return [historyOf(".")];
  }
  return readdirSync(shared.path)
    .filter((file) => file.endsWith(".bundle"))
    .map((file) => {
      const name = file.slice(0, -".bundle".length).replace(/^.*__/, "");
      const folder = join(temp, name);
      execFileSync("git", ["clone", "--quiet", join(shared.path, file), folder], { stdio: "ignore" });
      return { name, folder };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function sessionsOf(keep: string | undefined): Promise<Sessions | undefined> {
  const kept = keep === undefined ? undefined : join(keep, "sessions.v8");
  if (kept && existsSync(kept)) return deserialize(readFileSync(kept)) as Sessions;
  const shared = sharedData("data", "dev-home.tar.xz");
  if (shared.skip) {
    process.stderr.write(`${shared.skip}: no sessions are replayed\n`);
    return undefined;
  }
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
