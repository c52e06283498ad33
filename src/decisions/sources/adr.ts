/**
 * Parses architecture decision records: MADR 3 and 4 (front matter, `Chosen option: "x", because y`), Nygard's older
 * form (`# 3. Title`, `## Status`, `## Decision`), also with bold labels instead of headings, and the one sentence of a
 * Y-statement.
 */
import type { DecisionStatus } from "../../store/history_records.ts";
import { plainWords } from "../../text/plain_words.ts";
import { alternativesOf } from "../wording/alternatives.ts";
import { type Section, sectionsOf } from "./adr_sections.ts";
import { adrStatus } from "./adr_status.ts";
import { becauseOf, firstProse, itemsOf, optionName, proseOf, TAKEN, tidy, wholeStatement } from "./adr_text.ts";

export interface AdrRecord {
  title: string;
  status: DecisionStatus;
  /** Number of the record that supersedes it. */
  superseded_by: string | null;
  text: string;
  because: string | null;
  alternatives: string[];
  /** The text of all sections, in which affected files and symbols are found. */
  prose: string;
  date: number | undefined;
  /** The line of the decision, 1-based. */
  line: number;
}

const FOLDER =
  /(?:^|\/)(?:adrs?|decisions?|decision-records?|rfcs?|architecture|arch)(?:\/[^/]+)*\/[^/]+\.(?:md|markdown)$/i;
const NUMBERED = /(?:^|\/)(?:adr[-_ ]?)?\d{1,5}[-_. ][^/]*\.(?:md|markdown)$/i;
const IN_FOLDER = /(?:^|\/)(?:adrs?|decisions|decision-records?)\/[^/]+\.(?:md|markdown)$/i;
const NO_RECORD = /(?:^|\/)(?:readme|index|template|adr-template|[^/]*template[^/]*)\.(?:md|markdown)$/i;

/** Whether a path may be a record; `parseAdr` then checks the content. */
export function isAdrPath(path: string): boolean {
  if (NO_RECORD.test(path)) return false;
  return IN_FOLDER.test(path) || (FOLDER.test(path) && NUMBERED.test(path));
}

const MAX_ALTERNATIVES = 10;

const DECISION = /^(?:decision outcome\b.*|(?:(?:the )?decision|we will|resolution)(?: *[:—–-].*)?)$/i;

/** Undefined for a page that is not a record: it lacks a decision section, or both a status and a context. */
export function parseAdr(content: string): AdrRecord | undefined {
  const text = content.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const front = frontMatter(text);
  const sections = sectionsOf(text, DECISION);
  const find = (name: RegExp): Section | undefined => sections.find(({ title }) => name.test(title));
  const outcome = withBody(sections, find(/^decision outcome\b/i) ?? find(DECISION));
  const stated = front.status ?? proseOf(find(/^status$/i)?.text) ?? inline(text, "status") ?? "";
  if (!outcome || (stated === "" && !find(/^(?:context|context and problem statement)$/i))) return undefined;
  const heading = /^#\s+(.+)$/m.exec(text.slice(front.length))?.[1] ?? "";
  const title = heading.replace(/^(?:ADR[- ]?)?\d{1,5}\s*[.:–-]\s*/i, "").trim();
  const chosen = /chosen option:\s*["“*`]*(.+?)["”*`]*\s*(?:,\s*because\s+([\s\S]+?))?(?:\.\s|\.$|\n\s*\n|$)/i.exec(
    outcome.text,
  );
  const option = chosen?.[1]
    ?.replace(/["”*`]+$/, "")
    .replace(/\]\([^)]*\)/, "")
    .replace(/^\[/, "")
    .trim();
  const decided = option ? `${title}: ${option}` : `${title}: ${wholeStatement(outcome.text)}`;
  const considered = find(/^considered options$/i) ?? find(/^(?:alternatives|options)(?: considered)?$/i);
  const { status, by, isPartly } = adrStatus(stated);
  const part = isPartly ? ` (superseded in part${by === null ? "" : ` by ${by}`})` : "";
  return {
    title,
    status,
    superseded_by: status === "superseded" ? by : null,
    text: `${tidy(decided)}${part}`,
    because: chosen?.[2] ? tidy(chosen[2]) : becauseOf(outcome.text),
    alternatives: (considered ? optionsIn(sections, considered) : alternativesOf(firstProse(outcome.text) ?? ""))
      .filter((each) => option === undefined || !same(each, option))
      .slice(0, MAX_ALTERNATIVES),
    prose: sections
      .map(({ text: body }) => body)
      .join("\n")
      .slice(0, 20_000),
    date: dateOf(front.date ?? inline(text, "date")),
    line: outcome.line,
  };
}

function frontMatter(text: string): { status?: string; date?: string; length: number } {
  const block = /^---\n([\s\S]*?)\n---\s*\n/.exec(text);
  if (!block) return { length: 0 };
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}:[ \\t]*["'{]?(.+?)["'}]?[ \\t]*(?:#.*)?$`, "im").exec(block[1] ?? "")?.[1];
  const status = value("status");
  const date = value("date");
  return { ...(status ? { status } : {}), ...(date ? { date } : {}), length: block[0].length };
}

/** `Date: 2024-01-31` or `* Status: accepted` in the head of older records. */
function inline(text: string, key: string): string | undefined {
  return new RegExp(`^[*-]?\\s*\\**${key}\\**:\\**[ \\t]*(.+)$`, "im").exec(text.slice(0, 3000))?.[1]?.trim();
}

function dateOf(text: string | undefined): number | undefined {
  const match = /(\d{4})-(\d\d)-(\d\d)/.exec(text ?? "");
  const time = match ? Date.parse(`${match[0]}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A section that only has subsections goes on in the first of them. */
function withBody(sections: readonly Section[], section: Section | undefined): Section | undefined {
  if (!section || proseOf(section.text) !== undefined) return section;
  const next = sections[sections.indexOf(section) + 1];
  return next !== undefined && next.level > section.level ? { ...section, text: next.text } : section;
}

/** The options of a list, or those that have a heading each. */
function optionsIn(sections: readonly Section[], considered: Section): string[] {
  const listed = itemsOf(considered.text)
    .filter((item) => !TAKEN.test(item))
    .map(optionName);
  if (listed.length > 0) return listed;
  const rest = sections.slice(sections.indexOf(considered) + 1);
  const end = rest.findIndex(({ level }) => level <= considered.level);
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter(({ text }) => !TAKEN.test(text.trim()))
    .map(({ title }) => tidy(title));
}

function same(a: string, b: string): boolean {
  return `${plainWords(a)} `.startsWith(`${plainWords(b)} `);
}
