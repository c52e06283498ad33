import * as z from "zod";
import { defineProgram } from "../command.ts";
import { jsonField } from "./fields.ts";

const chatFields = {
  model: z.string().min(1).max(200).optional().describe("PROVIDER/MODEL to use instead of the configured one"),
  json: jsonField.describe("Print the answer and the facts of the chat as JSON"),
};

const query = z.array(z.string()).default([]).describe("The question; without one the chat waits for it");

export const chat = defineProgram({
  verb: "chat",
  summary: "Ask about your history in an OpenCode session of its own",
  about:
    "Talks with a model that has dex's tools, in OpenCode, apart from your own OpenCode history and settings. With a " +
    "query it answers and ends. `dex chat list` and `dex chat rm` look after earlier chats.",
  positionals: ["query"],
  input: z.strictObject({ query, ...chatFields }),
  run: async (input) => (await import("../running/chat.ts")).holdChatAtTerminal(input),
});

export const chatResume = defineProgram({
  verb: "chat resume",
  summary: "Continue a chat: the latest one, or the one you name",
  about: "Continues a chat that `dex chat` began.",
  positionals: ["id", "query"],
  input: z.strictObject({
    id: z.string().max(500).default("").describe("The chat's id, or a unique beginning of it"),
    query,
    ...chatFields,
  }),
  run: async ({ id, ...input }) => (await import("../running/chat.ts")).holdChatAtTerminal({ ...input, resume: id }),
});
