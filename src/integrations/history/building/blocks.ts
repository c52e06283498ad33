/** Content blocks in Anthropic's message form, which several agents store: text, thinking, tool_use, tool_result, image. */
import type { Part, ToolResultPart } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../kernel/json.ts";

/** Blocks of a content that may also be a bare string. */
export function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asArray(content).map((block) => (typeof block === "string" ? { type: "text", text: block } : asObject(block)));
}

/** The text of a tool result: a string, blocks of text and images, or any other JSON. */
export function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (isObject(content)) return firstString(content, "text", "output", "error") ?? JSON.stringify(content);
  return blocksOf(content)
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n");
}

function blockText(block: JsonObject): string {
  if (isAttachment(block)) return attachmentText(block);
  return firstString(block, "text", "result", "error", "content") ?? "";
}

/** Anthropic's and OpenAI's names, and pydantic's. */
const ATTACHMENT = /^(?:input_)?(image|document|file|audio|video)(?:[-_]?url)?$|^binary$/i;

export function isAttachment(block: JsonObject): boolean {
  return ATTACHMENT.test(blockKind(block)) || googleData(block) !== undefined;
}

/** The placeholder of an attachment: never its bytes. */
export function attachmentText(block: JsonObject): string {
  const data = googleData(block) ?? block;
  const type = firstString(data, "mimeType", "mime_type", "mediaType", "media_type", "mime", "MIMEType");
  const isImage = /^(?:input_)?image/i.test(blockKind(block)) || type?.startsWith("image/");
  return isImage ? "[image]" : "[file]";
}

function blockKind(block: JsonObject): string {
  return firstString(block, "type", "kind") ?? "";
}

/** Google's models get attachments in parts without a type. */
function googleData(block: JsonObject): JsonObject | undefined {
  return [block.inlineData, block.fileData].find(isObject);
}

/** An assistant's text, thinking and tool calls in order. */
export function assistantParts(blocks: readonly JsonObject[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const part = assistantPart(block);
    if (part) parts.push(part);
  }
  return parts;
}

function assistantPart(block: JsonObject): Part | undefined {
  if (isAttachment(block)) return { type: "text", text: attachmentText(block) };
  if (block.type === "text") return textPart("text", asString(block.text));
  if (block.type === "thinking") return textPart("thinking", asString(block.thinking));
  if (block.type !== "tool_use") return undefined;
  const name = asString(block.name);
  if (!name) return undefined;
  return defined({ type: "tool_call" as const, id: asString(block.id), name, input: block.input ?? {} });
}

export function textPart(type: "text" | "thinking", text: string | undefined): Part | undefined {
  const trimmed = text?.trim();
  return trimmed ? { type, text: trimmed } : undefined;
}

/** A tool_result block; `nameOf` finds the tool of the call it answers. */
export function resultPart(block: JsonObject, nameOf: (id: string) => string | undefined): ToolResultPart {
  const id = firstString(block, "tool_use_id", "id");
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : nameOf(id),
    output: contentText(block.content),
    is_error: block.is_error === true ? true : undefined,
  });
}
