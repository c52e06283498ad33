/**
 * Checks the documentation: links and anchors, commands, JSON and YAML in code, names of files, and the wording.
 *
 *   node scripts/docs_check.ts            all checks
 *   node scripts/docs_check.ts src bench  only the wording of these files and folders
 */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { invalidCode } from "./docs/blocks.ts";
import { loadVerbs } from "./docs/commands.ts";
import { brokenLinks } from "./docs/links.ts";
import type { Page, Problem } from "./docs/markdown.ts";
import { missingInComments, missingPaths } from "./docs/paths.ts";
import { slipsIn } from "./docs/prose.ts";

/** Files and folders whose wording is checked. */
const PROSE_ROOTS: readonly string[] = [
  ...["docs", "README.md", "AGENTS.md", "CHANGELOG.md"],
  ...["src", "scripts", "bench", "test"],
];
const EXEMPT: readonly RegExp[] = [
  // Generated pages repeat the texts of `src`.
  /^docs\/reference\//,
  // Test data and the tests of this check contain slips on purpose.
  /^test\/(?:decisions\/|checkout\/docs_check\.test\.ts$)/,
  // dex installs this text into users' folders: a new wording alone would rewrite every installed copy.
  /^src\/integrations\/agents\/opencode\/plugin\.ts$/,
];
/** Pages that name files of this repository; those of the guide name files of invented projects. */
const NAMES_FILES = /^(?:AGENTS\.md|docs\/internals\/|training\/)/;
/** Folders with other people's pages, build output or samples. */
const FOREIGN = /^(?:node_modules|samples|dist|\.cache)\//;

const root = join(import.meta.dirname, "..");
const given = process.argv.slice(2);
const problems = given.length > 0 ? await checkProse(given) : await checkAll();
for (const { path, line, text } of problems) process.stderr.write(`${path}:${line}: ${text}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function checkAll(): Promise<Problem[]> {
  const verbs = await loadVerbs();
  const pages = globSync("**/*.md", { cwd: root, exclude: (path) => FOREIGN.test(`${path}/`) })
    .sort()
    .map(pageAt);
  return [
    ...brokenLinks(pages, (path) => textAt(path)),
    ...pages.flatMap((page) => invalidCode(page, verbs)),
    ...pages
      .filter(({ path }) => NAMES_FILES.test(path))
      .flatMap((page) => missingPaths(page, (path) => textAt(path) !== undefined)),
    ...["src", "scripts", "bench", "test", "wasm"]
      .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }).sort())
      .filter((path) => !isExempt(path))
      .flatMap((path) => missingInComments(pageAt(path), (named) => existsSync(join(root, named)))),
    ...(await checkProse(PROSE_ROOTS)),
  ];
}

async function checkProse(roots: readonly string[]): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const path of roots.flatMap(filesBelow)) if (!isExempt(path)) found.push(...(await slipsIn(pageAt(path))));
  return found;
}

function isExempt(path: string): boolean {
  return EXEMPT.some((pattern) => pattern.test(path));
}

function filesBelow(path: string): string[] {
  if (/\.(?:md|ts)$/.test(path)) return [path];
  return globSync(`${path.replace(/\/$/, "")}/**/*.{md,ts}`, { cwd: root }).sort();
}

function pageAt(path: string): Page {
  return { path, text: readFileSync(join(root, path), "utf8") };
}

/** The text of a file, empty for a folder, undefined if neither exists. */
function textAt(path: string): string | undefined {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return undefined;
  return stats.isFile() ? readFileSync(join(root, path), "utf8") : "";
}
