/**
 * The first line of every text that dex gives to a model, and the removal of such texts from a prompt. Hosts pass on a
 * prompt together with the texts of earlier hooks (Gemini CLI puts them in front, in `<hook_context>`). If dex mistook
 * them for the user's words, it would answer itself.
 */
export const HEADS = {
  start: "Recorded by dex about this project before this session; each line ends with its source and date:",
  prompt: "Recorded by dex and possibly related to this request; each line ends with its source and date:",
  files: "Recorded by dex about this file; each line ends with its source and date:",
  edit: "Recorded by dex about earlier changes of this file; each line ends with its source and date:",
  command: "Recorded by dex about earlier runs of this command; each line ends with its source and date:",
} as const;

const OWN_HEADS: readonly string[] = Object.values(HEADS);
/** Blocks that only hosts write. */
const HOST_BLOCKS = ["hook_context"];
/** Blocks that are removed only if they contain dex's text. */
const BLOCKS_WITH_OWN_WORDS = ["system-reminder", "dex-context", "dex-handoff"];
/** A fact, or the title of a group of facts. */
const OWN_LINE = /^\s*(?:- \S.*|[A-Z][\w ,'-]{0,60}:)\s*$/;

/** A prompt without the texts that hosts and dex inserted. */
export function withoutInjected(prompt: string): string {
  let text = prompt;
  for (const name of HOST_BLOCKS) text = withoutBlocks(text, name, () => true);
  for (const name of BLOCKS_WITH_OWN_WORDS) text = withoutBlocks(text, name, isOwn);
  return text.includes("Recorded by dex") ? withoutOwnLines(text) : text;
}

function isOwn(block: string): boolean {
  return block.startsWith("<dex-") || OWN_HEADS.some((head) => block.includes(head));
}

/** A block without its closing tag stays; `withoutOwnLines` checks its lines one by one. */
function withoutBlocks(text: string, name: string, isWanted: (block: string) => boolean): string {
  const opens = `<${name}`;
  const closes = `</${name}>`;
  let out = "";
  let from = 0;
  for (let at = text.indexOf(opens); at >= 0; at = text.indexOf(opens, from)) {
    const close = text.indexOf(closes, at);
    if (close < 0) break;
    const end = close + closes.length;
    out += text.slice(from, isWanted(text.slice(at, end)) ? at : end);
    from = end;
  }
  return out + text.slice(from);
}

/** From dex's first line on, the facts and titles that follow it. */
function withoutOwnLines(text: string): string {
  let isInside = false;
  return text
    .split("\n")
    .filter((line) => {
      if (OWN_HEADS.some((head) => line.includes(head))) isInside = true;
      else if (isInside && !OWN_LINE.test(line)) isInside = false;
      return !isInside;
    })
    .join("\n");
}
