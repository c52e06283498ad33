/** Decision records: files that each hold one decision, in a form that many projects share. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../history/repository.ts";
import { listNames } from "../kernel/files/bounded_list.ts";
import { containedPath, readContainedText } from "../kernel/files/bounded_read.ts";
import { redactLines } from "../redact/lines.ts";
import { redactText } from "../redact/redact.ts";
import type { HistoryReader } from "../store/history.ts";
import { isAdrPath, parseAdr } from "./adr.ts";
import { type Decision, decisionId, mentionsIn, type Names } from "./decision.ts";

const MAX_RECORDS = 1000;
const MAX_RECORD_BYTES = 512 << 10;
/** Of one of the usual places. */
const MAX_ENTRIES = 10_000;
/** Usual places, for a folder that git does not know, or where listing the whole tree would take too long. */
const PLACES = ["docs/adr", "docs/decisions", "doc/adr", "doc/arch", "adr", "decisions", "docs/architecture/decisions"];

export function usualRecords(root: string): string[] {
  return PLACES.flatMap((place) => {
    const folder = containedPath(root, place);
    return folder === undefined ? [] : listNames(folder, MAX_ENTRIES).names.map((name) => `${place}/${name}`);
  });
}

/** `names`: what tells files and symbols that a record speaks of; without it a record is about itself alone. */
export function readRecords(
  repository: Repository,
  paths: readonly string[],
  history: HistoryReader,
  names?: Names,
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
  const byNumber = new Map(found.map(({ number, id }) => [number, id]));
  return found.map(({ number: _, by, ...each }) => ({
    ...each,
    superseded_by: by ? (byNumber.get(by) ?? null) : null,
  }));
}

export function changedAt(path: string): number {
  return Math.floor(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
