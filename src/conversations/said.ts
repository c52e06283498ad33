/** What a person or an agent said in a message: no code, no tags of the agent's, nothing the agent put in their name. */
import type { Message } from "./model.ts";
import { withoutProgramText } from "./program_text.ts";

/** Longer texts are pastes: what was said about them stands at their beginning. */
const LONGEST_TEXT = 20_000;
const FENCE = /^(?:```|~~~)[\s\S]*?^(?:```|~~~)[ \t]*$/gm;
const TAGGED = /<([a-z][\w-]{1,60})(?:\s[^>]{0,200})?>[\s\S]*?<\/\1>/gi;

/** The text a person typed; empty for what the agent put in their name. */
export function saidText(message: Message): string {
  if (message.kind === "summary") return "";
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += `${part.text}\n`;
  if (message.role === "user") text = withoutProgramText(text);
  return text.slice(0, LONGEST_TEXT).replace(FENCE, "\n").replace(TAGGED, "\n").trim();
}
