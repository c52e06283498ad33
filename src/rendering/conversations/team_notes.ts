/** Decisions and notes of team members, below the conversations that a search found. */
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal } from "../terminal/terminal.ts";

export interface ShownNote {
  kind: string;
  author: string;
  text: string;
  because?: string | undefined;
  scope: string;
}

export function teamNoteLines(notes: readonly ShownNote[] | undefined, terminal: Terminal): string[] {
  if (!notes || notes.length === 0) return [];
  const lines = notes.map(({ kind, author, text, because, scope }) => {
    const reason = because === undefined ? "" : ` (${because})`;
    return `  ${cleanText(`${kind} of ${author}, ${scope}: ${text}${reason}`)}`;
  });
  return [paint(terminal, "bold", "Decisions and notes of the team"), ...lines];
}
