/** Links of AsciiDoc as a reader sees them: `<<jib,the jib>>` is shown as "the jib". */
const REFERENCE = /<<([#\w][^<>,\n]{0,199})(?:,\s*([^<>\n]{1,300}))?>>/g;
const MACRO = /\b(?:xref|link):([^\s[\]]{1,500})\[([^\]\n]{0,300})\]/g;
/** Git's own macro for its manual pages. */
const MANUAL_PAGE = /\blinkgit:([\w.-]{1,60})\[(\d)\]/g;

export function withoutAsciidocLinks(text: string): string {
  if (!/<<|\b(?:xref|link|linkgit):/.test(text)) return text;
  return text
    .replace(REFERENCE, (_, target: string, shown?: string) => shown ?? target.replace(/^#|^_/, ""))
    .replace(MACRO, (_, target: string, shown: string) => shown.replace(/[,^].*$/, "") || target)
    .replace(MANUAL_PAGE, "$1($2)");
}
