/** The last outcome of each test of a project, from imported reports and from test runs in conversations. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Dex } from "../dex.ts";
import { OUTCOMES_KIND, outcomeScan } from "../history/outcomes/conversations.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { type ParsedReport, parseOutcomes } from "../history/outcomes/text.ts";
import { historyPath } from "../history/place.ts";
import { projectKey } from "../history/repository.ts";
import { pendingScan, runScan } from "../history/scan.ts";
import { withHistoryWriter } from "../history/update.ts";
import { DexError } from "../kernel/errors.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { isBelow } from "../kernel/files/paths.ts";
import { formatBytes } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { RunContext } from "../run_context.ts";
import { openHistory } from "../store/engine/history.ts";
import type { SeenOutcome } from "../store/history.ts";
import { conversationLoader } from "./decisions.ts";
import { prepareFailingTests, relativeOutcome } from "./failing.ts";
import { type OpenRepository, withRepository } from "./repository.ts";

const MAX_REPORT_BYTES = 64 << 20;

export interface TestResult {
  name: string;
  file: string | null;
  status: SeenOutcome["status"];
  runner: string;
  message: string | null;
  /** The time of the outcome. */
  date: string;
  /** id#index of the run, or the imported file. */
  place: string;
}

/** Reads a test report and stores its results for the project. */
export function importReport(
  dex: Dex,
  { file, repository }: { file: string; repository?: string | undefined },
  context: RunContext,
): Promise<ParsedReport> {
  return withRepository(dex, repository, context, async (open) => {
    const path = resolve(dex.cwd, file);
    const parsed = await readReport(open.repository.root, path);
    const time = Math.floor(statSync(path).mtimeMs);
    const place = redactText(file).text;
    const seen = parsed.outcomes.map((each) => ({ ...relativeOutcome(open.repository, each), owner: "", place, time }));
    dex.withState((state) => state.tests.put(projectKey(open.repository), seen));
    await prepareFailingTests(dex, open);
    return parsed;
  });
}

/** The last outcome of each test, the latest first. */
export async function testsOf(dex: Dex, open: OpenRepository, context: RunContext): Promise<TestResult[]> {
  const imported = dex.hasState ? dex.withState((state) => state.tests.all(projectKey(open.repository))) : [];
  const seen = (await seenOutcomes(dex, open, context)).map((each) => relativeOutcome(open.repository, each));
  return latestOutcomes([...imported, ...seen])
    .sort((a, b) => b.time - a.time || (`${a.file} ${a.name}` < `${b.file} ${b.name}` ? -1 : 1))
    .map(({ name, file, status, runner, message, time, place }) => ({
      name: name ?? "",
      file,
      status,
      runner,
      message,
      date: new Date(time).toISOString(),
      place,
    }));
}

async function seenOutcomes(dex: Dex, open: OpenRepository, context: RunContext): Promise<SeenOutcome[]> {
  const { repository } = open;
  const rows = open.links.conversations;
  const { changed, gone } = pendingScan(open.history, OUTCOMES_KIND, rows);
  if (changed.length + gone.length === 0) return open.history.outcomes();
  const progress = (done: number, total: number): void => context.progress?.(done, total, "conversations");
  await withHistoryWriter(repository, dex.paths.history, (writer) =>
    runScan(writer, outcomeScan, rows, conversationLoader(dex), progress),
  );
  const reader = openHistory(historyPath(dex.paths.history, repository));
  try {
    await prepareFailingTests(dex, { repository, history: reader });
    return reader.outcomes();
  } finally {
    reader.close();
  }
}

async function readReport(root: string, path: string): Promise<ParsedReport> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new DexError("not_a_file", `${path} is not a file.`);
  const real = realpathSync(path);
  if (isBelow(root, path) && !isBelow(root, real)) {
    throw new DexError("outside", `${path} is a link to a file outside ${root}.`, {
      hint: "Give the path of the file itself to import its results.",
    });
  }
  if (stats.size > MAX_REPORT_BYTES) {
    throw new DexError(
      "too_large",
      `${path} has ${formatBytes(stats.size)}; at most ${formatBytes(MAX_REPORT_BYTES)} are read.`,
    );
  }
  const text = readRegularFile(real, MAX_REPORT_BYTES)
    ?.toString("utf8")
    .replace(/^\uFEFF/, "");
  if (text === undefined) throw new DexError("unreadable_file", `${path} cannot be read.`);
  const { isJunit, parseJunit } = await import("../history/outcomes/junit.ts");
  const parsed = isJunit(text) ? parseJunit(text) : parseOutcomes(redactText(text, "printed").text);
  if (parsed && parsed.outcomes.length > 0) return parsed;
  throw new DexError("unknown_report", `No test runner's results were recognised in ${path}.`, {
    hint: "JUnit XML, TAP, and the output of node:test, vitest, jest, pytest and go test are read.",
  });
}
