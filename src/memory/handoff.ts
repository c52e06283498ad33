/**
 * What the next agent needs to go on with a conversation: the task, how far it is, what was decided, what is open, what to
 * read first. Compiled from the records, each statement with the message it is from (`#12` of the conversation that the frame names).
 */
import { shownPath } from "../conversations/input.ts";
import { fileReference, type HandoffTarget, resumeCommand } from "../integrations/handoff.ts";
import { plural } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import type { Memory } from "../store/memories.ts";
import type { ConversationRow } from "../store/ports.ts";
import type { Account } from "./account.ts";
import type { Section } from "./frame.ts";
import { pinLine, reasonOf } from "./pack.ts";
import { isOutside, openPoints } from "./summary.ts";
import { changedLines } from "./telling.ts";

export interface HandoffParts {
  row: ConversationRow;
  address: string;
  account: Account;
  /** Said outright, with `dex decide` or `dex_save`, in this conversation. */
  saved: readonly { id: string; text: string; because: string | null; place: string }[];
  pins: readonly Memory[];
  target: HandoffTarget;
  /** Whether it has dex's tools. */
  connected: boolean;
}

const LONGEST_REQUEST = 900;
const LATER_REQUESTS = 3;
const LONGEST_POINT = 300;
const LONGEST_WORDS = 900;
const SHOWN_FILES = 20;
const SHOWN_COMMITS = 10;
const SHOWN_FAILED = 5;
const READ_EDITED = 6;
const READ_MORE = 3;

export function handoffSections(parts: HandoffParts): Section[] {
  const { row, address, account, pins, target, connected } = parts;
  const root = row.project ?? "";
  return [
    { title: "Task", lines: taskLines(account), share: 25 },
    { title: "State", lines: stateLines(row, account, root), share: 25 },
    { title: "Decided", lines: decidedLines(parts), share: 12 },
    { title: "Open", lines: openLines(account), share: 15 },
    { title: "Read first", lines: readingLines(account, target, root), share: 8 },
    { title: "Pins", lines: pins.map(pinLine), share: 10 },
    { title: "More", lines: moreLines(row, address, target, connected), share: 5 },
  ];
}

function taskLines({ requests, request_count }: Account): string[] {
  const [first, ...later] = requests;
  const latest = later.slice(-LATER_REQUESTS);
  const line = (label: string, { text, index }: { text: string; index: number }): string =>
    `${label}: ${quoteForModel(text, LONGEST_REQUEST)} (#${index})`;
  const between = request_count - latest.length - 1;
  return [
    ...(first ? [line("first", first)] : []),
    // The latest matters most: it comes before those that led to it.
    ...latest.toReversed().map((each, i) => line(i === 0 ? "latest" : "before that", each)),
    ...(between > 0 ? [`${plural(between, "request")} between the first and these`] : []),
  ];
}

function stateLines(row: ConversationRow, account: Account, root: string): string[] {
  const { files, commits, tests, failing } = account;
  const where = [row.project, row.branch === null ? "" : `branch ${row.branch}`].filter(Boolean).join(", ");
  const lines = [
    `${dayOf(row.updated)}, ${row.source}, ${plural(row.messages, "message")}${where ? `, ${where}` : ""}`,
  ];
  if (tests.last !== undefined) lines.push(testLine(tests));
  lines.push(
    ...failing
      .slice(-SHOWN_FAILED)
      .toReversed()
      .map(({ text, index }) => `failed when last run: ${quoteForModel(text, LONGEST_POINT)} (#${index})`),
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

function testLine({ failed, passed, last }: Account["tests"]): string {
  if (failed.length === 0) return `tests passed when last run${passed > 0 ? `, ${passed} by name` : ""} (#${last})`;
  const names = failed.slice(0, SHOWN_FAILED).map(({ name }) => name);
  const more = failed.length - names.length;
  return `tests failed when last run: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""} (#${last})`;
}

function decidedLines({ saved, account }: HandoffParts): string[] {
  const known = new Set(saved.map(({ id }) => id));
  return [
    ...saved.map(
      ({ text, because, place }) => `${quoteForModel(text, LONGEST_POINT)}${reasonOf(text, because)} (${place})`,
    ),
    ...account.decided
      .filter(({ id }) => !known.has(id))
      .toReversed()
      .map(({ text, because, index }) => `${quoteForModel(text, LONGEST_POINT)}${reasonOf(text, because)} (#${index})`),
  ];
}

function openLines(account: Account): string[] {
  const { outcome } = account;
  const words = outcome
    ? [`the agent's last words: ${quoteForModel(outcome.text, LONGEST_WORDS)} (#${outcome.index})`]
    : [];
  // Commands that failed stand in the state.
  const points = openPoints({ ...account, failing: [] }).map(
    ({ text, index }) => `${quoteForModel(text, LONGEST_POINT)} (#${index})`,
  );
  return [...points, ...words];
}

/** Edited last and most, then read last. Files outside the project are of another machine or a moment. */
function readingLines({ files, read }: Account, target: HandoffTarget, root: string): string[] {
  const inside = (path: string): boolean => !isOutside(path, root);
  const edited = files
    .filter(({ path }) => inside(path))
    .sort((a, b) => b.added + b.removed - a.added - a.removed || b.last - a.last || (a.path < b.path ? -1 : 1))
    .slice(0, READ_EDITED)
    .map(({ path }) => path);
  const looked = read.filter(inside).slice(-READ_MORE).reverse();
  return [...edited, ...looked].map((path) => quoteForModel(fileReference(target, shownPath(path, root)), 400));
}

function moreLines(row: ConversationRow, address: string, target: HandoffTarget, connected: boolean): string[] {
  const read = connected
    ? `dex_read {"id": "${address}", "indices": "0-4"} reads messages, dex_search finds others`
    : `\`dex read ${address} 0-4\` reads messages, \`dex search "…"\` finds others`;
  const resume = target.id === row.source ? resumeCommand(target, row.id) : undefined;
  return [read, ...(resume === undefined ? [] : [`\`${resume}\` goes on in the conversation itself`])];
}
