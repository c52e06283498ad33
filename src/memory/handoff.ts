/**
 * The handoff of a conversation to the next agent: the task, its state, decisions, open points and files to read
 * first. Compiled from the records; each statement cites its message (`#12` of the conversation that the frame names).
 */
import { shownPath } from "../conversations/activity/input.ts";
import { closingOf, type Quote } from "../conversations/activity/work.ts";
import { fileReference, type HandoffTarget, resumeCommand } from "../integrations/handoff.ts";
import { agentName } from "../integrations/registry.ts";
import { plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import type { ConversationRow } from "../store/ports.ts";
import type { Memory } from "../store/state/memories.ts";
import type { FrameSection } from "./frame.ts";
import { pinLine, reasonSuffix } from "./pack.ts";
import type { Recap } from "./recap.ts";
import { isOutside, openPoints } from "./summary.ts";
import { changedLines } from "./summary_lines.ts";

export interface HandoffParts {
  row: ConversationRow;
  address: string;
  recap: Recap;
  /** Decisions saved explicitly in this conversation, with `dex decide` or `dex_save`. */
  saved: readonly { id: string; text: string; because: string | null; place: string }[];
  pins: readonly Memory[];
  target: HandoffTarget;
  /** Whether the target has dex's tools. */
  connected: boolean;
}

const MAX_REQUEST_CHARS = 900;
const MAX_LATER_REQUESTS = 3;
const MAX_POINT_CHARS = 300;
const MAX_OUTCOME_CHARS = 900;
const SHOWN_FILES = 20;
const SHOWN_COMMITS = 10;
const SHOWN_FAILED = 5;
const MAX_EDITED_TO_READ = 6;
const MAX_OTHERS_TO_READ = 3;

export function handoffSections(parts: HandoffParts): FrameSection[] {
  const { row, address, recap, pins, target, connected } = parts;
  const root = row.project ?? "";
  return [
    { title: "Task", lines: taskLines(recap), share: 25 },
    { title: "State", lines: stateLines(row, recap, root), share: 25 },
    { title: "Last words of the agent", lines: lastWords(recap), share: 7 },
    { title: "Decided", lines: decidedLines(parts), share: 12 },
    { title: "Open", lines: openLines(recap), share: 8 },
    { title: "Read first", lines: readingLines(recap, target, root), share: 8 },
    { title: "Pins", lines: pins.map(pinLine), share: 10 },
    { title: "More", lines: moreLines(row, address, target, connected), share: 5 },
  ];
}

function taskLines({ requests, request_count }: Recap): string[] {
  const [first, ...later] = requests;
  const latest = later.slice(-MAX_LATER_REQUESTS);
  const line = (label: string, { text, index }: { text: string; index: number }): string =>
    `${label}: ${quoteForModel(text, MAX_REQUEST_CHARS)} (#${index})`;
  const between = request_count - latest.length - 1;
  return [
    ...(first ? [line("first", first)] : []),
    // The latest request matters most: it comes before the earlier ones.
    ...latest.toReversed().map((each, i) => line(i === 0 ? "latest" : "before that", each)),
    ...(between > 0 ? [`${plural(between, "request")} between the first and these`] : []),
  ];
}

function stateLines(row: ConversationRow, recap: Recap, root: string): string[] {
  const { files, commits, tests, failing } = recap;
  const where = [row.project, row.branch === null ? "" : `branch ${row.branch}`].filter(Boolean).join(", ");
  const lines = [
    `${dayOf(row.updated)}, ${agentName(row.source)}, ${plural(row.messages, "message")}${where ? `, ${where}` : ""}`,
  ];
  if (tests.last !== undefined) lines.push(testLine(tests));
  lines.push(
    ...failing
      .slice(-SHOWN_FAILED)
      .toReversed()
      .map(({ text, index }) => `failed when last run: ${quoteForModel(text, MAX_POINT_CHARS)} (#${index})`),
  );
  const recent = files.toSorted((a, b) => b.last - a.last || (a.path < b.path ? -1 : 1));
  lines.push(
    ...recent.slice(0, SHOWN_FILES).map((file) => {
      const edits = plural(file.edits, "edit");
      return `edited ${shownPath(file.path, root)}${changedLines(file)} (${edits}, last #${file.last})`;
    }),
  );
  if (files.length > SHOWN_FILES) lines.push(`${plural(files.length - SHOWN_FILES, "more file")} edited`);
  lines.push(
    ...commits
      .slice(-SHOWN_COMMITS)
      .toReversed()
      .map(({ sha, subject, index }) => `committed ${sha.slice(0, 9)} ${quoteForModel(subject, 120)} (#${index})`),
  );
  if (commits.length > SHOWN_COMMITS) lines.push(`${plural(commits.length - SHOWN_COMMITS, "commit")} before these`);
  return lines.map((line) => quoteForModel(line, 1200));
}

function testLine({ failed, passed, last }: Recap["tests"]): string {
  if (failed.length === 0) {
    return `tests passed when last run${passed > 0 ? `, ${passed} of them named in the output` : ""} (#${last})`;
  }
  const names = failed.slice(0, SHOWN_FAILED).map(({ name }) => name);
  const more = failed.length - names.length;
  return `tests failed when last run: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} (#${last})`;
}

function decidedLines({ saved, recap }: HandoffParts): string[] {
  const known = new Set(saved.map(({ id }) => id));
  return [
    ...saved.map(
      ({ text, because, place }) => `${quoteForModel(text, MAX_POINT_CHARS)}${reasonSuffix(text, because)} (${place})`,
    ),
    ...recap.decided
      .filter(({ id }) => !known.has(id))
      .toReversed()
      .map(
        ({ text, because, index }) =>
          `${quoteForModel(text, MAX_POINT_CHARS)}${reasonSuffix(text, because)} (#${index})`,
      ),
  ];
}

/** The final message of the turn before, if the last turn has none: it tells the state of the work. */
function lastWords(recap: Recap): string[] {
  const closing = closingOf(recap);
  if (!closing) return [];
  const line = ({ text, index }: Quote, note: string): string =>
    `${quoteForModel(text, MAX_OUTCOME_CHARS)} (#${index}${note})`;
  if (closing.stage === "earlier") return [line(closing, ", before the latest request")];
  if (closing.stage === "final") return [line(closing, "")];
  const { outcome } = recap;
  return [
    line(closing, ", no final message after it"),
    ...(outcome ? [line(outcome, ", the final message of an earlier turn")] : []),
  ];
}

function openLines(recap: Recap): string[] {
  // Failed commands are listed in the state section.
  return openPoints({ ...recap, failing: [] }).map(
    ({ text, index }) => `${quoteForModel(text, MAX_POINT_CHARS)} (#${index})`,
  );
}

/** Most edited files, then last read ones. Files outside the project may be temporary or on another machine. */
function readingLines({ files, read }: Recap, target: HandoffTarget, root: string): string[] {
  const inside = (path: string): boolean => !isOutside(path, root);
  const edited = files
    .filter(({ path }) => inside(path))
    .sort((a, b) => b.added + b.removed - a.added - a.removed || b.last - a.last || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_EDITED_TO_READ)
    .map(({ path }) => path);
  const lastRead = read.filter(inside).slice(-MAX_OTHERS_TO_READ).reverse();
  return [...edited, ...lastRead].map((path) => quoteForModel(fileReference(target, shownPath(path, root)), 400));
}

function moreLines(row: ConversationRow, address: string, target: HandoffTarget, connected: boolean): string[] {
  const read = connected
    ? `dex_read {"id": "${address}", "indices": "0-4"} reads messages, dex_search finds others`
    : `\`dex read ${address} 0-4\` reads messages, \`dex search "…"\` finds others`;
  const resume = target.id === row.source ? resumeCommand(target, row.id) : undefined;
  return [read, ...(resume === undefined ? [] : [`\`${resume}\` continues the conversation itself`])];
}
