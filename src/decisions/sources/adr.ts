/**
 * Parses architecture decision records: MADR 3 and 4 (front matter, `Chosen option: "x", because y`) and Nygard's older
 * form (`# 3. Title`, `## Status`, `## Decision`).
 */
import type { DecisionStatus } from "../../store/history_records.ts";

export interface AdrRecord {
  title: string;
  status: DecisionStatus;
  /** As written: `superseded by ADR-0012`. */
  stated: string;
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

interface Section {
  title: string;
  text: string;
  line: number;
}

const MAX_TEXT_CHARS = 400;

/** Undefined for a page that is not a record: it lacks a decision section, or both a status and a context. */
export function parseAdr(content: string): AdrRecord | undefined {
  const text = content.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "");
  const front = frontMatter(text);
  const sections = sectionsOf(text);
  const find = (name: RegExp): Section | undefined => sections.find(({ title }) => name.test(title));
  const outcome = find(/^decision outcome$/i) ?? find(/^(?:decision|the decision|we will|resolution)$/i);
  const statusSection = find(/^status$/i);
  const stated = front.status ?? firstProse(statusSection?.text) ?? inline(text, "status") ?? "";
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
  const options = bulletsOf(
    find(/^considered options$/i)?.text ?? find(/^(?:alternatives|options)(?: considered)?$/i)?.text,
  );
  return {
    title,
    status: statusOf(stated),
    stated: stated.slice(0, 200),
    superseded_by: /supersed\w*\s+by\s+\[?(?:ADR[- ]?)?0*(\d{1,5})/i.exec(stated)?.[1] ?? null,
    text: tidy(decided),
    because: chosen?.[2] ? tidy(chosen[2]) : becauseOf(outcome.text),
    alternatives: options.filter((each) => option === undefined || !same(each, option)).slice(0, 10),
    prose: sections
      .map(({ text: body }) => body)
      .join("\n")
      .slice(0, 20_000),
    date: dateOf(front.date ?? inline(text, "date")),
    line: outcome.line,
  };
}

function statusOf(stated: string): DecisionStatus {
  if (/supersed|replaced by|deprecat|obsolete/i.test(stated)) return "superseded";
  if (/reject|declined|withdrawn|abandon/i.test(stated)) return "rejected";
  if (/revert|rolled back/i.test(stated)) return "reverted";
  return /accept|approved|implemented|done|decided|adopted|final/i.test(stated) ? "accepted" : "proposed";
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

function sectionsOf(text: string): Section[] {
  const found: Section[] = [];
  let fenced = false;
  for (const [i, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const title = fenced ? undefined : /^#{2,3}\s+(.+?)\s*#*$/.exec(line)?.[1];
    // Every heading of level 2 or 3 starts a section.
    if (title !== undefined) found.push({ title: title.replace(/[*_]/g, ""), text: "", line: i + 1 });
    else {
      const open = found.at(-1);
      if (open) open.text += `${line}\n`;
    }
  }
  return found;
}

/** A first sentence that ends with a colon goes on in the list, the table or the code below it. */
function wholeStatement(text: string): string {
  const first = firstProse(text) ?? "";
  if (!first.endsWith(":")) return first;
  const plain = text.replace(/\s+/g, " ");
  const below = plain.slice(plain.indexOf(first) + first.length).replace(/```\w*|[*`|]|-{3,}/g, " ");
  const items = below
    .split(/\s+(?:[-+]|\d+\.)\s+/)
    .map((each) => each.replace(/\s+/g, " ").trim())
    .filter((each) => each !== "");
  return items.length === 0 ? first : `${first} ${items.join("; ")}`;
}

function firstProse(text: string | undefined): string | undefined {
  const paragraph = (text ?? "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/)
    .map((each) => each.replace(/\s+/g, " ").trim())
    .find((each) => each !== "");
  return paragraph?.replace(/^[*-]\s+/, "");
}

function becauseOf(text: string): string | null {
  const reason = /\b(?:because|since|so that|due to)\s+([^.\n]+(?:\n(?!\s*\n)[^.\n]+)*)/i.exec(text)?.[1];
  return reason ? tidy(reason) : null;
}

function bulletsOf(text: string | undefined): string[] {
  return [...(text ?? "").matchAll(/^[ ]{0,3}(?:[*+-]|\d+\.)\s+(.+)$/gm)].map((match) => tidy(match[1] ?? ""));
}

function tidy(text: string): string {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_]{2}/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^"|"$/g, "");
  return plain.length > MAX_TEXT_CHARS ? `${plain.slice(0, MAX_TEXT_CHARS - 1)}…` : plain;
}

function same(a: string, b: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return plain(a) === plain(b) || plain(a).startsWith(`${plain(b)} `);
}
