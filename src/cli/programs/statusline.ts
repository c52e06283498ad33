import * as z from "zod";
import { defineProgram } from "../command.ts";

export const statusline = defineProgram({
  verb: "statusline",
  summary: "Print one line about dex for the status line of an agent",
  about:
    "Reads the session as JSON from stdin and prints one line: the number of conversations, the facts that hooks gave to " +
    "this session, and the hooks that were late today. Always exits with status 0. `dex install --statusline` sets it up.",
  positionals: [],
  input: z.strictObject({}),
  run: async () => (await import("../../hooks/statusline.ts")).statusline(),
});
