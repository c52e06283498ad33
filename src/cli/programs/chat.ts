import * as z from "zod";
import { defineProgram } from "../command.ts";
import { jsonField } from "./fields.ts";

const chatFields = {
  model: z.string().min(1).max(200).optional().describe("PROVIDER/MODEL to use instead of the configured one"),
  json: jsonField.describe("Print the answer and the facts about the chat as JSON"),
};

const query = z.array(z.string()).default([]).describe("The question (default: open OpenCode's interface)");

export const chat = defineProgram({
  verb: "chat",
  summary: "Ask about your history in an OpenCode session of its own",
  about:
    "Asks a model that has dex's tools, in OpenCode, separate from your own OpenCode history and settings. With a " +
    "question, it prints the answer and ends. `dex chat list` and `dex chat rm` manage earlier chats.",
  positionals: ["query"],
  input: z.strictObject({ query, ...chatFields }),
  run: async (input) => (await import("../running/chat.ts")).holdChatAtTerminal(input),
});

export const chatResume = defineProgram({
  verb: "chat resume",
  summary: "Continue a chat: the latest one, or the one you name",
  about: "Continues a chat that `dex chat` started.",
  positionals: ["id", "query"],
  input: z.strictObject({
    id: z.string().max(500).default("").describe("The chat's id or a unique prefix (default: the latest chat)"),
    query,
    ...chatFields,
  }),
  run: async ({ id, ...input }) => (await import("../running/chat.ts")).holdChatAtTerminal({ ...input, resume: id }),
});
