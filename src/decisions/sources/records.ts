/** Reads decision records (ADR files, one decision each) of a repository. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../../history/repository.ts";
import { listNames } from "../../kernel/files/bounded_list.ts";
import { containedPath, readContainedText } from "../../kernel/files/bounded_read.ts";
import { redactLines } from "../../redact/lines.ts";
import { redactText } from "../../redact/redact.ts";
import type { HistoryReader } from "../../store/history.ts";
import { type Decision, decisionId, mentionsIn, type NameResolver } from "../decision.ts";
import { isAdrPath, parseAdr } from "./adr.ts";

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

export function recordsInUsualFolders(root: string): string[] {
  return USUAL_FOLDERS.flatMap((place) => {
    const folder = containedPath(root, place);
    return folder === undefined ? [] : listNames(folder, MAX_ENTRIES).names.map((name) => `${place}/${name}`);
  });
}

/** `names` resolves the files and symbols a record mentions; without it a record is only about itself. */
export function readDecisionRecords(
  repository: Repository,
  paths: readonly string[],
  history: HistoryReader,
  names?: NameResolver,
): Decision[] {
  const found: (Decision & { number: string | undefined; by: string | null })[] = [];
  for (const named of paths.filter(isAdrPath).sort().slice(0, MAX_RECORDS)) {
    const content = readContainedText(repository.root, named, MAX_RECORD_BYTES);
    const record = content === undefined ? undefined : parseAdr(redactLines(content).join("\n"));
    if (!record) continue;
    const path = redactText(named).text;
    const { files, symbols } = names ? mentionsIn(record.prose, names) : { files: [], symbols: [] };
    found.push({
      id: decisionId(`${path} ${record.title}`),
      origin: "adr",
      owner: path,
      place: `${path}:${record.line}`,
      text: record.text,
      because: record.because,
      alternatives: record.alternatives,
      files: [...new Set([path, ...files])],
      symbols,
      score: 10,
      time: record.date ?? history.lastTouch(path)?.time ?? changedAt(join(repository.root, named)),
      status: record.status,
      superseded_by: null,
      shown: true,
      number: /(?:^|\/)(?:adr[-_ ]?)?0*(\d{1,5})[-_. ]/i.exec(path)?.[1],
      by: record.superseded_by,
    });
  }
  const numbered = Map.groupBy(found, ({ number }) => number);
  const idOf = (number: string): string | null => {
    const [only, ...others] = numbered.get(number) ?? [];
    return only && others.length === 0 ? only.id : null;
  };
  return found.map(({ number: _, by, ...each }) => ({ ...each, superseded_by: by === null ? null : idOf(by) }));
}

export function changedAt(path: string): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
