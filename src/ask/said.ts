/** What a model's last words say: the answer, what it cites by name, and what it thinks of it. JSON or plain text. */
import { asArray, asObject, asString, isObject, type JsonObject, parseJson } from "../kernel/json.ts";
import { CONFIDENCES, type Confidence } from "./answer.ts";
import type { Reading, ReadPassage } from "./passage.ts";

export interface Said {
  answer: string;
  named: ReadPassage[];
  /** Sources it names that were not read. */
  unread: string[];
  confidence?: Confidence;
  note?: string;
}

const CONFIDENCE_LINE = /^[ \t*_>#-]{0,20}confidence[ \t*_]{0,20}:[ \t*_]{0,20}(high|medium|low)[ \t*_.]{0,20}$/gim;
const MOST_SOURCES = 50;
const LONGEST_NOTE = 500;

export function readSaid(text: string, reading: Reading): Said {
  const body = jsonAnswer(text);
  if (body) return fromJson(body, reading);
  const claims = [...text.matchAll(CONFIDENCE_LINE)].map(([, word = ""]) => word.toLowerCase());
  const confidence = CONFIDENCES.find((each) => each === claims.at(-1));
  const answer = withoutThinking(text).replace(CONFIDENCE_LINE, "").trim();
  return { answer, named: [], unread: [], ...(confidence ? { confidence } : {}) };
}

/** Some models answer in JSON whatever they are told, in a fence or with words around it. */
function jsonAnswer(text: string): JsonObject | undefined {
  const plain = withoutThinking(text).trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(plain)?.[1];
  const inner = fenced ?? plain;
  if (!inner.startsWith("{")) return undefined;
  const body = parseJson(inner);
  return isObject(body) && asString(body.answer) !== undefined ? body : undefined;
}

function fromJson(body: JsonObject, reading: Reading): Said {
  const named: ReadPassage[] = [];
  const unread: string[] = [];
  for (const entry of asArray(body.sources).slice(0, MOST_SOURCES)) {
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
  const note = asString(body.note)?.trim().slice(0, LONGEST_NOTE);
  return {
    answer: (asString(body.answer) ?? "").trim(),
    named,
    unread,
    ...(confidence ? { confidence } : {}),
    ...(note ? { note } : {}),
  };
}

/** Local models put their thoughts into the text. */
function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i, "");
}
