/**
 * A git history made from the releases of a package, a commit each, for benches that replay one: packages that publish
 * their sources as written change from release to release much as their repository did.
 *
 *   node bench/releases.ts <package> <folder> [most releases]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Packument {
  versions: Record<string, { dist: { tarball: string } }>;
  time: Record<string, string>;
}

const [name, folder, most = "150"] = process.argv.slice(2);
if (!name || !folder) throw new Error("usage: node bench/releases.ts <package> <folder> [most releases]");

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

for (const version of rising(Object.keys(packument.versions)).slice(-Number(most))) {
  const tarball = packument.versions[version]?.dist.tarball;
  if (!tarball) continue;
  const answer = await fetch(tarball);
  if (!answer.ok) continue;
  const temporary = mkdtempSync(join(tmpdir(), "release-"));
  const archive = join(temporary, "package.tgz");
  writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
  for (const entry of readdirSync(folder)) if (entry !== ".git") rmSync(join(folder, entry), { recursive: true });
  execFileSync("tar", ["-xzf", archive, "-C", folder, "--strip-components=1"]);
  rmSync(temporary, { recursive: true });
  git(["add", "--all", "--force"]);
  git(["commit", "--quiet", "--allow-empty", "-m", version], packument.time[version]);
}

/** Versions in order of time, without tests of the next one and without later repairs of an earlier line. */
function rising(versions: readonly string[]): string[] {
  const plain = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const byTime = plain.sort((a, b) => Date.parse(packument.time[a] ?? "") - Date.parse(packument.time[b] ?? ""));
  const kept: string[] = [];
  for (const version of byTime) if (higher(version, kept.at(-1) ?? "0.0.0")) kept.push(version);
  return kept;
}

function higher(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i += 1) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
