/** The histories to measure on: a named folder, the shared real ones, or invented ones. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { walkFiles } from "../../src/integrations/history/reading/files.ts";
import { findRoots } from "../../src/integrations/history/roots.ts";
import { discoverAll } from "../../src/sync/plan.ts";
import { writeClaudeHistory } from "../../test/support/histories/generate.ts";
import { sharedData } from "../../test/support/program/dex.ts";

export interface Corpus {
  home: string;
  /** A description for the reader of the figures. */
  name: string;
  /** Its files that dex reads. */
  files: string[];
  bytes: number;
}

const SEED = 20_260_301;

export async function openCorpus(home: string | undefined, temp: string, quick: boolean): Promise<Corpus> {
  if (home !== undefined) return listed(resolve(home), "a home folder given with --home");
  const shared = sharedData("data", "dev-home.tar.xz");
  if (!shared.skip) return listed(unpacked(shared.path), "real histories (dev-home)");
  const invented = join(temp, "invented");
  writeClaudeHistory(invented, SEED, { sessions: quick ? 60 : 200, turns: 100, output: 400 });
  return listed(invented, "invented histories, because the shared real ones are not next to this checkout");
}

/** Unpacked once, and renamed to its final path only when complete. */
function unpacked(archive: string): string {
  const cache = join(import.meta.dirname, "../../.cache");
  const place = join(cache, "dev-home");
  if (existsSync(place)) return place;
  const part = join(cache, `dev-home.${process.pid}`);
  mkdirSync(part, { recursive: true });
  try {
    const run = spawnSync("tar", ["xJf", archive, "-C", part], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(`${archive} cannot be unpacked: ${run.error?.message ?? run.stderr}`);
    // The tests unpack it to the same folder, and may have been faster.
    if (!existsSync(place)) renameSync(part, place);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return place;
}

async function listed(home: string, name: string): Promise<Corpus> {
  const env = { home, platform: process.platform, vars: {}, roots: findRoots(home) };
  const { containers } = await discoverAll(env, { excludeSources: [] });
  const files = [...new Set(containers.flatMap(({ path }) => filesOf(path)))];
  if (files.length === 0) throw new Error(`${home} holds no agents' history`);
  return { home, name, files, bytes: files.reduce((sum, path) => sum + statSync(path).size, 0) };
}

/** Some agents store a conversation in a folder of files. */
function filesOf(path: string): string[] {
  return statSync(path).isDirectory() ? walkFiles(path, 8, () => true) : [path];
}
