/** Reads the decision records of a repository: files with one decision each (ADR), and files with a list of decisions. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../../history/repository.ts";
import { listNames } from "../../kernel/files/bounded_list.ts";
import { containedPath, readContainedText } from "../../kernel/files/bounded_read.ts";
import { redactLines } from "../../redact/lines.ts";
import { redactText } from "../../redact/redact.ts";
import type { HistoryReader } from "../../store/history.ts";
import { type Decision, decisionId, mentionsIn, type NameResolver } from "../decision.ts";
import { type AdrRecord, isAdrPath, parseAdr } from "./adr.ts";
import { isDecisionLogPath, parseDecisionLog } from "./log/decision_log.ts";

const MAX_RECORDS = 1000;
const MAX_RECORD_BYTES = 512 << 10;
/** Per folder. */
const MAX_ENTRIES = 10_000;
/** Usual folders, for a project without git, or if listing the whole tree would take too long. */
const USUAL_FOLDERS = [
  "docs/adr",
  "docs/decisions",
  "doc/adr",
  "doc/arch",
  "adr",
  "decisions",
  "docs/architecture/decisions",
];

/** Where a list of decisions is in such a project. */
const USUAL_FOLDERS_OF_LISTS = ["", "docs/", "doc/"];

export function recordsInUsualFolders(root: string): string[] {
  const namesIn = (place: string): string[] => {
    const folder = place === "" ? root : containedPath(root, place);
    return folder === undefined ? [] : listNames(folder, MAX_ENTRIES).names;
  };
  return [
    ...USUAL_FOLDERS.flatMap((place) => namesIn(place).map((name) => `${place}/${name}`)),
    ...USUAL_FOLDERS_OF_LISTS.flatMap((place) => namesIn(place).map((name) => place + name)).filter(isDecisionLogPath),
  ];
}

interface FoundRecord {
  decision: Decision;
  number: string | undefined;
  /** The number of the record that supersedes it. */
  by: string | null;
  /** Records in the same series share one numbering. */
  series: string;
}

/** `names` resolves the files and symbols a record mentions; without it a record is only about itself. */
export function readDecisionRecords(
  repository: Repository,
  paths: readonly string[],
  history: HistoryReader,
  names?: NameResolver,
): Decision[] {
  const found: FoundRecord[] = [];
  const records = paths.filter((path) => isAdrPath(path) || isDecisionLogPath(path));
  for (const named of records.sort().slice(0, MAX_RECORDS)) {
    const content = readContainedText(repository.root, named, MAX_RECORD_BYTES);
    if (content === undefined) continue;
    const path = redactText(named).text;
    const changed = (): number => touchedAt(repository, path, history, named);
    found.push(...recordsIn(path, named, redactLines(content).join("\n"), changed, names));
  }
  const numbered = Map.groupBy(found, ({ series, number }) => `${series} ${number}`);
  const idOf = (series: string, number: string): string | null => {
    const [only, ...others] = numbered.get(`${series} ${number}`) ?? [];
    return only && others.length === 0 ? only.decision.id : null;
  };
  return found.map(({ decision, by, series }) => ({
    ...decision,
    superseded_by: by === null ? null : idOf(series, by),
  }));
}

const NUMBER_IN_NAME = /(?:^|\/)(?:adr[-_ ]?)?0*(\d{1,5})[-_. ]/i;

/** `path`: its redacted name. */
function recordsIn(
  path: string,
  named: string,
  text: string,
  changed: () => number,
  names: NameResolver | undefined,
): FoundRecord[] {
  const record = isAdrPath(named) ? parseAdr(text) : undefined;
  if (record) {
    const decision = recorded(path, record, record.date ?? changed(), names);
    decision.files = [...new Set([path, ...decision.files])];
    return [{ decision, number: NUMBER_IN_NAME.exec(path)?.[1], by: record.superseded_by, series: "" }];
  }
  if (!isDecisionLogPath(named)) return [];
  const entries = parseDecisionLog(text).map((entry): FoundRecord => {
    // A list covers many subjects, so opening its file does not make each of its entries relevant.
    const decision = recorded(path, entry, entry.date ?? changed(), names);
    return { decision, number: entry.number ?? undefined, by: entry.superseded_by, series: path };
  });
  // Of an entry that the list repeats, only the first counts.
  const firsts = new Map(entries.reverse().map((each) => [each.decision.id, each]));
  return [...firsts.values()].reverse();
}

type RecordText = Pick<AdrRecord, "title" | "text" | "because" | "alternatives" | "prose" | "status" | "line">;

function recorded(path: string, record: RecordText, time: number, names: NameResolver | undefined): Decision {
  const { files, symbols } = names ? mentionsIn(record.prose, names) : { files: [], symbols: [] };
  return {
    id: decisionId(`${path} ${record.title || record.text}`),
    origin: "adr",
    owner: path,
    place: `${path}:${record.line}`,
    text: record.text,
    because: record.because,
    alternatives: record.alternatives,
    files,
    symbols,
    score: 10,
    time,
    status: record.status,
    superseded_by: null,
    shown: true,
  };
}

/**
 * When a file of the working tree last changed. In a shallow clone, one that no known commit touched is as old as the
 * oldest commits, whenever it was checked out.
 */
export function touchedAt(repository: Repository, path: string, history: HistoryReader, named = path): number {
  const known = history.lastTouch(path)?.time;
  if (known !== undefined) return known;
  const written = changedAt(join(repository.root, named));
  return Math.min(written, (repository.shallow.length > 0 ? history.boundaryTime() : undefined) ?? written);
}

function changedAt(path: string): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
