/** `dex config get`: one setting or a group of settings. */
import * as z from "zod";
import { settingsNamed, settingValues } from "../../../config/keys.ts";
import { readConfig } from "../../../config/settings.ts";
import { defineOperation } from "../../operation.ts";
import { describeSetting, settingField } from "./fields.ts";

export const configGet = defineOperation({
  name: "config_get",
  verb: "config get",
  summary: "Show a setting or a group of settings",
  positionals: ["key"],
  input: z.strictObject({ key: z.string().min(1).max(200).describe("llm.model, or a group: llm") }),
  output: z.object({ settings: z.array(settingField) }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  withoutSettings: true,
  run: async (dex, { key }) => {
    const values = settingValues(settingsNamed(key), await readConfig(dex.paths.config), dex.vars);
    return { settings: values.map(describeSetting) };
  },
  isEmpty: ({ settings }) => settings.every(({ value }) => value === null),
});
