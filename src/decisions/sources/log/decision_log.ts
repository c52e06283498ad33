/**
 * Reads a file with a list of decisions (`DECISIONS.md`, `decision-log.md`): a heading for each, a table, or a list. An
 * entry has a number or a date, or says which of its texts is the decision; everything else in the file is not one.
 */
import { oneLine } from "../../../kernel/text.ts";
import { entryOf, isPlaceholder, type LogEntry, wordsIn } from "./entry.ts";
import {
  dateIn,
  type FieldGroup,
  type Fields,
  type FoundEntry,
  fieldGroups,
  fieldNamed,
  type NumberedLine,
  numberIn,
} from "./fields.ts";
import { paragraphEntries } from "./paragraphs.ts";
import { tableEntries } from "./tables.ts";

const LOG =
  /(?:^|\/)(?:(?!open|pending|proposed|template)[a-z]+[-_ ])?(?:decisions?[-_ ]?log|decisions(?:[-_ ](?:record|records|register|made|history))?|adrs?|architecture[-_ ]decisions?(?:[-_ ]records?)?)\.(?:md|markdown)$/i;
const MAX_ENTRIES = 1000;

/** Whether a file is called a list of decisions; `parseDecisionLog` then looks for entries in it. */
export function isDecisionLogPath(path: string): boolean {
  return LOG.test(path);
}

export function parseDecisionLog(content: string): LogEntry[] {
  const found = foundEntries(sectionsOf(plainLines(content)));
  const headed = new Set(found.flatMap(({ number, isRow }) => (isRow ? [] : (number ?? []))));
  return found
    .flatMap((each) => {
      const entry = entryOf(each);
      // A table at the end of the file that sums the entries up.
      const isRepeated = each.isRow && entry?.number != null && headed.has(String(Number(entry.number)));
      return entry && !isRepeated ? [entry] : [];
    })
    .slice(0, MAX_ENTRIES);
}

/** The lines outside code blocks and comments, which may contain an example of an entry. */
function plainLines(content: string): NumberedLine[] {
  const hidden = content
    .replaceAll("\r\n", "\n")
    .replace(/^\uFEFF/, "")
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ""));
  let fence: string | undefined;
  return hidden.split("\n").map((text, i) => {
    const mark = /^\s*(```|~~~)/.exec(text)?.[1];
    const isFenced = fence !== undefined || mark !== undefined;
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    return { no: i + 1, text: isFenced ? "" : text };
  });
}

interface LogSection {
  /** 0 for the text before the first heading. */
  level: number;
  title: string;
  line: number;
  lines: NumberedLine[];
}

function sectionsOf(lines: readonly NumberedLine[]): LogSection[] {
  const sections: LogSection[] = [{ level: 0, title: "", line: 1, lines: [] }];
  for (const line of lines) {
    const [, marks = "", title] = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line.text) ?? [];
    if (title === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ level: marks.length, title, line: line.no, lines: [] });
  }
  return sections;
}

/** Facts that a heading states about all sections below it. */
interface Context {
  level: number;
  date?: number | undefined;
  /** The sections below belong to this entry. */
  entry?: FoundEntry;
  isIgnored: boolean;
  /** It is called "Decisions": a section below it is one. */
  isOfDecisions: boolean;
  status?: string | undefined;
}

/** Sections about the list itself, and sections with open questions. */
const NO_ENTRIES =
  /\b(?:templates?|format|how (?:to|this|a|decisions?)|legend|glossary|status (?:values?|as of)|current status|open (?:[a-z]+ )?(?:questions?|decisions?|points|issues)|pending|undecided|to be decided|tbd|not yet decided|next steps|references?|purpose|what belongs|related|tried and rejected)\b|模板|템플릿/i;
const DECISIONS = /^(?:(?:all|key|main|settled|design|technical|architect\w+) )*decisions?\b/i;
const GIVEN_UP = /^(?:superseded|deprecated|obsolete|reversed|archived?)(?: decisions?)?$/i;

function foundEntries(sections: readonly LogSection[]): FoundEntry[] {
  const found: FoundEntry[] = [];
  const stack: Context[] = [];
  for (const [i, section] of sections.entries()) {
    while ((stack.at(-1)?.level ?? -1) >= section.level) stack.pop();
    const above = stack.at(-1);
    if (above?.entry) {
      addSection(above.entry, section);
      continue;
    }
    const head = headOf(section.title);
    const context: Context = {
      level: section.level,
      date: head.title === "" ? (head.date ?? above?.date) : above?.date,
      isIgnored: (above?.isIgnored ?? false) || NO_ENTRIES.test(head.title),
      isOfDecisions: section.level > 1 && DECISIONS.test(head.title),
      status: GIVEN_UP.test(head.title) ? head.title : above?.status,
    };
    stack.push(context);
    if (context.isIgnored) continue;
    const entry = headedEntry(section, head, { next: sections[i + 1], isStated: above?.isOfDecisions ?? false });
    const entries = entry ? [entry] : listedEntries(section, head.title);
    if (entry) context.entry = entry;
    for (const each of entries) {
      each.date ??= context.date;
      if (context.status !== undefined) each.fields.status ??= context.status;
      found.push(each);
    }
  }
  return found;
}

/** A subsection of an entry: "### Decision", or more of its text. */
function addSection(entry: FoundEntry, section: LogSection): void {
  const name = fieldNamed(section.title);
  const body = section.lines.map(({ text }) => text).join("\n");
  if (name !== undefined && name !== "other") entry.fields[name] ??= body;
  else entry.fields.other = `${entry.fields.other ?? ""}\n${body}`;
  for (const [key, text] of Object.entries(fieldGroups(section.lines).groups[0]?.fields ?? {})) {
    entry.fields[key as keyof Fields] ??= text;
  }
}

interface Head {
  title: string;
  number?: string;
  isNamed: boolean;
  date?: number;
}

/** The number and the date of a heading or an item, and the text after them. */
function headOf(text: string): Head {
  const head: Head = { title: text.trim(), isNamed: false };
  const cut = (start: number, end: number): void => {
    head.title = `${head.title.slice(0, start)} ${head.title.slice(end)}`
      .replace(/[([]\s*[)\]]/g, " ")
      .replace(/^[\s:：|·,.—–\-\])*`]+|[\s:：|·,—–-]+$/g, "")
      .trim();
  };
  const number = numberIn(head.title);
  if (number) {
    head.number = number.number;
    head.isNamed = number.isNamed;
    cut(0, number.end);
  }
  const date = dateIn(head.title);
  if (date) {
    head.date = date.time;
    cut(date.start, date.end);
    const after = head.number === undefined ? numberIn(head.title) : undefined;
    if (after?.isNamed) {
      head.number = after.number;
      head.isNamed = true;
      cut(0, after.end);
    }
  }
  const called = /^(?:decision|결정|决策|决定)\s*[:：—–-]\s*(?=\S)/i.exec(head.title);
  if (called) {
    head.isNamed = true;
    head.title = head.title.slice(called[0].length);
  }
  return head;
}

const MIN_WORDS_OF_NUMBERED = 4;

/** A section that is one decision. `isStated`: the section above it says so. */
function headedEntry(
  section: LogSection,
  head: Head,
  { next, isStated }: { next: LogSection | undefined; isStated: boolean },
): FoundEntry | undefined {
  if (section.level === 0 || head.title === "" || isPlaceholder(head.title) || fieldNamed(head.title)) return undefined;
  const { lead, groups } = fieldGroups(section.lines);
  const isOne = groups.length === 1 && groups[0]?.fields.decision !== undefined;
  const isNumbered = head.number !== undefined && (head.isNamed || wordsIn(head.title) >= MIN_WORDS_OF_NUMBERED);
  const isProse = isStated && /^\s*\p{L}/u.test(lead);
  if (!isNumbered && !head.isNamed && head.date === undefined && !(isOne && section.level > 1) && !isProse)
    return undefined;
  // A week or a meeting whose decisions are the rows of a table.
  if (!isNumbered && !head.isNamed && !isOne && tableEntries(section.lines).length > 0) return undefined;
  // A day or a meeting whose decisions have a heading each.
  const isEmpty = lead.trim() === "" && groups.length === 0;
  if (isEmpty && next && next.level > section.level && isOwnEntry(headOf(next.title))) return undefined;
  return {
    title: head.title,
    number: head.number,
    date: head.date,
    // A label that occurs a second time belongs to a detail of the same decision.
    fields: groups[0]?.fields ?? {},
    lead,
    line: section.line,
  };
}

function isOwnEntry({ title, isNamed, date }: Head): boolean {
  return title !== "" && fieldNamed(title) === undefined && (isNamed || date !== undefined);
}

/** The decisions of a section that has several: rows of a table, groups of labels, or items of a list. */
function listedEntries(section: LogSection, title: string): FoundEntry[] {
  const rows = tableEntries(section.lines);
  if (rows.length > 0) return rows;
  const paragraphs = paragraphEntries(section.lines);
  if (paragraphs.length > 0) return paragraphs;
  const items = topItems(section.lines);
  if (items.some(itemEntry)) return items.flatMap((item) => itemEntry(item) ?? plainItem(item) ?? []);
  const { groups } = fieldGroups(section.lines);
  const labelled = groups.flatMap((group) => groupEntry(group) ?? []);
  if (labelled.length > 0) return labelled;
  return section.level < 2 || title === "" || /\bdecisions?\b|결정|决策|决定/i.test(title)
    ? items.flatMap((item) => plainItem(item) ?? [])
    : [];
}

function groupEntry({ fields, line }: FieldGroup): FoundEntry | undefined {
  if (fields.decision === undefined) return undefined;
  return { title: oneLine(fields.title ?? ""), fields, lead: "", line };
}

interface Item {
  /** The item itself and the lines that belong to it. */
  lines: NumberedLine[];
  /** The paragraph before the list ends with a colon: the list is part of a sentence. */
  isIntroduced: boolean;
}

function topItems(lines: readonly NumberedLine[]): Item[] {
  const items: Item[] = [];
  let isIntroduced = false;
  let open: Item | undefined;
  for (const { no, text } of lines) {
    const begun = /^ {0,1}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(text)?.[1];
    if (begun !== undefined) {
      open = { lines: [{ no, text: begun }], isIntroduced };
      items.push(open);
    } else if (open && (/^\s+\S/.test(text) || text.trim() === "")) open.lines.push({ no, text });
    else if (text.trim() !== "") {
      open = undefined;
      isIntroduced = /[:：]\**\s*$/.test(text);
    }
  }
  return items;
}

/** An item that begins with its date or its number. */
function itemEntry({ lines }: Item): FoundEntry | undefined {
  const [first] = lines;
  if (!first) return undefined;
  const bare = first.text.replace(/^(?:[*_`~[(]+|decision\s+)+/i, "");
  const date = dateIn(bare);
  const isDated = date !== undefined && date.start <= 1;
  if (!isDated && !numberIn(bare)?.isNamed) return undefined;
  const head = headOf(bare);
  if (isPlaceholder(head.title)) return undefined;
  const { groups } = fieldGroups(lines.slice(1));
  const fields = groups[0]?.fields ?? {};
  const rest = lines.slice(1).map(({ text }) => text);
  const whole = `${head.title}\n${groups.length > 0 ? "" : rest.join("\n")}`;
  return {
    title: fields.decision === undefined ? "" : head.title,
    number: head.number,
    date: head.date,
    fields,
    lead: whole,
    line: first.no,
  };
}

const MIN_WORDS_OF_ITEM = 3;

/** An item without a date: a sentence about the project, not a heading, a link or a question. */
function plainItem({ lines, isIntroduced }: Item): FoundEntry | undefined {
  const lead = lines.map(({ text }) => text).join("\n");
  const said = oneLine(lead);
  if (isIntroduced || wordsIn(said) < MIN_WORDS_OF_ITEM || isPlaceholder(said)) return undefined;
  if (/^whether\b/i.test(said) || /^\[[^\]]*\]\([^)]*\)/.test(said) || /[?？:：]$/.test(said)) return undefined;
  return { title: "", fields: {}, lead, line: lines[0]?.no ?? 1 };
}
