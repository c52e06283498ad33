/** The replays for a fit or a measurement, by their history or project. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sharedData } from "../../test/support/program/dex.ts";
import { CACHE, ReplayCache } from "./cache.ts";
import { type Asked, type History, type Replayed, replayedOf } from "./rows.ts";
import { playSessions, type Sessions } from "./sessions/play.ts";

/** Projects with fewer questions are left out: they alone are not significant. */
const MIN_QUESTIONS = 15;

export interface Sets {
  histories: Map<string, Asked[]>;
  /** Of real sessions, by project: queried with edited files, with prompts, and for past sessions. */
  sessions: Map<string, Asked[]>;
  prompts: Map<string, Asked[]>;
  /** The subjects of commits as prompts, by history. */
  subjects: Map<string, Asked[]>;
  /** The same without a code graph. */
  named: Map<string, Asked[]>;
  past: Asked[];
  latest: Asked[];
  /** Prompts of sessions in known repositories, with all sources. */
  joint: Map<string, Asked[]>;
}

export const SET_OPTIONS = {
  /** The last commits of each history that are asked about. */
  commits: { type: "string", default: "300" },
  /** Where replays are kept. */
  keep: { type: "string", default: CACHE },
  /** Replays everything, and keeps nothing. */
  fresh: { type: "boolean" },
} as const;

export interface SetOptions {
  commits: string;
  keep: string;
  fresh?: boolean | undefined;
}

export async function loadSets(typed: readonly string[], { commits, keep, fresh }: SetOptions): Promise<Sets> {
  const cache = new ReplayCache(fresh === true ? undefined : keep);
  const temp = mkdtempSync(join(tmpdir(), "dex-suggest-"));
  try {
    const asked = typed.length > 0 ? typed.map(historyOf) : sharedHistories(temp);
    const replayed = await replayAll(asked, Number(commits), cache);
    const played = await sessionsOf(cache, asked, temp);
    return setsOf(replayed, played);
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

function setsOf(replayed: readonly [string, Replayed][], played: Sessions | undefined): Sets {
  return {
    histories: new Map(replayed.map(([name, { files }]) => [name, files])),
    subjects: new Map(replayed.map(([name, { subjects }]) => [name, subjects])),
    named: new Map(replayed.map(([name, { named }]) => [name, named])),
    prompts: byProject(played?.prompts ?? []),
    sessions: byProject(played?.files ?? []),
    past: played?.past ?? [],
    latest: played?.latest ?? [],
    joint: byProject(played?.joint ?? []),
  };
}

async function replayAll(
  histories: readonly History[],
  commits: number,
  cache: ReplayCache,
): Promise<[string, Replayed][]> {
  const found: [string, Replayed][] = [];
  for (const history of histories) {
    const begin = performance.now();
    const replayed = await cache.of(history.name, `${headOf(history)} ${commits}`, () => replayedOf(history, commits));
    found.push([history.name, replayed]);
    process.stderr.write(`replayed: ${history.name}, ${((performance.now() - begin) / 1000).toFixed(0)} s\n`);
  }
  return found;
}

function headOf({ folder }: History): string {
  return git(["-C", folder, "rev-parse", "HEAD"]).trim();
}

function git(args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function historyOf(folder: string): History {
  return { name: folder === "." ? "this repository" : basename(folder), folder };
}

/** Bundles named `owner__name.bundle`, cloned into the folder; without any, this repository. */
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
      git(["clone", "--quiet", join(shared.path, file), folder]);
      return { name, folder };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function sessionsOf(
  cache: ReplayCache,
  histories: readonly History[],
  temp: string,
): Promise<Sessions | undefined> {
  const shared = sharedData("data", "dev-home.tar.xz");
  if (shared.skip) {
    process.stderr.write(`${shared.skip}: no sessions are replayed\n`);
    return undefined;
  }
  const input = [statSync(shared.path).size, ...histories.map(headOf)].join(" ");
  return cache.of("sessions", input, () => playSessions(temp, histories));
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
