/** The form of a setting in the answers of `dex config`. */
import * as z from "zod";
import type { SettingValue } from "../../../config/keys.ts";
import { defined } from "../../../kernel/defined.ts";
import type { Json } from "../../../kernel/json.ts";

/** The value of a secret is always masked. */
export const settingField = z.object({
  key: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
  origin: z.enum(["default", "file", "environment"]),
  variable: z.string().optional(),
  description: z.string(),
  choices: z.array(z.string()).optional(),
});

/** The value is null when the setting is not set and has no default. */
export function describeSetting(setting: SettingValue): z.output<typeof settingField> {
  const { key, origin, variable, description, choices } = setting;
  const value = plainValue(setting.value ?? null);
  return defined({ key, value, origin, variable, description, choices: choices.length > 0 ? choices : undefined });
}

function plainValue(value: Json): z.output<typeof settingField>["value"] {
  if (Array.isArray(value)) return value.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
