/** `dex doctor`: checks the agents, their connections and every file of dex, and repairs what it can. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { historyPath } from "../../history/place.ts";
import { findRepository } from "../../history/repository.ts";
import { manyLate, readOutcomes } from "../../integrations/hooks/outcome_counts.ts";
import { DexError, sqliteCode } from "../../kernel/errors.ts";
import { findOnPath } from "../../kernel/programs.ts";
import { listedCopies } from "../../project/copies.ts";
import { openHistory } from "../../store/engine/history.ts";
import { emptyIndex } from "../../store/engine/index.ts";
import { embeddingState, isEmbedding } from "../../sync/embedding/background.ts";
import { checkFreshness } from "../../sync/service.ts";
import { EXAMINED, examine, repair } from "../../upkeep/doctor.ts";
import { collectionStates } from "../../upkeep/documents.ts";
import type { Problem } from "../../upkeep/problem.ts";
import { sourcesState } from "../../upkeep/sources.ts";
import { VERSION } from "../../version.ts";
import { connectionState, connectionStates, hookStates } from "../agents/connections.ts";
import { copyOf, copyOutput } from "../history/fields.ts";
import { defineOperation } from "../operation.ts";

const REPAIRING = "Repairing";
const DOCUMENTATION = "Checking the documentation";
const AGENTS = "Checking the agents";

const collectionState = z.object({
  name: z.string(),
  origin: z.enum(["project", "global"]),
  source: z.string(),
  documents: z.number(),
  /** When its last sync ended; null when it was never synced. */
  synced: z.string().nullable(),
  /** Documents that the last sync could not fetch. */
  failed: z.number(),
  /** False: it points outside the project and `dex trust` was not run. */
  trusted: z.boolean(),
});

export const doctor = defineOperation({
  name: "dex_doctor",
  verb: "doctor",
  summary:
    "Check the history of each agent, its connection to dex, and the archive, the indexes and every other file of dex",
  positionals: [],
  input: z.strictObject({ fix: z.boolean().default(false).describe("Repair what can be repaired") }),
  output: z.object({
    version: z.string(),
    node: z.string(),
    home: z.string(),
    agents: z.array(
      z.object({
        source: z.string(),
        name: z.string(),
        found: z.boolean(),
        places: z.array(z.string()),
        files: z.number(),
        bytes: z.number(),
        conversations: z.number(),
        /** Folders and files of its history that dex has no permission to read. */
        unreadable: z.array(z.string()),
      }),
    ),
    /** History that is left out on purpose, and the setting that includes it. */
    left_out: z.array(z.object({ what: z.string(), setting: z.string() })),
    connections: z.array(connectionState),
    index: z.object({
      state: z.string(),
      conversations: z.number(),
      last_sync: z.string().nullable(),
      changed_files: z.number(),
      changed_bytes: z.number(),
      /** Messages and titles; `vectors` counts those with vectors, by model. */
      texts: z.number(),
      vectors: z.array(z.object({ model: z.string(), texts: z.number() })),
      /** Only for a provider that computes its vectors in the background; `running`: a process is doing so now. */
      embedding: z
        .object({ model: z.string(), embedded: z.number(), all: z.number(), running: z.boolean() })
        .optional(),
    }),
    /** The collections of documentation visible from here. */
    collections: z.array(collectionState),
    /** Folders that dex takes, or might take, for copies of the repository in the current folder. */
    copies: z.array(copyOutput),
    disk: z.object({ archive: z.number(), index: z.number() }),
    malformed: z.array(z.object({ source: z.string(), path: z.string(), malformed: z.number() })),
    problems: z.array(z.object({ code: z.string(), what: z.string(), path: z.string().nullable(), fix: z.string() })),
    fixed: z.array(z.string()),
    /** Data that a repair could not restore. */
    lost: z.array(z.string()),
    /** Files below DEX_HOME that are not dex's; they are left alone. */
    unknown_files: z.array(z.string()),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  run: async (dex, input, context) => {
    const parts = [...EXAMINED, ...(input.fix ? [REPAIRING, ...EXAMINED] : []), DOCUMENTATION, AGENTS];
    let done = 0;
    const next = async (part: string): Promise<void> => {
      context.progress?.(done, parts.length, part);
      done += 1;
      // The examination itself never waits, and the progress would arrive with the answer.
      await setImmediate();
    };
    const before = await examine(dex, next);
    if (input.fix) await next(REPAIRING);
    const { fixed, lost } = input.fix ? await repair(dex, before) : { fixed: [], lost: [] };
    const after = input.fix ? await examine(dex, next) : before;
    await next(DOCUMENTATION);
    const { collections, problems: collectionProblems } = await collectionStates(dex);
    await next(AGENTS);
    const damaged = after.databases.some(({ name, check }) => name === "index" && check.state === "damaged");
    const { problems: agentProblems, ...state } = await report(dex, damaged);
    const problems = [
      ...after.problems,
      ...agentProblems,
      ...collectionProblems.filter((each) => !isKnown(each, after.problems)),
    ];
    return { ...state, collections, problems, fixed, lost, unknown_files: after.unknown };
  },
});

/** True when the problem is a consequence of a reported one: a damaged or missing documents.db. */
function isKnown({ path, code }: Problem, known: readonly Problem[]): boolean {
  return known.some(
    (each) => each.path === path || (code === "never_synced" && /^documents_(missing|outdated)$/.test(each.code)),
  );
}

async function report(dex: Dex, damaged: boolean) {
  const store = damaged ? emptyIndex() : dex.store;
  const { conversations } = store.totals();
  const coverage = store.vectorCoverage();
  const embedding = embeddingState(dex.settings, store);
  const lastSync = store.getValue("last_sync");
  const freshness = await checkFreshness(dex.syncContext, store);
  const { agents, left_out, problems } = await sourcesState(dex, store);
  const connections = await connectionStates(dex);
  return {
    version: VERSION,
    node: process.version,
    home: dex.paths.home,
    agents,
    left_out,
    connections,
    index: {
      state: damaged ? "damaged" : dex.indexState,
      conversations,
      last_sync: lastSync === undefined ? null : new Date(Number(lastSync)).toISOString(),
      changed_files: freshness.changed,
      changed_bytes: freshness.bytes,
      texts: coverage.all,
      vectors: coverage.models.map(({ model, covered }) => ({ model: model.name, texts: covered })),
      ...(embedding ? { embedding: { ...embedding, running: isEmbedding(dex.paths) } } : {}),
    },
    copies: copiesHere(dex),
    disk: { archive: folderBytes(dex.paths.archive), index: fileBytes(dex.paths.index) },
    malformed: store.malformed(),
    problems: [
      ...problems,
      ...missingGit(dex),
      ...connectionProblems(connections),
      ...lateHooks(dex),
      ...(await outdatedHooks(dex)),
    ],
  };
}

/** The copies as the last command found them. (A damaged history is reported as a problem.) */
function copiesHere(dex: Dex): z.output<typeof copyOutput>[] {
  const repository = findRepository(dex.cwd);
  if (!repository) return [];
  try {
    const history = openHistory(historyPath(dex.paths.history, repository));
    try {
      return listedCopies(dex, repository, history).map(copyOf);
    } finally {
      history.close();
    }
  } catch (error) {
    if (!(error instanceof DexError) && sqliteCode(error) === undefined) throw error;
    return [];
  }
}

/** Reports a missing git as a problem with a remedy: everything else works without it. */
function missingGit({ vars }: Dex): Problem[] {
  const names = process.platform === "win32" ? ["git.exe", "git"] : ["git"];
  if (findOnPath(names, vars) !== undefined) return [];
  return [
    {
      code: "no_git",
      what: "The git program was not found: without it, dex reads no history of a repository (`dex blame`, commits in `dex history`, files that changed together) and fetches no documentation from git. Install git, or add it to the PATH.",
      path: null,
      fix: "git --version",
    },
  ];
}

const LATENESS_DAYS = 7;
/** Hooks that miss their budget answer nothing, and no agent shows that. */
function lateHooks(dex: Dex): Problem[] {
  const outcomes = readOutcomes(dex.paths.hookCounts, LATENESS_DAYS, dex.now());
  const many = manyLate(outcomes);
  if (!many) return [];
  return [
    {
      code: "hooks_late",
      what: `${many.late} of ${many.all} hooks in the last ${LATENESS_DAYS} days missed their budget (hooks.budgetMs: ${dex.settings.hooks.budgetMs} ms) and answered nothing. If a refresh does not help, raise the budget.`,
      path: dex.paths.hooksLog,
      fix: "dex refresh",
    },
  ];
}

/** Hooks that an earlier version of dex set up do not get the events that this version answers, too. */
async function outdatedHooks(dex: Dex): Promise<Problem[]> {
  return (await hookStates(dex)).flatMap(({ agent, name, scope, file, state, missing }): Problem[] => {
    if (state !== "outdated") return [];
    const without = missing === undefined ? "" : `, without ${missing.join(", ")}`;
    return [
      {
        code: "hooks_outdated",
        what: `The hooks of ${name} were set up by an earlier version of dex${without}.`,
        path: file,
        fix: `dex install ${agent} --hooks${scope === "project" ? " --project" : ""}`,
      },
    ];
  });
}

function connectionProblems(connections: z.output<typeof connectionState>[]): Problem[] {
  return connections.flatMap(({ agent, name, state, file, note, scope }): Problem[] => {
    if (state === "broken") {
      const what = `${name} is connected, but cannot start dex: ${note ?? file}.`;
      return [
        {
          code: "connection_broken",
          what,
          path: file,
          fix: `dex install ${agent}${scope === "project" ? " --project" : ""}`,
        },
      ];
    }
    if (state !== "unreadable") return [];
    return [
      {
        code: "agent_settings_unreadable",
        what: note ?? `${file} cannot be read.`,
        path: file,
        fix: `dex install ${agent} --dry-run`,
      },
    ];
  });
}

function folderBytes(folder: string): number {
  try {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return paths.reduce((sum, path) => sum + fileBytes(join(folder, path)), 0);
  } catch {
    return 0;
  }
}

function fileBytes(path: string): number {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0;
  } catch {
    return 0;
  }
}
