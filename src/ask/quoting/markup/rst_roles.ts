/**
 * Inline markup of reStructuredText as a reader sees it: `` :meth:`~.Flask.route` `` is shown as `route()`. Patterns are
 * narrow enough to leave other markups alone, because a quoted unit does not know its document's format.
 */
import { ownMember } from "../../../kernel/own_member.ts";

const ROLE = /:((?:[a-z]{1,12}:)?[a-z]{1,20}):`([^`]{1,300})`/gi;
const TITLED = /^(.*\S)\s*<[^<>]*>$/;
const LINK = /`([^`<>]{1,300}?)\s*<(https?:\/\/[^<>`\s]{1,1000})>`__?/g;
const REFERENCE = /(?<!`)`([^`<>]{1,300})`__?(?![\w`])/g;
const LITERAL = /(?<!`)``([^`]{1,1000})``(?!`)/g;

const CALLED = new Set(["func", "meth", "decorator"]);
/** Roles for names in code and for text that is typed. */
const CODE = new Set(
  "func meth decorator class data attr mod exc obj const option envvar program command file samp kbd macro type".split(
    " ",
  ),
);
const PREFIXED: Readonly<Record<string, string>> = { pep: "PEP ", rfc: "RFC " };

export function withoutRstMarkup(text: string): string {
  if (!text.includes("`")) return text;
  return text
    .replace(ROLE, (_, role: string, content: string) => roleText(role.split(":").at(-1) ?? "", content))
    .replace(LINK, "[$1]($2)")
    .replace(REFERENCE, "$1")
    .replace(LITERAL, "`$1`");
}

function roleText(role: string, content: string): string {
  const title = TITLED.exec(content)?.[1];
  if (!CODE.has(role)) return `${ownMember(PREFIXED, role) ?? ""}${title ?? content}`;
  if (title !== undefined) return `\`${title}\``;
  const name = content.replace(/^[!.]+/, "");
  // A tilde shortens a dotted name to its last part.
  const shown = name.startsWith("~") ? (name.split(".").at(-1) ?? "").replace("~", "") : name;
  return `\`${shown}${CALLED.has(role) && !shown.endsWith(")") ? "()" : ""}\``;
}
