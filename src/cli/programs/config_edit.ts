import * as z from "zod";
import { defineProgram } from "../command.ts";

export const configEdit = defineProgram({
  verb: "config edit",
  summary: "Open the settings in your editor, and check them afterwards",
  about:
    "Opens config.yaml in $VISUAL or $EDITOR. dex does not save invalid settings: you can edit them again or give up.",
  positionals: [],
  input: z.strictObject({}),
  run: async () => (await import("../running/config_edit.ts")).editConfig(),
});
