/** Decision records: files that each hold one decision, in a form that many projects share. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "../history/repository.ts";
import type { HistoryReader } from "../store/history.ts";
import { isAdrPath, parseAdr } from "./adr.ts";
import { type Decision, decisionId, mentionsIn, type Names } from "./decision.ts";

const MOST_RECORDS = 1000;
const LARGEST_RECORD = 512 << 10;
/** Usual places, for a folder that git does not know, or where listing the whole tree would take too long. */
const PLACES = ["docs/adr", "docs/decisions", "doc/adr", "doc/arch", "adr", "decisions", "docs/architecture/decisions"];

export function usualRecords(root: string): string[] {
  return PLACES.flatMap((place) => {
    const folder = join(root, place);
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return isFolder ? readdirSync(folder).map((name) => `${place}/${name}`) : [];
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
  for (const path of paths.filter(isAdrPath).sort().slice(0, MOST_RECORDS)) {
    const full = join(repository.root, path);
    const content = readSmall(full);
    const record = content === undefined ? undefined : parseAdr(content);
    if (!record) continue;
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
      time: record.date ?? history.lastTouch(path)?.time ?? changedAt(full),
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

function readSmall(path: string): string | undefined {
  try {
    return existsSync(path) && statSync(path).size <= LARGEST_RECORD ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
