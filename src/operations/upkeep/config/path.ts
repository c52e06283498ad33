/** `dex config path`: the path of the settings file. */
import { existsSync } from "node:fs";
import * as z from "zod";
import { defineOperation } from "../../operation.ts";

export const configPath = defineOperation({
  name: "config_path",
  verb: "config path",
  summary: "Print the path of the settings file",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({ path: z.string(), exists: z.boolean() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  withoutSettings: true,
  run: ({ paths: { config } }) => ({ path: config, exists: existsSync(config) }),
});
