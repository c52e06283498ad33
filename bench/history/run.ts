/**
 * Measures the cost of the history of a large repository: one of 5,000 files and 20,000 commits is made with
 * fast-import, read, read again unchanged, and queried. git alone is the baseline.
 *
 *   node bench/history/run.ts [commits] [files]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coChanges } from "../../src/history/cochange/cochange.ts";
import { historyPath } from "../../src/history/place.ts";
import { repositoryOrFolder } from "../../src/history/repository.ts";
import { updateHistory } from "../../src/history/update.ts";
import { openHistory } from "../../src/store/engine/history.ts";
import { between, seeded } from "../../test/support/random.ts";

const commits = Number(process.argv[2] ?? 20_000);
const files = Number(process.argv[3] ?? 5000);
const folder = mkdtempSync(join(tmpdir(), "dex-history-"));
const root = join(folder, "repository");

function stream(): string {
  const random = seeded(1);
  const pieces: string[] = [];
  for (let i = 0; i < commits; i += 1) {
    const message = `commit ${i}\n\nBecause of ${i}.\n`;
    pieces.push(
      `commit refs/heads/main\ncommitter A <a@b> ${1_600_000_000 + i * 600} +0000\ndata ${message.length}\n${message}`,
    );
    const around = between(random, 0, files - 20);
    for (let k = between(random, 1, 6); k >= 0; k -= 1) {
      const file = i < files / 10 ? i * 10 + k : around + between(random, 0, 19);
      const content = `${i} ${k}\n`;
      pieces.push(`M 100644 inline src/d${file % 97}/f${file}.ts\ndata ${content.length}\n${content}`);
    }
    pieces.push("");
  }
  return pieces.join("\n");
}

async function timed<T>(work: () => T | Promise<T>): Promise<[T, number]> {
  const begin = performance.now();
  const result = await work();
  return [result, performance.now() - begin];
}

const quantile = (times: number[], q: number): number => times.sort((a, b) => a - b)[Math.floor(times.length * q)] ?? 0;
const line = (what: string, value: string): void => void process.stdout.write(`| ${what} | ${value} |\n`);

try {
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", root]);
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { input: stream(), stdio: ["pipe", "ignore", "ignore"] });
  execFileSync("git", ["-C", root, "reset", "--quiet", "--hard"]);
  const project = repositoryOrFolder(root);
  const git = (...args: string[]): void => void execFileSync("git", ["-C", root, ...args], { maxBuffer: 1 << 30 });
  const [, bare] = await timed(() => git("log", "-z", "--numstat", "-M", "-l400", "--format=%H%x00%B"));
  const [state, full] = await timed(() => updateHistory(project, folder));
  const [, status] = await timed(() => git("status", "--porcelain"));
  const [, again] = await timed(() => updateHistory(repositoryOrFolder(root), folder));
  const history = openHistory(historyPath(folder, project));
  const times: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    const path = `src/d${(i * 7) % 97}/f${i * 7}.ts`;
    const [, ms] = await timed(() => [history.commitsOf(path, 50), coChanges(history, path, 10)]);
    times.push(ms);
  }
  history.close();
  process.stdout.write(`\n${state.commits} commits, ${files} files\n\n| what | |\n|---|---|\n`);
  line("git log --numstat alone", `${(bare / 1000).toFixed(1)} s`);
  line("read at first", `${(full / 1000).toFixed(1)} s, ${(full / bare).toFixed(2)} times git alone`);
  line("read again, nothing new", `${again.toFixed(1)} ms, ${(again / status).toFixed(2)} times git status`);
  line(
    "a file's commits and partners, warm",
    `median ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`,
  );
  line("memory", `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
