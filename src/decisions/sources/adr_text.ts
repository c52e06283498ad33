/** The texts of decision records: their statement, its reason, and the names of options. */
import { oneLine } from "../../kernel/text.ts";

const MAX_TEXT_CHARS = 400;

/**
 * The first sentence. One that ends with a colon includes the list, the table or the first line of the code below it.
 */
export function wholeStatement(text: string): string {
  const first = firstProse(text) ?? "";
  if (!first.endsWith(":")) return first;
  const blocks = text.replace(/(```|~~~).*\n([^\n]*)[\s\S]*?\1/g, "- $2").split(/\n\s*\n/);
  const after = blocks.slice(1 + blocks.findIndex((block) => block.replace(/\s+/g, " ").includes(first)));
  const end = after.findIndex((block) => !/^\s*(?:[-+*|]|\d+\.)/.test(block));
  const items = ` ${after
    .slice(0, end < 0 ? undefined : end)
    .join(" ")
    .replace(/\s+/g, " ")}`
    .split(/\s+(?:[-+*]|\d+\.)\s+/)
    .map((each) =>
      each
        .replace(/[*`|]|-{3,}/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((each) => each !== "");
  return items.length === 0 ? first : `${first} ${items.join("; ")}`;
}

export function firstProse(text: string | undefined): string | undefined {
  const paragraph = (text ?? "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/)
    .map(oneLine)
    .find((each) => each !== "");
  return paragraph?.replace(/^[*-]\s+/, "");
}

export function proseOf(text: string | undefined): string | undefined {
  return firstProse(text) === undefined ? undefined : text;
}

/** The reason of the statement itself: later paragraphs give reasons for details. */
export function becauseOf(text: string): string | null {
  const statement = firstProse(text) ?? "";
  const sentence = statement
    .split(/(?<=[.!?])\s+/)
    .find((each) => /\b(?:because|since|so that|due to|to achieve)\s/i.test(each));
  // "If a baseline changes because of this, add a note" gives no reason for the decision.
  if (sentence === undefined || /^(?:if|when|whenever|unless|where)\b/i.test(sentence)) return null;
  const reason = /\b(?:because|since|so that|due to|to achieve)\s+(.+?)[.!?]?$/i.exec(sentence)?.[1];
  return reason ? tidy(reason) : null;
}

/** The option that was chosen: `**Plain SQL.** Chosen.` */
export const TAKEN = /^(?:\*\*.+?\*\*[\s:—–-]*)?(?:chosen|accepted|selected|adopted)\b/i;

/** The items of a list, with the lines that continue them. */
export function itemsOf(text: string): string[] {
  const items: string[] = [];
  for (const line of text.split("\n")) {
    const begun = /^ {0,3}(?:[*+-]|\d+\.)\s+(.+)$/.exec(line)?.[1];
    if (begun !== undefined) items.push(begun);
    else if (/^\s+\S/.test(line) && !/^\s+(?:[*+-]|\d+\.)\s/.test(line) && items.length > 0) {
      items.push(`${items.pop()} ${line.trim()}`);
    }
  }
  return items;
}

/**
 * `**Keep both converters.** Rejected. That preserves …` is called by its bold words, `Redis: one more server` by those
 * before the colon, others by their first sentence.
 */
export function optionName(item: string): string {
  const bold = /^\*\*(.+?)[.:]?\*\*/.exec(item)?.[1] ?? /^((?:\S+ ){0,4}[^\s:]+)(?::| [—–]) /.exec(item)?.[1];
  return tidy(bold ?? item.split(/(?<=[a-z)`][.;])\s+/)[0] ?? item);
}

export function tidy(text: string): string {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_]{2}/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^"|"$/g, "");
  return plain.length > MAX_TEXT_CHARS ? `${plain.slice(0, MAX_TEXT_CHARS - 1)}…` : plain;
}
