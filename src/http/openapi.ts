/** The description of the API for programs (OpenAPI 3.1), made from the schemas of the verbs. */
import * as z from "zod";
import { isOnWeb, type Operation } from "../operations/operation.ts";
import { FAMILIES, FAMILY_NAMES, OPERATIONS } from "../operations/registry.ts";
import { VERSION } from "../version.ts";
import { verbPath } from "./paths.ts";

/** The verbs never change while a server runs. */
let text: Promise<string> | undefined;

export function openApiText(): Promise<string> {
  text ??= describeApi().then((api) => `${JSON.stringify(api)}\n`);
  return text;
}

async function describeApi(): Promise<object> {
  const paths: Record<string, object> = {};
  for (const family of FAMILY_NAMES) {
    for (const verb of Object.keys(FAMILIES[family].verbs)) {
      const operation = await OPERATIONS[verb]?.();
      if (operation && isOnWeb(operation)) paths[verbPath(verb)] = { post: describeVerb(operation, family) };
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "dex", version: VERSION, description: "The verbs of dex over HTTP, on this machine only." },
    paths,
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
  required: ["code", "message"],
};

function describeVerb(operation: Operation, family: string): object {
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [family],
    requestBody: { content: jsonOf(schemaOf(operation.input, "input")) },
    responses: {
      200: { description: "The answer", content: jsonOf(schemaOf(operation.output, "output")) },
      default: { description: "An error", content: jsonOf({ $ref: "#/components/schemas/Error" }) },
    },
  };
}

function jsonOf(schema: object): object {
  return { "application/json": { schema } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, reused: "inline" }) as Record<string, unknown>;
  return described;
}
