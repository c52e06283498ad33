/**
 * Makes a git history from the releases of a package, one commit each, for benches that replay one: packages that
 * publish their sources as written change from release to release much as their repository did.
 *
 * Releases are ordered by version, a day apart: the times in a registry may be those of its own copies. Built and
 * fetched files are left out.
 *
 *   node bench/history/releases.ts <package> <folder> [most releases] [tag of the pre-releases to take instead, such as
 *   alpha]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Packument {
  versions: Record<string, { dist: { tarball: string } }>;
}

const [name, folder, most = "150", tag] = process.argv.slice(2);
if (!name || !folder) throw new Error("usage: node bench/history/releases.ts <package> <folder> [most releases] [tag]");

const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim().replace(/\/$/, "");
const packument = (await (await fetch(`${registry}/${name.replace("/", "%2f")}`)).json()) as Packument;

mkdirSync(folder, { recursive: true });
const git = (args: string[], date?: string): void => {
  const who = { GIT_AUTHOR_NAME: "r", GIT_AUTHOR_EMAIL: "r@r", GIT_COMMITTER_NAME: "r", GIT_COMMITTER_EMAIL: "r@r" };
  const when = date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const env = { ...process.env, ...who, ...when, GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", ["-C", folder, ...args], { env, stdio: "ignore" });
};
git(["init", "--quiet"]);

const BUILT = /^(?:dist|build|node_modules)$/;
const FIRST = 1_600_000_000;
const DAY = 86_400;

for (const [at, version] of rising(Object.keys(packument.versions)).slice(-Number(most)).entries()) {
  const tarball = packument.versions[version]?.dist.tarball;
  if (!tarball) continue;
  const answer = await fetch(tarball);
  if (!answer.ok) continue;
  const temporary = mkdtempSync(join(tmpdir(), "release-"));
  const archive = join(temporary, "package.tgz");
  writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
  for (const entry of readdirSync(folder)) if (entry !== ".git") rmSync(join(folder, entry), { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", folder, "--strip-components=1", "--no-same-owner"]);
  execFileSync("chmod", ["-R", "u+rwX", folder]);
  rmSync(temporary, { recursive: true });
  for (const entry of readdirSync(folder)) if (BUILT.test(entry)) rmSync(join(folder, entry), { recursive: true });
  git(["add", "--all", "--force"]);
  git(["commit", "--quiet", "--allow-empty", "-m", version], `${FIRST + at * DAY} +0000`);
}

/** Versions in order, of the plain ones or of one kind of pre-release. */
function rising(versions: readonly string[]): string[] {
  const found = versions.flatMap((version) => {
    const [, major, minor, patch, kind, number] = /^(\d+)\.(\d+)\.(\d+)(?:-(\w+)\.?(\d+)?)?$/.exec(version) ?? [];
    if (major === undefined || kind !== tag) return [];
    return [{ version, order: [major, minor, patch, number ?? "0"].map(Number) }];
  });
  const higher = (a: readonly number[], b: readonly number[]): number => {
    for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
    return 0;
  };
  return found.sort((a, b) => higher(a.order, b.order)).map(({ version }) => version);
}
