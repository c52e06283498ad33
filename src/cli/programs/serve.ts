import * as z from "zod";
import { defineProgram } from "../command.ts";
import { noGlobalField, portField } from "./fields.ts";

export const serve = defineProgram({
  verb: "serve",
  summary: "Serve dex's tools to agents (MCP), over stdio or HTTP",
  about:
    "Serves dex's tools to agents (MCP) over stdin and stdout until stdin closes, or over HTTP until you press Ctrl-C.",
  positionals: [],
  input: z.strictObject({
    tools: z
      .string()
      .max(200)
      .optional()
      .describe(
        "Sets of tools: conversations, documents, code, context, memory, usage, or all (default conversations)",
      ),
    port: portField
      .optional()
      .describe("Over HTTP instead, with the API and the page, on 127.0.0.1; 0 picks a free port"),
    structured: z
      .enum(["lines", "full"])
      .default("lines")
      .describe("The structured content of answers: the text as lines, or every field as --json prints it"),
    collections: z
      .array(z.string())
      .default([])
      .describe("Only these collections of documentation; no other is visible (implies --tools documents)"),
    no_global: noGlobalField.describe(
      "Only collections of the project in this folder; no other is visible (implies --tools documents)",
    ),
  }),
  run: async (input) =>
    input.port === undefined
      ? (await import("../../mcp/serve.ts")).serve(input)
      : (await import("../running/serve_http.ts")).serveOnPort({ ...input, port: input.port }),
});
