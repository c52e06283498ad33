/** `dex config list`: all settings. */
import * as z from "zod";
import { settingKeys, settingValues } from "../../../config/keys.ts";
import { readConfig } from "../../../config/settings.ts";
import { defineOperation } from "../../operation.ts";
import { describeSetting, settingField } from "./fields.ts";

export const configList = defineOperation({
  name: "config_list",
  verb: "config list",
  summary: "List all settings with their values and origins",
  positionals: [],
  input: z.strictObject({ set: z.boolean().default(false).describe("Only settings that differ from their default") }),
  output: z.object({ path: z.string(), settings: z.array(settingField) }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  withoutSettings: true,
  run: async (dex, input) => {
    const values = settingValues(settingKeys(), await readConfig(dex.paths.config), dex.vars);
    const shown = values.filter(({ origin }) => !input.set || origin !== "default");
    return { path: dex.paths.config, settings: shown.map(describeSetting) };
  },
});
