/** Parses trailers of a commit message (`Reviewed-by: …`), and breaking changes and reverts of conventional commits. */
import { oneLine } from "../kernel/text.ts";

export interface Trailer {
  key: string;
  value: string;
}

const TRAILER = /^([A-Za-z][A-Za-z0-9-]*|BREAKING[ -]CHANGE)(?:: | #)(.+)$/;
/** Lines that git itself writes at the end of a message. */
const GENERATED = /^(?:Signed-off-by: |\(cherry picked from commit )/;

/**
 * The trailers of the last paragraph; indented lines continue the one before. As in git, a paragraph with less than a
 * quarter of trailers is prose, unless git wrote one of them.
 */
export function parseTrailers(body: string): Trailer[] {
  const found: Trailer[] = [];
  let lines = 0;
  let generated = false;
  for (const line of (paragraphsOf(body).at(-1) ?? "").split("\n")) {
    const last = found.at(-1);
    if (/^[ \t]+\S/.test(line) && last) {
      last.value = `${last.value} ${line.trim()}`;
      continue;
    }
    lines += 1;
    generated ||= GENERATED.test(line);
    const match = TRAILER.exec(line);
    if (match) found.push({ key: match[1] ?? "", value: (match[2] ?? "").trim() });
  }
  const enough = found.length === lines || generated || found.length * 4 >= lines;
  return enough && found.length > 0 ? found : [];
}

/** Lines for programs: who signed or reviewed, ids, and numbers or addresses of issues. */
const FOR_PROGRAMS =
  /^(?:[A-Za-z-]+-by: |(?:change-id|reviewed-on): |(?:refs?|closes?|fix(?:es)?|resolves?|issue|bug|pr-url|link|see)(?:: | )(?:#?\d+|https?:\S+)\s*$|\(cherry picked from commit )/i;

/** The message's body without the lines for programs in its last paragraph, and without the rule before them. */
export function withoutTrailers(body: string): string {
  const paragraphs = paragraphsOf(body);
  const last = (paragraphs.pop() ?? "").split("\n").filter((line) => !FOR_PROGRAMS.test(line));
  if (last.length > 0) return [...paragraphs, last.join("\n")].join("\n\n");
  if (/^-{3,}$/.test(paragraphs.at(-1) ?? "")) paragraphs.pop();
  return paragraphs.join("\n\n");
}

function paragraphsOf(body: string): string[] {
  return body
    .replaceAll("\r\n", "\n")
    .trim()
    .split(/\n[ \t]*\n/);
}

export interface Breaking {
  text: string;
}

/** `feat(api)!: drop v1`, and the footer `BREAKING CHANGE: v1 is gone` with its continuation lines. */
export function breakingChange(subject: string, body: string): Breaking | undefined {
  const footer = /^BREAKING[ -]CHANGE(?:: | #)([^\n]+(?:\n(?![A-Z][A-Za-z-]+: |\n)[^\n]+)*)/m.exec(body)?.[1];
  if (footer !== undefined) return { text: oneLine(footer) };
  const marked = /^[a-z]+(?:\([^)]*\))?!: (.+)$/.exec(subject)?.[1];
  return marked === undefined ? undefined : { text: marked };
}

/** The commit that this one reverts. */
export function revertedCommit(body: string): string | undefined {
  return /\bThis reverts commit ([0-9a-f]{7,64})/.exec(body)?.[1] ?? /^Reverts: ([0-9a-f]{7,64})\b/m.exec(body)?.[1];
}
