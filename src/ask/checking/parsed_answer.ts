/** Parses a model's final message, JSON or plain text: the answer, the sources it cites by name, and its confidence. */
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../../kernel/json.ts";
import { CONFIDENCES, type Confidence } from "../answer.ts";
import type { Reading, ReadPassage } from "../passage.ts";

export interface ParsedAnswer {
  answer: string;
  named: ReadPassage[];
  /** Cited sources that were not read. */
  unread: string[];
  confidence?: Confidence;
  note?: string;
}

const CONFIDENCE_LINE = /^[ \t*_>#-]{0,20}confidence[ \t*_]{0,20}:[ \t*_]{0,20}(high|medium|low)[ \t*_.]{0,20}$/gim;
const MAX_SOURCES = 50;
const MAX_NOTE_CHARS = 500;

export function parseAnswer(text: string, reading: Reading): ParsedAnswer {
  const body = jsonAnswer(text);
  if (body) return fromJson(body, reading);
  const claims = [...text.matchAll(CONFIDENCE_LINE)].map(([, word = ""]) => word.toLowerCase());
  const confidence = CONFIDENCES.find((each) => each === claims.at(-1));
  const answer = withoutThinking(text).replace(CONFIDENCE_LINE, "").trim();
  return { answer, named: [], unread: [], ...(confidence ? { confidence } : {}) };
}

/** Some models answer in JSON regardless of the prompt, in a fence or with text around it. */
function jsonAnswer(text: string): JsonObject | undefined {
  const plain = withoutThinking(text).trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(plain)?.[1];
  const inner = fenced ?? plain;
  if (!inner.startsWith("{")) return undefined;
  const body = parseJson(inner);
  return isObject(body) && asString(body.answer) !== undefined ? body : undefined;
}

function fromJson(body: JsonObject, reading: Reading): ParsedAnswer {
  const named: ReadPassage[] = [];
  const unread: string[] = [];
  for (const entry of asArray(body.sources).slice(0, MAX_SOURCES)) {
    const source = asObject(entry);
    const ref = typeof entry === "string" ? entry : asString(source.ref);
    const document = asString(source.document) ?? "";
    const found =
      ref === undefined
        ? reading.byName(asString(source.collection), document, asString(source.section))
        : reading.byRef(ref.replace(/[[\]\s]/g, ""));
    if (found) named.push(found);
    else unread.push((ref ?? document).slice(0, 100));
  }
  const confidence = CONFIDENCES.find((each) => each === asString(body.confidence)?.toLowerCase());
  const note = asString(body.note)?.trim().slice(0, MAX_NOTE_CHARS);
  return {
    answer: (asString(body.answer) ?? "").trim(),
    named,
    unread,
    ...(confidence ? { confidence } : {}),
    ...(note ? { note } : {}),
  };
}

/** Some local models write their reasoning into the text. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, "");
}
