/** The state of each test of a project, from imported reports and from test runs in conversations. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Dex } from "../../dex.ts";
import { OUTCOMES_KIND, outcomeScan } from "../../history/outcomes/conversations.ts";
import { testsToday } from "../../history/outcomes/failing.ts";
import { latestStates, type TestState } from "../../history/outcomes/latest.ts";
import { type ParsedReport, parseOutcomes } from "../../history/outcomes/text.ts";
import { historyPath } from "../../history/place.ts";
import { insidePath, projectKey } from "../../history/repository.ts";
import { pendingScan, runScan } from "../../history/scan.ts";
import { withHistoryWriter } from "../../history/update.ts";
import { DexError } from "../../kernel/errors.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { formatBytes } from "../../kernel/text.ts";
import { redactText } from "../../redact/redact.ts";
import type { RunContext } from "../../run_context.ts";
import type { CodeReader } from "../../store/code.ts";
import { openHistory } from "../../store/engine/history.ts";
import type { SeenEdit, SeenOutcome } from "../../store/history_records.ts";
import { conversationLoader } from "../loading.ts";
import { type OpenRepository, withRepository } from "../repository.ts";
import { treeToday } from "./tree_today.ts";

const MAX_REPORT_BYTES = 64 << 20;

export interface TestResult {
  name: string;
  file: string | null;
  status: TestState["status"];
  runner: string;
  message: string | null;
  /** Why the state of a test that failed is unknown now. */
  why?: string;
  /** The time of the outcome. */
  date: string;
  /** id#index of the run, or the imported file. */
  place: string;
}

/** Reads a test report and stores its results for the project. */
export function importReport(
  dex: Dex,
  { file, project }: { file: string; project?: string | undefined },
  context: RunContext,
): Promise<ParsedReport> {
  return withRepository(dex, project, context, async (open) => {
    const path = resolve(dex.cwd, file);
    const parsed = await readReport(open.repository.root, path);
    const time = Math.floor(statSync(path).mtimeMs);
    const place = redactText(file).text;
    const seen = parsed.outcomes.map((each) => ({ ...relativeFile(open, each), owner: "", place, time }));
    dex.withState((state) => state.tests.put(projectKey(open.repository), seen));
    return parsed;
  });
}

/** The state of each test, the latest first. A failure counts only while nothing that the test covers has changed. */
export async function testsOf(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<TestResult[]> {
  return (await statesOf(dex, open, graph, context)).map(
    ({ name, file, status, runner, message, time, place, why }) => ({
      name,
      file,
      status,
      runner,
      message,
      date: new Date(time).toISOString(),
      place,
      ...(why === null ? {} : { why }),
    }),
  );
}

/** The tests that fail today, the latest failure first. Slow: it reads files and asks git. */
export async function failingTestsOf(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<SeenOutcome[]> {
  const states = await statesOf(dex, open, graph, context);
  return states.flatMap(({ why: _, status, ...test }) => (status === "failed" ? [{ ...test, status }] : []));
}

async function statesOf(
  dex: Dex,
  open: OpenRepository,
  graph: CodeReader | undefined,
  context: RunContext,
): Promise<TestState[]> {
  const imported = dex.hasState ? dex.withState((state) => state.tests.all(projectKey(open.repository))) : [];
  const { outcomes, edits } = await seenOutcomes(dex, open, context);
  const all = [...imported, ...outcomes].map((each) => relativeFile(open, each));
  const states = latestStates(all);
  const failed = states.filter(({ status }) => status === "failed");
  return testsToday(states, await treeToday(open, graph, failed, edits));
}

async function seenOutcomes(
  dex: Dex,
  open: OpenRepository,
  context: RunContext,
): Promise<{ outcomes: SeenOutcome[]; edits: SeenEdit[] }> {
  const { repository } = open;
  const rows = open.links.conversations;
  const { changed, gone } = pendingScan(open.history, OUTCOMES_KIND, rows);
  if (changed.length + gone.length === 0) return { outcomes: open.history.outcomes(), edits: open.history.edits() };
  const progress = (done: number, total: number): void => context.progress?.(done, total, "test runs in conversations");
  await withHistoryWriter(repository, dex.paths.history, (writer) =>
    runScan(writer, outcomeScan, rows, conversationLoader(dex), progress),
  );
  const reader = openHistory(historyPath(dex.paths.history, repository));
  try {
    return { outcomes: reader.outcomes(), edits: reader.edits() };
  } finally {
    reader.close();
  }
}

async function readReport(root: string, path: string): Promise<ParsedReport> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) {
    throw new DexError("not_a_file", stats ? `${path} is not a file.` : `${path} does not exist.`, {
      hint: "Name a report: JUnit XML, TAP, or the output of a test runner.",
    });
  }
  const real = realpathSync(path);
  if (isBelow(root, path) && !isBelow(root, real)) {
    throw new DexError("outside", `${path} is a link to a file outside ${root}.`, {
      hint: "Give the path of the file itself to import its results.",
    });
  }
  if (stats.size > MAX_REPORT_BYTES) {
    throw new DexError(
      "too_large",
      `${path} has ${formatBytes(stats.size)}; dex reads at most ${formatBytes(MAX_REPORT_BYTES)}.`,
      { hint: "Import the reports of the test suites one by one." },
    );
  }
  const text = readRegularFile(real, MAX_REPORT_BYTES)
    ?.toString("utf8")
    .replace(/^\uFEFF/, "");
  if (text === undefined) {
    throw new DexError("unreadable_file", `${path} cannot be read.`, { hint: "Check its permissions." });
  }
  const { isJunit, parseJunit } = await import("../../history/outcomes/junit.ts");
  const parsed = isJunit(text) ? parseJunit(text) : parseOutcomes(redactText(text, "printed").text);
  if (parsed && parsed.outcomes.length > 0) return parsed;
  throw new DexError("unknown_report", `dex found no test results in ${path}.`, {
    hint: "dex reads JUnit XML, TAP, and the output of the usual test runners; docs/guide/history.md lists them.",
  });
}

/** Makes paths relative to the root: the same test has the same file in every worktree. */
function relativeFile<T extends { file: string | null }>(open: OpenRepository, each: T): T {
  if (each.file === null || !each.file.startsWith("/")) return each;
  return { ...each, file: insidePath(open.repository, each.file, open.repository.root) ?? each.file };
}
