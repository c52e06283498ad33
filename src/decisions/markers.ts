/** Finds decisions in code comments: `NOTE(decision): …`, `DECISION: …`, and `do not … because …`. */
import { git } from "../history/git.ts";
import { grepLines } from "../history/grep.ts";
import type { Repository } from "../history/repository.ts";
import { containedPath } from "../kernel/files/bounded_read.ts";
import { redactText } from "../redact/redact.ts";
import { statedReason } from "./cues.ts";

export interface Marker {
  file: string;
  line: number;
  text: string;
  because: string | null;
}

const MAX_OUTPUT_BYTES = 4 << 20;
const MAX_MARKERS = 2000;
const MAX_TEXT_CHARS = 400;
/** A longer comment explains; a decision is short. */
const MAX_COMMENT_CHARS = 200;

/** A broad pattern for `git grep`; `markerOf` then checks each line. */
const PATTERN =
  "(NOTE|TODO|HACK)\\(decision\\)|@decision|DECISION:|([Ii]ntentionally|[Dd]eliberately|[Dd]o not|[Dd]on't) .* (because|so that|since) ";
const COMMENT = /^\s*(?:\/\/+|#+|--|;+|\*+|\/\*+|<!--|"""|%)\s?(.*)$|\s(?:\/\/|#|--)\s(.*)$/;
const NAMED = /^(?:(?:NOTE|TODO|HACK)\(decision\)|@decision|DECISION)\s*:?\s*(.+)$/;
const STATED = /^(?:.*\b)?(?:(?:intentionally|deliberately)\b.*|(?:do not|don't)\b .+) (?:because|so that|since) .+$/i;

export async function findMarkers(repository: Repository): Promise<Marker[]> {
  if (!repository.git) return [];
  const args = ["grep", "-n", "-z", "-I", "-E", "--no-color", "--untracked", "-e", PATTERN];
  const { text } = await git(repository.root, args, { allowedExitCodes: [1], maxBytes: MAX_OUTPUT_BYTES });
  const found: Marker[] = [];
  const inside = new Map<string, boolean>();
  for (const { file, line, content } of grepLines(text)) {
    if (found.length >= MAX_MARKERS) break;
    if (/\.(?:md|markdown|txt|rst|adoc|json|lock|svg|html?)$/i.test(file)) continue;
    const marker = markerOf(redactText(content, "printed").text);
    if (!marker) continue;
    // Git follows a linked folder, even out of the repository.
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
  if (named) return { text: named.slice(0, MAX_TEXT_CHARS), because: statedReason(named) };
  if (comment.length > MAX_COMMENT_CHARS) return undefined;
  // Code in backticks is mentioned, not stated.
  if (!STATED.test(comment.replace(/`[^`]*`/g, "")) || /\?$/.test(comment)) return undefined;
  return { text: comment.slice(0, MAX_TEXT_CHARS), because: statedReason(comment) };
}

/** An open quotation mark: the text is a string of the program. */
function isQuoted(before: string): boolean {
  return ['"', "'", "`"].some((mark) => before.split(mark).length % 2 === 0);
}
