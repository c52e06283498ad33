/** Redacts a message. A message without secrets is returned as the same object. */
import type { Message, Part } from "../conversations/model.ts";
import { replaceSpans } from "./finders/span.ts";
import { mayBePrivate, privateSpans } from "./private.ts";
import { redactJson, redactText } from "./redact.ts";

export function redactMessage(message: Message): { message: Message; count: number } {
  const open = withoutPrivate(message.parts);
  let { count } = open;
  const parts = open.parts.map((part) => {
    const clean = redactPart(part);
    count += clean.count;
    return clean.part;
  });
  return { message: count === 0 ? message : { ...message, parts }, count };
}

function redactPart(part: Part): { part: Part; count: number } {
  if (part.type === "tool_call") {
    const { value, count } = redactJson(part.input);
    return { part: count === 0 ? part : { ...part, input: value }, count };
  }
  if (part.type === "tool_result") {
    const { text, count } = redactText(part.output, "printed");
    return { part: count === 0 ? part : { ...part, output: text }, count };
  }
  const { text, count } = redactText(part.text);
  return { part: count === 0 ? part : { ...part, text }, count };
}

/** A private block may span several parts of a message, with its tags in different parts. */
function withoutPrivate(parts: readonly Part[]): { parts: readonly Part[]; count: number } {
  if (parts.length < 2) return { parts, count: 0 };
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  if (texts.length < 2 || !texts.some(mayBePrivate)) return { parts, count: 0 };
  const ends: number[] = [];
  for (const text of texts) ends.push((ends.at(-1) ?? 0) + text.length);
  const spans = privateSpans(texts.join(""), "said", ends);
  if (spans.length === 0) return { parts, count: 0 };
  let next = 0;
  const clean = parts.map((part) => {
    if (part.type !== "text") return part;
    const end = ends[next] ?? 0;
    next += 1;
    return { ...part, text: replacedIn(part.text, end - part.text.length, spans) };
  });
  return { parts: clean, count: spans.length };
}

/** Redacts one part, which starts at `from` in the joined text. */
function replacedIn(text: string, from: number, spans: ReturnType<typeof privateSpans>): string {
  const inside = spans
    .map(({ start, end, id }) => ({ start: Math.max(0, start - from), end: Math.min(text.length, end - from), id }))
    .filter(({ start, end }) => start < end);
  return inside.length === 0 ? text : replaceSpans(text, inside);
}
