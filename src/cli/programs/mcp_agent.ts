import * as z from "zod";
import { ASK_IN } from "../../ask/finding/places.ts";
import { defineProgram } from "../command.ts";
import { noGlobalField } from "./fields.ts";

export const mcpAgent = defineProgram({
  verb: "mcp agent",
  summary: "Serve one tool to agents (MCP): ask_documents",
  about:
    "Serves a single tool, ask_documents, over stdin and stdout until stdin closes. dex looks things up and reads " +
    "them here; only the answer reaches the caller's context.",
  positionals: [],
  input: z.strictObject({
    collections: z.array(z.string()).default([]).describe("Only these collections; no other is visible"),
    no_global: noGlobalField,
    in: z
      .enum(ASK_IN)
      .optional()
      .describe("Where to look (default: the declared collections; if there are none, everything about the project)"),
    model: z.string().min(1).max(200).optional().describe("Use this model instead of the configured one"),
    no_model: z.boolean().default(false).describe("Quote the sources, without the configured model"),
  }),
  run: async (input) => (await import("../../mcp/agent/agent.ts")).serveAgent(input),
});
