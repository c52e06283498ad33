/** The tests of a project as they ended last: imported results, and what conversations' own runs printed. */
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import type { Dex } from "../dex.ts";
import { OUTCOMES_KIND, outcomeScan } from "../history/outcomes/conversations.ts";
import { latestOutcomes } from "../history/outcomes/latest.ts";
import { type Parsed, parseOutcomes } from "../history/outcomes/text.ts";
import { historyPath } from "../history/place.ts";
import { insidePath } from "../history/repository.ts";
import { pendingScan, runScan } from "../history/scan.ts";
import { withHistoryWriter } from "../history/update.ts";
import { readRegularFile } from "../kernel/bounded_read.ts";
import { DexError } from "../kernel/errors.ts";
import { isBelow } from "../kernel/paths.ts";
import { formatBytes } from "../kernel/text.ts";
import { redactText } from "../redact/redact.ts";
import type { SeenOutcome } from "../store/history.ts";
import { openHistory } from "../store/sqlite/history.ts";
import { loader, notesKey, withState } from "./decision_sources.ts";
import { limitField } from "./fields.ts";
import { defineOperation, type RunContext } from "./operation.ts";
import { type OpenRepository, repositoryField, withRepository } from "./repository.ts";

const MAX_REPORT_BYTES = 64 << 20;
const STATUSES = ["failed", "passed", "skipped"] as const;

export const testOutput = z.object({
  name: z.string(),
  file: z.string().nullable(),
  status: z.enum(STATUSES),
  runner: z.string(),
  message: z.string().nullable(),
  /** When it ended so. */
  date: z.string(),
  /** id#index of the run, or the file that was imported. */
  place: z.string(),
});

export const testsImport = defineOperation({
  name: "dex_tests_import",
  verb: "tests import",
  summary: "Import test results: JUnit XML, TAP, or what node:test, vitest, jest, pytest or go test printed",
  positionals: ["file"],
  input: z.strictObject({ file: z.string().max(4096).describe("The report"), repository: repositoryField }),
  output: z.object({
    runner: z.string(),
    tests: z.number(),
    failed: z.number(),
    passed: z.number(),
    skipped: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: (dex, input, context) =>
    withRepository(dex, input.repository, context, async (open) => {
      const path = resolve(dex.cwd, input.file);
      const { runner, outcomes } = await readReport(open.repository.root, path);
      const time = Math.floor(statSync(path).mtimeMs);
      const place = redactText(input.file).text;
      const seen = outcomes.map((each) => ({ ...relativeFile(open, each), owner: "", place, time }));
      withState(dex, (state) => state.tests.put(notesKey(open), seen));
      const count = (status: string): number =>
        outcomes.filter((each) => each.name !== null && each.status === status).length;
      const counts = { failed: count("failed"), passed: count("passed"), skipped: count("skipped") };
      return { runner, tests: outcomes.filter(({ name }) => name !== null).length, ...counts };
    }),
});

export const testsList = defineOperation({
  name: "dex_tests_list",
  verb: "tests list",
  summary:
    "How tests ended last, from imported results and the conversations' own runs; failing ones when not asked otherwise",
  positionals: [],
  input: z.strictObject({
    status: z.enum(STATUSES).default("failed").describe("Only tests with this result"),
    file: z.string().max(4096).optional().describe("Part of the test file's path, or of the test's name"),
    repository: repositoryField,
    limit: limitField(50),
  }),
  output: z.object({ tests: z.array(testOutput), total: z.number() }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  run: (dex, input, context) =>
    withRepository(dex, input.repository, context, async (open) => {
      const all = await testsOf(dex, open, context);
      const wanted = all.filter(
        ({ status, file, name }) =>
          status === input.status && (input.file === undefined || `${file ?? ""} ${name}`.includes(input.file)),
      );
      return { tests: wanted.slice(0, input.limit), total: wanted.length };
    }),
  isEmpty: (output) => output.tests.length === 0,
});

/** Each test once, as it ended last; the latest first. */
export async function testsOf(
  dex: Dex,
  open: OpenRepository,
  context: RunContext,
): Promise<z.output<typeof testOutput>[]> {
  const imported = dex.hasState ? withState(dex, (state) => state.tests.all(notesKey(open))) : [];
  const seen = (await seenOutcomes(dex, open, context)).map((each) => relativeFile(open, each));
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
    runScan(writer, outcomeScan, rows, loader(dex), progress),
  );
  const reader = openHistory(historyPath(dex.paths.history, repository));
  try {
    return reader.outcomes();
  } finally {
    reader.close();
  }
}

async function readReport(root: string, path: string): Promise<Parsed> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new DexError("not_a_file", `${path} is not a file.`);
  const real = realpathSync(path);
  if (isBelow(root, path) && !isBelow(root, real)) {
    throw new DexError("outside", `${path} is a link to a file outside of ${root}.`, {
      hint: "Name the file itself if you want its results.",
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

/** The same test has the same file, wherever it ran. */
function relativeFile<T extends { file: string | null }>(open: OpenRepository, each: T): T {
  if (each.file === null || !each.file.startsWith("/")) return each;
  return { ...each, file: insidePath(open.repository, each.file, open.repository.root) ?? each.file };
}
