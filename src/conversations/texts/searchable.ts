/** The text of a message's part that a search looks at: what was said, what a tool got, and what it returned. */
import type { Json } from "../../kernel/json.ts";
import type { Part } from "../model.ts";

export function searchableText(part: Part): string {
  if (part.type === "tool_result") return part.output;
  if (part.type !== "tool_call") return part.text;
  const words = [part.name];
  collectStrings(part.input, words);
  return words.join("\n");
}

/** Every string and number of a tool's input, without the keys, which belong to the tool. */
function collectStrings(value: Json | undefined, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "number") into.push(String(value));
  else if (Array.isArray(value)) for (const each of value) collectStrings(each, into);
  else if (value !== null && typeof value === "object")
    for (const each of Object.values(value)) collectStrings(each, into);
}
