/**
 * The parts of an entry in a list of decisions: its number, its date, and the labels before its texts (`**Why:** …`,
 * `Reason: …`, `- 이유: …`).
 */

export type FieldName = "decision" | "reason" | "status" | "date" | "alternatives" | "title" | "number" | "other";
export type Fields = Partial<Record<FieldName, string>>;

/** A line of a file without code blocks and comments. */
export interface NumberedLine {
  /** 1-based. */
  no: number;
  text: string;
}

export interface FieldGroup {
  fields: Fields;
  /** Of its decision, otherwise of its first label. */
  line: number;
}

/** An entry as the document structures it: a section, a table row or a list item. */
export interface FoundEntry {
  title: string;
  number?: string | undefined;
  date?: number | undefined;
  fields: Fields;
  /** The statement of an entry that has no field for the decision. */
  lead: string;
  line: number;
  /** It is a row of a table, which may repeat an entry that has a heading. */
  isRow?: true;
}

const NAMES: readonly [FieldName, RegExp][] = [
  [
    "decision",
    /^(?:(?:the |final |key )?(?:decisions?|choice|resolution|outcome)(?: made| taken)?|decided|chosen|chose|(?:what )?(?:we|it) decided|what|최종 ?결정|결정(?: ?사항)?|最终决定|決定事項|决策|决定|決定|entscheidung|décision|decisión|decisão|решение)$/i,
  ],
  [
    "reason",
    /^(?:why|reasons?|rationale|reasoning|because|justification|motivation|이유|근거|决策理由|理由|原因|begründung|grund|raison|motivo|razón|причина|обоснование)$/i,
  ],
  ["status", /^(?:status|state|상태|状态|狀態|ステータス|estado|statut|статус)$/i],
  ["date", /^(?:date|decided on|date ?\/ ?author|when|날짜|일자|日期|日付|datum|fecha|data|дата)$/i],
  [
    "alternatives",
    /^(?:(?:rejected )?alternatives?(?: (?:considered|rejected))?|(?:considered )?options(?: considered)?|rejected|대안|候选方案|替代方案|代替案|alternativen|alternativas)$/i,
  ],
  ["title", /^(?:title|topic|feature|area|subject|name|question|item|component|layer|주제|항목|主题|标题|thema)$/i],
  ["number", /^(?:#|no\.?|nr\.?|id|adr|number|번호|编号|序号)$/i],
  [
    "other",
    /^(?:context|background|consequences?|impact|implications?|effects?|trade-?offs?|files(?: changed)?|refs?|references?|notes?|evidence|owners?|follow-?ups?|confidence|author|decided by|made by|scope|risks?|revisit(?: if)?|배경|영향(?: ?문서)?|검증|背景|影响|影响范围|后果|代价(?:与妥协)?|相关|后续|推翻条件)$/i,
  ],
];

/** The field that a label or a column heading means. */
export function fieldNamed(label: string): FieldName | undefined {
  const plain = label
    .replace(/[*_`]/g, "")
    .replace(/[:：.]\s*$/, "")
    .replace(/\s+/g, " ")
    .trim();
  return NAMES.find(([, names]) => names.test(plain))?.[0];
}

const BULLET = String.raw`^\s*(?:>\s*)?(?:[-*+]\s+)?`;
const BOLD_LABEL = new RegExp(
  String.raw`${BULLET}(?:\*\*|__)([^*\n]{1,40}?)(?:[:：.]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*(.*)$`,
);
const PLAIN_LABEL = new RegExp(
  String.raw`${BULLET}[*_]?([^\s*:：|][^*:：|\n]{0,28}?)[*_]?\s*[:：][*_]?(?:\s+|(?<=：)|$)(.*)$`,
);
/** A label within a paragraph: "The plan leaves this open. **Decision:** …" */
const INNER_LABEL =
  /(?<=\S)\s+(?=\*\*(?:Decision|Decided|Why|Reason|Rationale|Alternatives|Rejected)\s*(?:[:.]\*\*|\*\*:))/gi;

/** The field that a line begins, and the rest of the line. A bold label of any name ends the field before it. */
function labelIn(text: string): { name: FieldName; rest: string } | undefined {
  const bold = BOLD_LABEL.exec(text);
  if (bold) return { name: fieldNamed(bold[1] ?? "") ?? "other", rest: bold[2] ?? "" };
  const plain = PLAIN_LABEL.exec(text);
  const name = plain ? fieldNamed(plain[1] ?? "") : undefined;
  return plain && name ? { name, rest: plain[2] ?? "" } : undefined;
}

/**
 * The labelled texts of some lines, in one group for each decision: a rule across the page, or a label that the group
 * already has, begins the next. `lead` is the text before the first label.
 */
export function fieldGroups(lines: readonly NumberedLine[]): { lead: string; groups: FieldGroup[] } {
  const groups: FieldGroup[] = [];
  let open: FieldName | undefined;
  let isParted = true;
  let lead = "";
  for (const { no, text } of lines) {
    for (const part of text.split(INNER_LABEL)) {
      const label = labelIn(part);
      const group = groups.at(-1);
      if (label) {
        const repeats = label.name !== "other" && group?.fields[label.name] !== undefined;
        if (isParted || repeats || !group) groups.push({ fields: { [label.name]: label.rest }, line: no });
        else if (group.fields[label.name] === undefined) group.fields[label.name] = label.rest;
        const current = groups.at(-1);
        if (label.name === "decision" && current) current.line = no;
        open = label.name;
        isParted = false;
      } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(part)) {
        isParted = true;
        open = undefined;
      } else if (group && open !== undefined) {
        group.fields[open] = `${group.fields[open] ?? ""}\n${part}`;
      } else if (groups.length === 0) lead += `${part}\n`;
    }
  }
  return { lead, groups };
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const MONTH = `(${MONTHS})[a-z]*\\.?`;
const YEAR = "((?:19|20)\\d\\d)";
/** A year, a month, and mostly a day, in the orders in which people write them. */
const DATES: readonly [RegExp, (found: readonly string[]) => (string | undefined)[]][] = [
  [new RegExp(`\\b${YEAR}[-/.](\\d\\d?)(?:[-/.](\\d\\d?))?\\b`), ([, y, m, d]) => [y, m, d]],
  [/((?:19|20)\d\d) ?[年년] ?(\d\d?) ?[月월](?: ?(\d\d?) ?[日일])?/, ([, y, m, d]) => [y, m, d]],
  [new RegExp(`\\b(\\d\\d?)\\.(\\d\\d?)\\.${YEAR}\\b`), ([, d, m, y]) => [y, m, d]],
  [new RegExp(`\\b${MONTH} (\\d\\d?)(?:st|nd|rd|th)?,? ${YEAR}\\b`, "i"), ([, m, d, y]) => [y, monthNo(m), d]],
  [new RegExp(`\\b(\\d\\d?)(?:st|nd|rd|th)? ${MONTH} ${YEAR}\\b`, "i"), ([, d, m, y]) => [y, monthNo(m), d]],
  [new RegExp(`\\b${MONTH} ${YEAR}\\b`, "i"), ([, m, y]) => [y, monthNo(m), undefined]],
];

function monthNo(name = ""): string {
  return String(1 + MONTHS.split("|").indexOf(name.slice(0, 3).toLowerCase()));
}

/** The first date of a text, with the place where it stands; a month alone is its first day. */
export function dateIn(text: string): { time: number; start: number; end: number } | undefined {
  for (const [pattern, parts] of DATES) {
    const match = pattern.exec(text);
    if (!match) continue;
    const [year = 0, month = 0, day = 1] = parts(match).map((each) => (each === undefined ? undefined : Number(each)));
    const time = Date.UTC(year, month - 1, day);
    if (new Date(time).getUTCDate() !== day || month < 1) continue;
    return { time, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** `ADR-007`, `D-12`, `DEC 3`, `[D1]`, `D2026-0914-01`, `4.`: what follows it is the title. */
const NAMED_NUMBER =
  /^\W{0,3}(?:(?:adr|ad|dr|dec|decision|d|kd|td|pd)[-_ #]{0,2}|[A-Z]{2,8}-)((?:19|20)\d\d-\d{3,4}(?:-\d{1,3})?|\d{1,5})(?![\d.]*\w)\W{0,2}?(?=[\s:：.)\]*—–-]|$)/i;
const BARE_NUMBER = /^#?(\d{1,4})[.):]\s+(?=\S)/;

/** `isNamed`: it calls itself the number of a decision. */
export function numberIn(text: string): { number: string; isNamed: boolean; end: number } | undefined {
  const named = NAMED_NUMBER.exec(text);
  const match = named ?? BARE_NUMBER.exec(text);
  if (!match) return undefined;
  const [, number = ""] = match;
  return {
    number: number.includes("-") ? number : String(Number(number)),
    isNamed: named !== null,
    end: match[0].length,
  };
}
