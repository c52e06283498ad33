/** Redacts a file without moving lines: line numbers stay the same even after a multi-line key. */

import { mergeSpans } from "./finders/span.ts";
import { privateSpans } from "./private.ts";
import { redactText } from "./redact.ts";
import { findSpans } from "./scan.ts";

export function redactLines(text: string): string[] {
  const hidden = privateSpans(text, "printed");
  const spans = hidden.length === 0 ? findSpans(text) : mergeSpans([...hidden, ...findSpans(text)]);
  if (spans.length === 0) return text.split("\n");
  let out = "";
  let from = 0;
  for (const { start, end, id } of spans) {
    const lines = text.slice(start, end).split("\n").length - 1;
    out += `${text.slice(from, start)}[REDACTED:${id}]${"\n".repeat(lines)}`;
    from = end;
  }
  return (out + text.slice(from)).split("\n").map((line) => redactText(line, "printed").text);
}
