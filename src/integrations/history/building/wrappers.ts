/**
 * Extracts the words that a person typed from the agent's wrapping.
 *
 * Wrappers look like XML but are not: they contain raw text, source code and unclosed tags. dex finds them by plain
 * search, in time linear in the text, and leaves an opening tag that is never closed.
 */
import { withoutProgramTitle } from "../../../conversations/texts/program_text.ts";
import { boundWhole } from "../../../text/clip.ts";

interface Block {
  start: number;
  end: number;
  inner: string;
}

/** Removes `<tag …>…</tag>` for each of the tags. */
export function stripBlocks(text: string, tags: readonly string[]): string {
  let kept = text;
  for (const tag of tags) {
    const blocks = findBlocks(kept, tag);
    if (blocks.length === 0) continue;
    let from = 0;
    let rest = "";
    for (const block of blocks) {
      rest += kept.slice(from, block.start);
      from = block.end;
    }
    kept = rest + kept.slice(from);
  }
  return kept;
}

/** The text inside each `<tag …>…</tag>`, trimmed; empty ones are left out. */
export function blockTexts(text: string, tag: string): string[] {
  return findBlocks(text, tag)
    .map((block) => block.inner.trim())
    .filter((inner) => inner !== "");
}

/** `<tag>words</tag>` becomes `words`, in place. */
export function unwrapBlocks(text: string, tag: string): string {
  let from = 0;
  let unwrapped = "";
  for (const block of findBlocks(text, tag)) {
    unwrapped += text.slice(from, block.start) + block.inner;
    from = block.end;
  }
  return unwrapped + text.slice(from);
}

function findBlocks(text: string, tag: string): Block[] {
  const found: Block[] = [];
  const opening = `<${tag}`;
  const closing = `</${tag}>`;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, start)) {
    const after = text.charCodeAt(start + opening.length);
    if (after !== GREATER && !isSpace(after)) {
      start += opening.length;
      continue;
    }
    const open = text.indexOf(">", start);
    const close = open < 0 ? -1 : text.indexOf(closing, open);
    if (close < 0) break;
    const end = close + closing.length;
    found.push({ start, end, inner: text.slice(open + 1, close) });
    start = end;
  }
  return found;
}

const GREATER = 0x3e;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const HOUSEKEEPING = new Set(
  (
    "about auth bug clear compact compress config context copy cost doctor exit export help hotkeys ide login logout " +
    "mcp model models new permissions privacy quit reload rename resume rewind session sessions settings share stats " +
    "status theme tools tree undo upgrade usage version vim"
  ).split(" "),
);

/** A slash command that controls the program and says nothing about the work: `/clear`, `/model opus`. */
export function isHousekeeping(text: string): boolean {
  const command = /^\/([a-z][a-z-]*)(?:[ \t][^\n]*)?$/.exec(text.trim());
  return command !== null && HOUSEKEEPING.has(command[1] ?? "");
}

/** Far longer than any title that is shown. */
export const MAX_TITLE_CHARACTERS = 4000;

/** A line that only marks what follows: `<task>`, a fence, a role, `[[ ## question ## ]]` of DSPy. */
const ONLY_A_MARK =
  /^(?:<\/?[\w-]{1,60}>|[`~]{3,}\w{0,20}|\[\[ ## \w{1,60} ## \]\]|@?\[?(?:system|user|human|assistant)\]?:)$/i;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/** The first line that says something: a candidate for the title. The store redacts and shortens it. */
export function titleFrom(text: string | undefined): string | undefined {
  const lines = withoutProgramTitle(text ?? "")
    .split("\n", 40)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const line = lines.find((each) => HAS_WORDS.test(each) && !ONLY_A_MARK.test(each)) ?? lines[0];
  return line === undefined ? undefined : boundWhole(line, MAX_TITLE_CHARACTERS) || undefined;
}
