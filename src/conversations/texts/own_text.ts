/**
 * Text that dex's hooks gave to a model, and that a host stored in its transcript: among the user's words, or after the
 * output of a tool. It repeats what dex already knows; if it were indexed, dex would find its own facts again as
 * evidence.
 */

/** Every injected text begins with these words, in every version of dex: transcripts keep texts of older versions. */
const OWN_WORDS = "Recorded by dex";
/** A head fills its line, except for what the host puts before it: a tag, or `SessionStart hook additional context: `. */
const OWN_HEAD = /^(?:[^\n]{0,200}(?:>|&gt;|\bcontext:))?[ \t]*Recorded by dex [^\n]{0,200}:\s*$/;
/** A fact, the title of a group of facts, or a notice about dex itself. */
const OWN_LINE = /^[ \t]*(?:- \S.*|[A-Z][\w ,'-]{0,60}:|dex: \S.*)\s*$/;
/** Blocks in which hosts put the texts of hooks. */
const HOST_BLOCKS = [
  "hook_context",
  "user-prompt-submit-hook",
  "session-start-hook",
  "system-reminder",
  "system_reminder",
] as const;

/** Nearly no text is dex's own. */
export function mayHaveOwnText(text: string): boolean {
  return text.includes(OWN_WORDS);
}

/** The text without dex's own. Blocks of hosts with the text of other programs stay. */
export function withoutOwnText(text: string): string {
  if (!mayHaveOwnText(text)) return text;
  let rest = text;
  for (const name of HOST_BLOCKS) rest = withoutBlocks(rest, name, (block) => block.includes(OWN_WORDS));
  if (rest.includes(OWN_WORDS)) rest = withoutOwnLines(rest);
  // The blank lines between a text and dex's are not part of it either.
  return rest.length === text.length ? text : rest.trimEnd();
}

/**
 * Removes `<name …>…</name>`, in any case, with the blocks of the same name inside it. An opening tag without a closing
 * one stays: the user may be writing about it, and `withoutOwnLines` checks the lines after it one by one.
 */
export function withoutBlocks(text: string, name: string, isWanted: (block: string) => boolean = () => true): string {
  let out = "";
  let from = 0;
  for (const [start, end] of outermostBlocks(text, name)) {
    if (!isWanted(text.slice(start, end))) continue;
    out += text.slice(from, start);
    from = end;
  }
  return out + text.slice(from);
}

function outermostBlocks(text: string, name: string): [start: number, end: number][] {
  const tags = new RegExp(`<(/?)${name}(?:\\s[^<>]{0,300})?>`, "gi");
  const opened: number[] = [];
  const blocks: [start: number, end: number][] = [];
  for (const tag of text.matchAll(tags)) {
    const start = tag[1] === "" ? void opened.push(tag.index) : opened.pop();
    if (start === undefined) continue;
    while ((blocks.at(-1)?.[0] ?? -1) > start) blocks.pop();
    blocks.push([start, tag.index + tag[0].length]);
  }
  return blocks;
}

/** From dex's first line on, the facts and titles that follow it. */
function withoutOwnLines(text: string): string {
  let isInside = false;
  return text
    .split("\n")
    .filter((line) => {
      if (line.includes(OWN_WORDS) && OWN_HEAD.test(line)) isInside = true;
      else if (isInside && !OWN_LINE.test(line)) isInside = false;
      return !isInside;
    })
    .join("\n");
}
