/** An entry of a list of decisions: its statement, reason, alternatives and status, from what its form says. */
import { oneLine } from "../../../kernel/text.ts";
import type { DecisionStatus } from "../../../store/history_records.ts";
import { alternativesOf } from "../../wording/alternatives.ts";
import { adrStatus, namesStatus } from "../adr_status.ts";
import { becauseOf, firstProse, itemsOf, optionName, tidy, wholeStatement } from "../adr_text.ts";
import { dateIn, type Fields, type FoundEntry, numberIn } from "./fields.ts";

const MAX_ALTERNATIVES = 10;
const MAX_PROSE_CHARS = 20_000;

export interface LogEntry {
  /** Empty for an entry that is only a sentence. */
  title: string;
  number: string | null;
  text: string;
  because: string | null;
  alternatives: string[];
  status: DecisionStatus;
  superseded_by: string | null;
  date: number | undefined;
  line: number;
  /** Its whole text, in which affected files and symbols are found. */
  prose: string;
}

export function entryOf({ title, number, date, fields, lead, line }: FoundEntry): LogEntry | undefined {
  const name = tidy(title.replaceAll("~~", "").replace(STATUS_IN_TITLE, "").replaceAll("`", ""));
  const decided = statementOf(fields.decision ?? lead).replaceAll("~~", "");
  if (decided === "" ? name === "" : isPlaceholder(decided)) return undefined;
  const isRepeated = name === "" || decided.toLowerCase().startsWith(name.toLowerCase());
  const text = isRepeated ? decided : decided === "" ? name : `${name}: ${decided}`;
  const { status, by } = statusOf(title, fields, lead);
  const alternatives = fields.alternatives === undefined ? alternativesOf(decided) : optionsIn(fields.alternatives);
  return {
    title: name,
    number: number ?? numberIn(fields.number ?? "")?.number ?? /\d{1,5}/.exec(fields.number ?? "")?.[0] ?? null,
    text: tidy(text),
    because: fields.reason === undefined ? becauseOf(decided) : tidy(statementOf(fields.reason)) || null,
    alternatives: alternatives.slice(0, MAX_ALTERNATIVES),
    status,
    superseded_by: by,
    date: dateIn(fields.date ?? "")?.time ?? date,
    line,
    prose: [title, lead, ...Object.values(fields)].join("\n").slice(0, MAX_PROSE_CHARS),
  };
}

/** The first paragraph, or the list that replaces it. */
function statementOf(text: string): string {
  const first = firstProse(text) ?? "";
  if (/^\||^!\[/.test(first)) return "";
  const items = /^\s*(?:[-*+]|\d+[.)])\s/.test(text.trimStart()) ? itemsOf(text) : [];
  return items.length > 1 ? items.map(oneLine).join("; ") : wholeStatement(text).replace(/^>\s*/, "");
}

function optionsIn(text: string): string[] {
  const items = itemsOf(text);
  const options = items.length > 0 ? items : oneLine(text).split(/;\s+/);
  return options
    .map((option) => optionName(option).replace(/\.$/, ""))
    .filter((option) => option !== "" && !isPlaceholder(option));
}

const STATUS_IN_TITLE = /\s*[([{—–-]*\s*\b(?:superseded|deprecated|obsolete|reverted|reversed)\b[^)\]}]*[)\]}]?\s*$/i;

/** A list has what was decided, so an entry is in force unless it says otherwise. */
function statusOf(title: string, fields: Fields, lead: string): { status: DecisionStatus; by: string | null } {
  const quoted = lead.split("\n").filter((line) => /^\s*>/.test(line));
  const notes = [fields.status ?? "", STATUS_IN_TITLE.exec(title)?.[0] ?? "", ...quoted]
    .map((note) => note.replace(/^[\s>([{—–-]+/, "").trim())
    .filter((note) => note !== "");
  if (/^~~.*~~$/.test(title.trim()) || /^[^~\n]*~~\s*$|^~~[^~]*~~\s*$/.test(lead.trim())) notes.push("Superseded");
  const { status, by } = adrStatus(notes.join("\n\n"));
  return { status: notes.some(namesStatus) ? status : "accepted", by: status === "superseded" ? by : null };
}

/** Whether the text is a placeholder of a template, still without content. */
export function isPlaceholder(text: string): boolean {
  const plain = text.replace(/[*_`]/g, "").trim();
  return (
    /^(?:\[[^\]]*\]|<[^>]*>|tbd|todo|n\/?a|none|[—–-]*|\.\.\.|…)$/i.test(plain) ||
    /\bYYYY\b|^\[[A-Z][^\]]*\]$/.test(plain)
  );
}

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
