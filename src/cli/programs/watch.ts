import * as z from "zod";
import { defineProgram } from "../command.ts";
import { jsonField } from "./fields.ts";

export const watch = defineProgram({
  verb: "watch",
  summary: "Keep the indexes of a project up to date while you work on it",
  about:
    "Watches a project's files, its git state, test reports and the agents' conversations, and updates the indexes " +
    "within two seconds of a change. Runs until you press Ctrl-C. A project has one watcher at a time.",
  positionals: ["folder"],
  input: z.strictObject({
    folder: z.string().max(4096).default(".").describe("The project's folder (default: the current one)"),
    json: jsonField.describe("Print each batch of changes as a line of JSON"),
    poll: z.boolean().default(false).describe("Poll instead of waiting for file events (network drives)"),
  }),
  run: async (input) => (await import("../running/watch.ts")).startWatch(input),
});
