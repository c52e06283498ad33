/** The prose of a message: without code, tags, and text that the agent added to the user's message. */
import type { Message } from "../model.ts";
import { withoutProgramText } from "./program_text.ts";

/** Longer texts are pastes; the user's own words are at the start. */
const MAX_TEXT_CHARS = 20_000;
const FENCE = /^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$/gm;
const TAGGED = /<([a-z][\w-]{1,60})(?:\s[^>]{0,200})?>[\s\S]*?<\/\1>/gi;

/** Empty for summaries, and for user messages that a program wrote. */
export function typedText(message: Message): string {
  if (message.kind === "summary") return "";
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += `${part.text}\n`;
  if (message.role === "user") text = withoutProgramText(text);
  return text.slice(0, MAX_TEXT_CHARS).replace(FENCE, "\n").replace(TAGGED, "\n").trim();
}
