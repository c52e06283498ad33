/**
 * Extracts decisions with a language model, if one is configured. The model sees only messages with decision words and
 * must quote them: an answer whose quote is not in the message is dropped. The caller provides the model.
 */
import type { Message } from "../../conversations/model.ts";
import { ownerOf } from "../../history/scan.ts";
import { asArray, asObject, asString, type JsonObject, parseJson } from "../../kernel/json.ts";
import { oneLine } from "../../kernel/text.ts";
import type { FoundDecision } from "../../store/history_records.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { decisionId, mentionsIn, type NameResolver } from "../decision.ts";
import { DECISION_WORDS } from "../wording/cues.ts";

/** Returns the model's answer as text. */
export type AskModel = (prompt: string, schema: JsonObject) => Promise<string>;

export const MODEL_SCORE = 6;
const MAX_WINDOW_CHARS = 24_000;
const MAX_WINDOWS = 20;
const MAX_MESSAGE_CHARS = 6000;

const TASK = `Below are messages between a person and a coding agent, each after a line with its number. List the decisions
about the software that were made in them: what was chosen, by whom it was agreed or done. Leave out plans for the next
minute, questions, options that were only weighed, and what the text quotes from elsewhere. For each give: "decision", one
sentence; "because", the stated reason or null; "alternatives", what was not taken; "entities", files and names it is about;
"message", the number; "quote", words copied exactly from that message. Answer with JSON: {"decisions": [...]}.`;

const TEXT = { type: "string" };
const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    decisions: {
      type: "array",
      items: {
        type: "object",
        properties: {
          decision: TEXT,
          because: { type: ["string", "null"] },
          alternatives: { type: "array", items: TEXT },
          entities: { type: "array", items: TEXT },
          message: { type: "integer" },
          quote: TEXT,
        },
        required: ["decision", "because", "alternatives", "entities", "message", "quote"],
        additionalProperties: false,
      },
    },
  },
  required: ["decisions"],
  additionalProperties: false,
};

export interface ModelDecisions {
  decisions: FoundDecision[];
  windows: number;
  /** Invalid answers, and answers whose quote is not in the message. */
  dropped: number;
}

/** A separate owner: these decisions stay when the conversation is scanned again without a model. */
export function modelOwner(row: { source: string; id: string }): string {
  return `model:${ownerOf(row)}`;
}

export async function modelDecisions(
  row: TrailConversation,
  messages: Iterable<{ index: number; message: Message }>,
  names: NameResolver,
  ask: AskModel,
): Promise<ModelDecisions> {
  const texts = new Map<number, { text: string; time: number }>();
  for (const { index, message } of messages) {
    const text = textOf(message).slice(0, MAX_MESSAGE_CHARS);
    const time = message.time === undefined ? row.updated : Date.parse(message.time);
    if (DECISION_WORDS.test(text)) texts.set(index, { text, time });
  }
  const decisions: FoundDecision[] = [];
  let dropped = 0;
  const windows = windowsOf(texts);
  for (const window of windows) {
    const answer = asObject(parseJson(jsonPart(await ask(`${TASK}\n\n${window}`, SCHEMA))));
    for (const item of asArray(answer.decisions).map(asObject)) {
      const message = texts.get(Number(item.message));
      const text = asString(item.decision)?.trim();
      const quote = asString(item.quote)?.trim();
      if (!message || !text || !quote || !oneLine(message.text).includes(oneLine(quote))) {
        dropped += 1;
        continue;
      }
      decisions.push(foundDecision(row, Number(item.message), message.time, item, text, names));
    }
  }
  return { decisions, windows: windows.length, dropped };
}

function foundDecision(
  row: TrailConversation,
  index: number,
  time: number,
  item: JsonObject,
  text: string,
  names: NameResolver,
): FoundDecision {
  const list = (value: unknown): string[] => asArray(value).flatMap((each) => asString(each)?.slice(0, 300) ?? []);
  const { files, symbols } = mentionsIn([text, ...list(item.entities).map((name) => `\`${name}\``)].join(" "), names);
  return {
    id: decisionId(text),
    origin: "conversation",
    owner: modelOwner(row),
    place: `${row.id}#${index}`,
    text: text.slice(0, 400),
    because: asString(item.because)?.slice(0, 300) ?? null,
    alternatives: list(item.alternatives).slice(0, 10),
    files,
    symbols,
    score: MODEL_SCORE,
    time,
    status: "proposed",
  };
}

function windowsOf(texts: ReadonlyMap<number, { text: string }>): string[] {
  const windows: string[] = [];
  for (const [index, { text }] of texts) {
    const block = `--- message ${index}\n${text}\n`;
    const last = windows.at(-1);
    if (last !== undefined && last.length + block.length <= MAX_WINDOW_CHARS)
      windows[windows.length - 1] = last + block;
    else windows.push(block);
  }
  return windows.slice(0, MAX_WINDOWS);
}

function textOf(message: Message): string {
  if (message.role !== "user" && message.role !== "assistant") return "";
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Models often put the JSON into a code fence. */
function jsonPart(text: string): string {
  return text.slice(Math.max(0, text.indexOf("{")), text.lastIndexOf("}") + 1);
}
