/**
 * An operation's schemas for the definition of its tool. Every agent pays for these tokens in every session, so they
 * hold only what a call needs; the server's errors report bounds and unknown names.
 */
import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { asArray, asObject, type JsonObject } from "../../kernel/json.ts";
import type { Operation } from "../../operations/operation.ts";
import type { StructuredForm } from "./answer.ts";

type ObjectSchema = JsonObject & { type: "object" };

export function definitionOf(operation: Operation, structured: StructuredForm): Tool {
  const { name, summary, readOnly, idempotent } = operation;
  return {
    name,
    description: summary,
    inputSchema: inputSchema(operation),
    outputSchema: structured === "full" ? outputSchema(operation) : LINES_SCHEMA,
    annotations: readOnly
      ? { readOnlyHint: true, openWorldHint: false }
      : { destructiveHint: false, idempotentHint: idempotent, openWorldHint: false },
  };
}

export function inputSchema(operation: Operation): ObjectSchema {
  const full = slim(z.toJSONSchema(operation.input, { io: "input" }) as JsonObject);
  const unlisted: readonly string[] = operation.unlisted ?? [];
  const listed = Object.entries(asObject(full.properties)).filter(([name]) => !unlisted.includes(name));
  return { ...full, type: "object", properties: Object.fromEntries(listed) };
}

/** Structured content that is the text of the answer. */
const LINES_SCHEMA: ObjectSchema = {
  type: "object",
  properties: { lines: { type: "array", items: { type: "string" } } },
  required: ["lines"],
};

/** The required fields of an answer, with their type where it is an array or object, but without nested fields. */
function outputSchema(operation: Operation): ObjectSchema {
  const full = z.toJSONSchema(operation.output, { io: "output" }) as JsonObject;
  const required = asArray(full.required);
  const groups = Object.entries(asObject(full.properties)).flatMap(([name, schema]) => {
    const { type } = asObject(schema);
    return required.includes(name) && (type === "array" || type === "object") ? [[name, { type }]] : [];
  });
  return { type: "object", properties: Object.fromEntries(groups), required };
}

const LEFT_OUT = new Set([
  "$schema",
  "additionalProperties",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
]);

function slim(schema: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(key) || (key === "required" && asArray(value).length === 0)) continue;
    if (key === "default" && !value) continue;
    if (key === "properties") {
      const fields = Object.entries(asObject(value)).map(([name, field]) => [name, slim(asObject(field))]);
      kept.properties = Object.fromEntries(fields) as JsonObject;
    } else if (key === "items") {
      kept.items = slim(asObject(value));
    } else {
      kept[key] = value;
    }
  }
  return kept;
}
