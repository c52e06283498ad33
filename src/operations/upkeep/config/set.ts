/** `dex config set`: writes a setting to the file. */
import * as z from "zod";
import { changeConfig } from "../../../config/file.ts";
import { readValue, settingKey, settingValues } from "../../../config/keys.ts";
import { loadSettings, readConfig } from "../../../config/settings.ts";
import type { Dex } from "../../../dex.ts";
import { DexError } from "../../../kernel/errors.ts";
import { embedInBackground } from "../../../sync/embedding/background.ts";
import { defineOperation, type OperationContext } from "../../operation.ts";
import { describeSetting, settingField } from "./fields.ts";

export const configSet = defineOperation({
  name: "config_set",
  verb: "config set",
  summary: "Change a setting",
  positionals: ["key", "value"],
  input: z.strictObject({
    key: z.string().min(1).max(200).describe("llm.model, sync.headless, …; `dex config list` shows all"),
    value: z
      .string()
      .max(10_000)
      .optional()
      .describe(
        "The value; lists are separated by commas. Without one, or with -, dex prompts for it or reads stdin (use this for API keys)",
      ),
  }),
  output: z.object({ path: z.string(), setting: settingField }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  withoutSettings: true,
  run: async (dex, input, context) => {
    const setting = settingKey(input.key);
    const typed = input.value === undefined || input.value === "-" ? await context.value?.(setting.key) : input.value;
    if (typed === undefined) {
      throw new DexError("bad_usage", `dex config set needs a value for ${setting.key}.`, {
        hint: `\`dex config reset ${setting.key}\` restores the default.`,
      });
    }
    const text = setting.type === "text" ? typed : typed.trim();
    const remaining = await changeConfig(dex.paths.config, [{ key: setting.key, value: readValue(setting, text) }]);
    for (const problem of remaining) context.notice?.(`${dex.paths.config}: ${problem}`);
    const [now] = settingValues([setting], await readConfig(dex.paths.config), dex.vars);
    if (!now) throw new Error(`no value of ${setting.key}`);
    if (now.origin === "environment") {
      context.notice?.(`The environment variable ${now.variable} overrides ${now.key}.`);
    }
    if (setting.key.startsWith("embedding.")) await startEmbedding(dex, context);
    return { path: dex.paths.config, setting: describeSetting(now) };
  },
});

/** A new model starts to embed at once. Settings that are not complete yet, such as an address without a model, wait. */
async function startEmbedding({ paths, vars, store }: Dex, context: OperationContext): Promise<void> {
  try {
    const settings = await loadSettings(paths.config, vars);
    const told = embedInBackground({ settings, paths, vars }, store, true);
    if (told !== undefined) context.notice?.(told);
  } catch (error) {
    if (!(error instanceof DexError)) throw error;
  }
}
