/**
 * Runs a verb, the same way for every surface: syncs the indexes it needs, runs it, and appends a trace whether it
 * succeeds or fails.
 */
import { existsSync } from "node:fs";
import type * as z from "zod";
import type { Dex } from "../dex.ts";
import {
  DexError,
  errorMessage,
  SQLITE_CANTOPEN,
  SQLITE_FULL,
  SQLITE_IOERR,
  SQLITE_READONLY,
  sqliteCode,
  systemCode,
} from "../kernel/errors.ts";
import { diskError } from "../kernel/files/atomic_write.ts";
import { asString } from "../kernel/json.ts";
import { repositoryMeant } from "../search/filters/known_names.ts";
import { withTeam } from "../search/with_team.ts";
import { damageIn } from "../store/databases/damage.ts";
import { holdDatabases } from "../store/databases/open_databases.ts";
import { outdatedIndex } from "../store/databases/outdated_index.ts";
import { isCorruption } from "../store/engine/database.ts";
import { checkState } from "../store/state/health.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { RunTrace } from "./tracing.ts";

export interface RunOperationOptions extends OperationContext {
  /** False: answer from the index without syncing. */
  sync?: boolean;
  /** False: write no trace of this run. */
  traced?: boolean;
  /** @internal Called when the indexes are fresh, before the run. */
  ready?(): Promise<void>;
}

export interface RunResult<Out> {
  /** The answer, the same object that `--json` prints. */
  output: Out;
  /** Sentences for the user, for example that the index is behind and why. */
  notice: string | undefined;
  /** The operation needs conversations; the agents have some, but none of them is indexed. */
  unindexed: boolean;
}

export async function runOperation<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  options: RunOperationOptions = {},
): Promise<RunResult<z.output<Out>>> {
  const isTraced = operation.traced && options.traced !== false && dex.settings.traces.enabled;
  const trace = isTraced ? new RunTrace(dex, operation, input) : undefined;
  const notices: string[] = [];
  const context = { ...options, trace: trace?.add.bind(trace), notice: (text: string) => void notices.push(text) };
  const release = holdDatabases(dex.caches);
  try {
    notices.push(...(await finishInterrupted(dex, operation)));
    const wanted = await neededIndexes(dex, operation, input);
    await operation.prepare?.(dex, input);
    const stale = options.sync === false ? {} : await freshen(dex, wanted, trace, options);
    if (stale.documents !== undefined) notices.push(stale.documents);
    if (options.stale && wanted.conversations) {
      if (dex.indexState === "missing") notices.push("Nothing is indexed yet; run `dex sync`.");
      if (dex.indexState === "outdated" && !operation.readsArchive) throw outdatedIndex();
    }
    await options.ready?.();
    const run = () => runShared(dex, operation, input, context);
    const output = await againWithoutState(dex, operation, () =>
      againWithCopies(dex, asString(input.project), context, run),
    );
    const readsNothing = stale.conversations !== undefined && dex.indexState === "outdated" && !operation.readsArchive;
    // "0 conversations" would be wrong: there are some that this version cannot read yet.
    if (readsNothing && operation.isEmpty?.(output) === true) throw outdatedIndex();
    await trace?.write();
    // An answer from git, code or documents needs no agents' history.
    const isShown = !dex.noHistory || operation.aboutHistory === true || operation.isEmpty?.(output) === true;
    if (stale.conversations !== undefined && isShown) notices.unshift(stale.conversations);
    notices.push(...dex.takeNotices());
    return { output, notice: notices.length > 0 ? notices.join("\n") : undefined, unindexed: dex.unindexed };
  } catch (error) {
    const failure = isCorruption(error)
      ? damageIn(dex.paths, error)
      : (impossiblePath(error) ?? explainDiskError(error, dex.paths.home));
    await trace?.write(failure);
    throw failure;
  } finally {
    release();
  }
}

/** Errors of the disk or of file permissions, whichever file they concern. */
const DISK_ERRORS = new Set<string | number | undefined>([
  ...["EACCES", "EPERM", "EROFS", "EIO", "ENOSPC", "EDQUOT"],
  ...[SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN],
]);

/** Describes an error of the disk in a sentence; returns other errors unchanged. */
function explainDiskError(error: unknown, home: string): unknown {
  if (!DISK_ERRORS.has(sqliteCode(error) ?? systemCode(error))) return error;
  const { path } = error as { path?: unknown };
  return diskError(error, typeof path === "string" ? path : home);
}

/** A path that no system can have: the caller's mistake. */
function impossiblePath(error: unknown): DexError | undefined {
  const code = systemCode(error);
  const isTooLong = code === "ENAMETOOLONG";
  if (!isTooLong && !(code === "ERR_INVALID_ARG_VALUE" && /null bytes/.test(errorMessage(error)))) return undefined;
  const sentence = isTooLong ? "A path in this call is too long." : "A path in this call contains a null character.";
  return new DexError("bad_path", sentence, { hint: "Give the path of a file or a folder.", cause: error });
}

/** Finishes a `dex forget` that was killed, so that no command shows the conversations it was to remove. */
async function finishInterrupted(dex: Dex, { readOnly }: Operation): Promise<string[]> {
  if (!existsSync(dex.paths.forgetting)) return [];
  const { finishForgetting } = await import("../forgetting/forget.ts");
  try {
    await finishForgetting(dex);
    return [];
  } catch (error) {
    // Commands that only read also work in a read-only home.
    if (!readOnly) throw error;
    const why = errorMessage(explainDiskError(error, dex.paths.home));
    return [`dex could not finish an interrupted \`dex forget\`, so this may show what it was to remove: ${why}`];
  }
}

/** Runs what only reads once more without state.db when state.db turns out to be damaged. */
async function againWithoutState<T>(dex: Dex, { readOnly }: Operation, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const damaged = isCorruption(error) || (error instanceof DexError && error.code === "damaged_state");
    if (!damaged || !readOnly || checkState(dex.paths.state).state !== "damaged") throw error;
    dex.ignoreState();
    return run();
  }
}

/**
 * A repository that was moved or cloned again has its conversations under other folders. dex looks for them when none is
 * found, because that reads the repository's history.
 */
async function againWithCopies<T>(
  dex: Dex,
  asked: string | undefined,
  context: OperationContext,
  run: () => Promise<T> | T,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const project = error instanceof DexError && error.code === "unknown_project" ? asked : undefined;
    const repository = project === undefined ? undefined : repositoryMeant(dex, project);
    if (repository === undefined) throw error;
    const { hasCopies } = await import("../project/repository.ts");
    if (!(await hasCopies(dex, repository, context))) throw error;
    return run();
  }
}

/** Includes the conversations of the team if the verb supports it and the home has joined one. */
function runShared<In extends z.ZodObject, Out extends z.ZodType>(
  dex: Dex,
  operation: Operation<In, Out>,
  input: z.output<In>,
  context: OperationContext,
): Promise<z.output<Out>> | z.output<Out> {
  if (!operation.shared?.(input)) return operation.run(dex, input, context);
  return withTeam(dex, context, (joined, heard) => operation.run(joined, input, heard));
}

export interface IndexesToSync {
  conversations: boolean;
  documents: boolean;
}

/** The indexes that the answer is made from. */
export function indexesToSync(operation: Operation, input: Record<string, unknown>): IndexesToSync {
  const synced = operation.syncBeforeFor?.(input) ?? operation.syncBefore;
  return {
    conversations: synced === "conversations" || synced === "all",
    documents: synced === "documents" || synced === "all",
  };
}

/**
 * The indexes that the answer needs. An answer from documents alone neither syncs conversations nor reports missing
 * ones.
 */
async function neededIndexes(dex: Dex, operation: Operation, input: Record<string, unknown>): Promise<IndexesToSync> {
  const wanted = indexesToSync(operation, input);
  if (!wanted.conversations || !operation.documentsFirst?.(input)) return wanted;
  const { countDeclaredDocuments } = await import("../collections/library.ts");
  return { ...wanted, conversations: countDeclaredDocuments(await dex.library()) === 0 };
}

/**
 * For servers: syncs one index where that is quick. An agent cannot be asked, so a sync that takes long starts in the
 * background; a person decides. An error names the damaged file.
 */
export async function freshenIndex(
  dex: Dex,
  which: keyof IndexesToSync,
  { agent }: { agent: boolean },
): Promise<string | undefined> {
  try {
    if (which === "documents") return await dex.freshenDocuments();
    return await dex.freshen(agent ? { background: true } : { onlyQuick: true });
  } catch (error) {
    throw isCorruption(error) ? damageIn(dex.paths, error) : error;
  }
}

async function freshen(
  dex: Dex,
  wanted: IndexesToSync,
  trace: RunTrace | undefined,
  { askToSync, syncing, progress }: OperationContext,
): Promise<Partial<Record<keyof IndexesToSync, string | undefined>>> {
  const begin = performance.now();
  const conversations = wanted.conversations ? await dex.freshen({ ask: askToSync, progress: syncing }) : undefined;
  const documents = wanted.documents ? await dex.freshenDocuments({ progress }) : undefined;
  if (wanted.conversations || wanted.documents) {
    trace?.add({ stages: [{ name: "freshen", ms: performance.now() - begin }] });
  }
  return { conversations, documents };
}
