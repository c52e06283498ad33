/**
 * Facts before an edit or a command: what happened to the last changes of the file or the last runs of the command, only
 * if it went wrong or was decided against. Everything comes from tables that a refresh has filled.
 */
import { existsSync } from "node:fs";
import { commandName } from "../conversations/activity/shell/commands.ts";
import type { Decision } from "../decisions/decision.ts";
import { namesRejected, rejectsPackage } from "../decisions/force/brought_back.ts";
import { importedPackages, installedPackages } from "../decisions/force/packages.ts";
import type { Dex } from "../dex.ts";
import { historyPath } from "../history/place.ts";
import { insidePath, type Repository, repositoryOrFolder } from "../history/repository.ts";
import { MAX_RUN_AGE_MS, MAX_UNDONE_AGE_MS } from "../history/work/ages.ts";
import { realPath } from "../kernel/files/paths.ts";
import { contentId } from "../kernel/ids.ts";
import { plural } from "../kernel/text.ts";
import { openHistory } from "../store/engine/history.ts";
import type { HistoryReader } from "../store/history.ts";
import type { CommandRun, UndoneEdit } from "../store/history_records.ts";
import type { StateStore } from "../store/state/state.ts";
import { decisionFact, type Fact, type FactGroup } from "../suggest/facts.ts";
import { FINDING_KEYS, storedFindings } from "../suggest/view/stored_findings.ts";
import { clip } from "../text/clip.ts";

const DAY_MS = 86_400_000;
/**
 * The least failures in a row: of commands that failed once, half pass the next time; of those that failed twice, a
 * quarter.
 */
const MIN_FAILED_RUNS = 2;
const MAX_RUNS = 20;
const MAX_FACTS = 2;
const MAX_NAME_CHARS = 80;
const MAX_FILES = 5;

interface Place {
  dex: Dex;
  repository: Repository;
  history: HistoryReader;
  /** The agent's own id of the asking conversation, which knows its own runs. */
  session: string | undefined;
}

export function earlierRuns(dex: Dex, folder: string, session: string | undefined, command: string): FactGroup[] {
  const repository = repositoryOrFolder(folder);
  // The roots of a repository are real paths; the folder of an event may go through a link.
  const name = commandName(command, repository.roots, realPath(folder));
  if (name === undefined) return [];
  return withHistory(dex, repository, session, (place) => [
    { title: "Earlier runs", facts: failedRuns(place, name) },
    { title: "Decided against", facts: decidedAgainst(place, command, []) },
  ]);
}

export function earlierEdits(
  dex: Dex,
  folder: string,
  session: string | undefined,
  edit: { files: readonly string[]; text: string },
): FactGroup[] {
  const repository = repositoryOrFolder(folder);
  const files = edit.files.slice(0, MAX_FILES).flatMap((file) => insidePath(repository, file, folder) ?? []);
  if (files.length === 0) return [];
  return withHistory(dex, repository, session, (place) => [
    { title: "Taken back before", facts: files.flatMap((file) => undoneIn(place, file)).slice(0, MAX_FACTS) },
    { title: "Decided against", facts: edit.text === "" ? [] : decidedAgainst(place, edit.text, files) },
  ]);
}

function withHistory(
  dex: Dex,
  repository: Repository,
  session: string | undefined,
  look: (place: Place) => FactGroup[],
): FactGroup[] {
  const path = historyPath(dex.paths.history, repository);
  if (!existsSync(path)) return [];
  const history = openHistory(path);
  try {
    return look({ dex, repository, history, session }).filter(({ facts }) => facts.length > 0);
  } finally {
    history.close();
  }
}

/** The latest runs in other conversations, if several in a row failed. */
function failedRuns({ dex, history, session }: Place, name: string): Fact[] {
  const runs = history.runsOf(name, MAX_RUNS).filter((run) => !isOwn(run, session));
  const passed = runs.findIndex(({ failed }) => !failed);
  const failed = passed < 0 ? runs : runs.slice(0, passed);
  const [last] = failed;
  if (!last || failed.length < MIN_FAILED_RUNS || dex.now() - last.time > MAX_RUN_AGE_MS) return [];
  const said = failed.find(({ message }) => message !== null)?.message;
  const text = `The last ${failed.length} runs of \`${clip(name, MAX_NAME_CHARS)}\` failed${said === undefined ? "" : `: ${said}`}`;
  return [{ entityId: `run:${contentId(name)}`, text, source: last.place, time: last.time, content: last.place }];
}

function isOwn({ owner }: Pick<CommandRun, "owner">, session: string | undefined): boolean {
  return session !== undefined && owner.slice(owner.indexOf(":") + 1) === session.split("/")[0];
}

function undoneIn({ dex, history, session }: Place, file: string): Fact[] {
  return history
    .undoneOf(file, MAX_FACTS * 2)
    .filter((each) => dex.now() - each.time < MAX_UNDONE_AGE_MS && !isOwn(each, session))
    .slice(0, MAX_FACTS)
    .map((each) => ({
      entityId: `undone:${each.place}:${file}`,
      text: undoneText(each),
      source: each.kind === "reverted" ? each.place.slice(0, 12) : each.place,
      time: each.time,
      content: "",
    }));
}

function undoneText({ kind, path, text, after }: UndoneEdit): string {
  if (kind === "restored") return `An edit of ${path} was thrown away after the request: "${text}"`;
  if (kind === "opposite") return `A later conversation took an edit of ${path} back, after the request: "${text}"`;
  const days = after === null ? 0 : Math.round(after / DAY_MS);
  const when = days === 0 ? "on the same day" : `${plural(days, "day")} later`;
  return `A change of ${path} was reverted ${when}: "${text}"`;
}

/**
 * Decisions in force whose rejected alternative the command or the edit brings back: it installs or imports the package,
 * or names it. For a name in an edit the decision must be about one of the files, because a name alone may mean many
 * things in code.
 */
function decidedAgainst(place: Place, text: string, files: readonly string[]): Fact[] {
  const { dex, repository, history } = place;
  // Finding decisions takes longer than a hook may: without a list from a refresh it mentions none.
  if (history.getValue(FINDING_KEYS.decisions) === undefined) return [];
  const packages = files.length === 0 ? installedPackages(text) : importedPackages(text, files);
  const matching = (state: StateStore | undefined): Decision[] =>
    storedFindings({ repository, history }, state).decisions.filter(
      (decision) =>
        rejectsPackage(decision, packages) ||
        (decision.status === "accepted" &&
          (files.length === 0 || decision.files.some((file) => files.includes(file))) &&
          namesRejected(decision, text)),
    );
  // Only state.db has later verdicts of a person. It is opened only for a match, and most commands match no decision.
  const found = matching(undefined);
  const inForce = found.length > 0 && dex.hasState ? dex.withState(matching) : found;
  return inForce.slice(0, MAX_FACTS).map(decisionFact);
}
