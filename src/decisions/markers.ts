/** Decisions written into the code where they hold: `NOTE(decision): …`, `DECISION: …`, and `do not … because …`. */
import { git } from "../history/git.ts";
import { grepLines } from "../history/grep.ts";
import type { Repository } from "../history/repository.ts";
import { containedPath } from "../kernel/files/bounded_read.ts";
import { redactText } from "../redact/redact.ts";
import { reasonOf } from "./cues.ts";

export interface Marker {
  file: string;
  line: number;
  text: string;
  because: string | null;
}

const MOST_OUTPUT = 4 << 20;
const MOST_MARKERS = 2000;
const LONGEST = 400;
const LONGEST_SAID = 200;

/** For git, which looks through the files; `MARK` then tells exactly. */
const PATTERN =
  "(NOTE|TODO|HACK)\\(decision\\)|@decision|DECISION:|([Ii]ntentionally|[Dd]eliberately|[Dd]o not|[Dd]on't) .* (because|so that|since) ";
const COMMENT = /^\s*(?:\/\/+|#+|--|;+|\*+|\/\*+|<!--|"""|%)\s?(.*)$|\s(?:\/\/|#|--)\s(.*)$/;
const NAMED = /^(?:(?:NOTE|TODO|HACK)\(decision\)|@decision|DECISION)\s*:?\s*(.+)$/;
const SAID = /^(?:.*\b)?(?:(?:intentionally|deliberately)\b.*|(?:do not|don't)\b .+) (?:because|so that|since) .+$/i;

export async function findMarkers(repository: Repository): Promise<Marker[]> {
  if (!repository.git) return [];
  const args = ["grep", "-n", "-z", "-I", "-E", "--no-color", "--untracked", "-e", PATTERN];
  const { text } = await git(repository.root, args, { fine: [1], maxBytes: MOST_OUTPUT });
  const found: Marker[] = [];
  const inside = new Map<string, boolean>();
  for (const { file, line, content } of grepLines(text)) {
    if (found.length >= MOST_MARKERS) break;
    if (/\.(?:md|markdown|txt|rst|adoc|json|lock|svg|html?)$/i.test(file)) continue;
    const marker = markerOf(redactText(content, "printed").text);
    if (!marker) continue;
    // Git reads through a linked folder, also one that leads out of the repository.
    if (!inside.has(file)) inside.set(file, containedPath(repository.root, file) !== undefined);
    if (inside.get(file)) found.push({ file: redactText(file).text, line, ...marker });
  }
  return found;
}

export function markerOf(line: string): { text: string; because: string | null } | undefined {
  if (line.length > 2000) return undefined;
  const match = COMMENT.exec(line);
  if (match?.[2] !== undefined && isQuoted(line.slice(0, match.index))) return undefined;
  const comment = (match?.[1] ?? match?.[2] ?? "").replace(/\s*(?:\*\/|-->)\s*$/, "").trim();
  const named = NAMED.exec(comment)?.[1];
  if (named) return { text: named.slice(0, LONGEST), because: reasonOf(named) };
  // A paragraph on one line explains; a decision is short.
  if (comment.length > LONGEST_SAID) return undefined;
  // What stands between backticks is spoken of, not said.
  if (!SAID.test(comment.replace(/`[^`]*`/g, "")) || /\?$/.test(comment)) return undefined;
  return { text: comment.slice(0, LONGEST), because: reasonOf(comment) };
}

/** A quotation mark that is still open: what follows is a text of the program. */
function isQuoted(before: string): boolean {
  return ['"', "'", "`"].some((mark) => before.split(mark).length % 2 === 0);
}
