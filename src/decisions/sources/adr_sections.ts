/** The sections of a decision record: by headings, else by bold labels, else the sentence of a Y-statement. */

export interface Section {
  title: string;
  /** Of its heading: 2 or 3. */
  level: number;
  text: string;
  line: number;
}

/** `wanted`: the title of the section that every record must have. */
export function sectionsOf(text: string, wanted: RegExp): Section[] {
  const headed = headedSections(text);
  if (headed.some(({ title }) => wanted.test(title))) return headed;
  const labelled = labelledSections(text);
  if (labelled.some(({ title }) => wanted.test(title))) return labelled;
  return [...headed, ...yStatement(text)];
}

function headedSections(text: string): Section[] {
  const found: Section[] = [];
  let fenced = false;
  for (const [i, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const [, marks = "", title] = fenced ? [] : (/^(#{2,3})\s+(.+?)\s*#*$/.exec(line) ?? []);
    // Every heading of level 2 or 3 starts a section.
    if (title !== undefined) {
      found.push({ title: title.replace(/\*|(?<!\w)_|_(?!\w)/g, ""), level: marks.length, text: "", line: i + 1 });
    } else {
      const open = found.at(-1);
      if (open) open.text += `${line}\n`;
    }
  }
  return found;
}

const LABEL =
  /^(?:[*-]\s+)?\*\*(status|context|decision|consequences|rationale|alternatives(?: considered)?|(?:considered )?options)\s*:?\*\*:?\s*(.*)$/i;

function labelledSections(text: string): Section[] {
  const found: Section[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    const [, title, rest = ""] = LABEL.exec(line) ?? [];
    const open = found.at(-1);
    if (title !== undefined) found.push({ title, level: 2, text: `${rest}\n`, line: i + 1 });
    else if (open) open.text += `${line}\n`;
  }
  return found;
}

/** "In the context of A, facing B, we decided for C and neglected D, to achieve E, accepting F." */
const Y_STATEMENT =
  /^in the context of (.+?),? facing .+?,? we (?:have )?decided (?:for|to|on|in favou?r of) (.+?)(?:,? (?:and (?:neglected|rejected|against|not)|over|rather than|instead of) (.+?))?,? (?:in order )?to achieve (.+?)(?:,? accepting\b.*)?\.?$/i;

function yStatement(text: string): Section[] {
  for (const paragraph of text.split(/\n\s*\n/)) {
    const plain = paragraph.replaceAll("**", "").replace(/\s+/g, " ").trim();
    const [, context, chosen, neglected, goal] = Y_STATEMENT.exec(plain) ?? [];
    if (context === undefined) continue;
    const line = text.slice(0, text.indexOf(paragraph)).split("\n").length;
    const section = (title: string, body: string): Section => ({ title, level: 2, text: body, line });
    const sections = [section("Context", context), section("Decision", `${chosen} (${context}), to achieve ${goal}.`)];
    return neglected === undefined ? sections : [...sections, section("Alternatives", `- ${neglected}`)];
  }
  return [];
}
