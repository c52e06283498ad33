/** Decisions that are a paragraph each: the statement in bold, and in brackets the day on which it was made. */
import { dateIn, type FoundEntry, type NumberedLine } from "./fields.ts";

const DAY = /\s*\((?:19|20)\d\d-\d\d-\d\d\)/;

export function paragraphEntries(lines: readonly NumberedLine[]): FoundEntry[] {
  return paragraphsOf(lines).flatMap((paragraph): FoundEntry[] => {
    const text = paragraph.map((line) => line.text).join("\n");
    const [whole, said = ""] = /^\*\*([^*]+)\*\*/.exec(text) ?? [];
    const day = DAY.exec(text);
    if (whole === undefined || day === null) return [];
    const fields = { decision: said.replace(DAY, "").trim(), other: text.slice(whole.length) };
    return [{ title: "", date: dateIn(day[0])?.time, fields, lead: "", line: paragraph[0]?.no ?? 1 }];
  });
}

function paragraphsOf(lines: readonly NumberedLine[]): NumberedLine[][] {
  const paragraphs: NumberedLine[][] = [[]];
  for (const line of lines) {
    if (line.text.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter(({ length }) => length > 0);
}
