/** Removes the tags of tables that are written as HTML in Markdown, for snippets. In code, tags are what it is about. */

const HAS_ROW = /<t[dhr]\b/i;
const CODE_OR_TAG =
  /(^ {0,3}(`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\2|(?![\s\S]))|`[^`\n]*`)|<\/?(?:table|thead|tbody|tr|t[dh])\b[^<>]*>/gim;

export function withoutTableTags(text: string): string {
  return HAS_ROW.test(text) ? text.replace(CODE_OR_TAG, (_, code?: string) => code ?? " ") : text;
}
