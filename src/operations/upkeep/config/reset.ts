/** `dex config reset`: removes settings from the file, so that their defaults apply. */
import { existsSync } from "node:fs";
import * as z from "zod";
import { changeConfig, withConfigLock, writeConfig } from "../../../config/file.ts";
import { settingsNamed, valueAt } from "../../../config/keys.ts";
import { readConfig, readConfigText } from "../../../config/settings.ts";
import { DexError } from "../../../kernel/errors.ts";
import { writeFileAtomic } from "../../../kernel/files/atomic_write.ts";
import { defineOperation } from "../../operation.ts";

export const configReset = defineOperation({
  name: "config_reset",
  verb: "config reset",
  summary: "Reset settings to their defaults",
  positionals: ["keys"],
  input: z.strictObject({
    keys: z.array(z.string().min(1).max(200)).max(100).default([]).describe("Settings or groups"),
    all: z.boolean().default(false).describe("Reset all settings; the old file is kept under another name"),
  }),
  output: z.object({ path: z.string(), reset: z.array(z.string()), kept: z.string().optional() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  withoutSettings: true,
  run: async (dex, { keys, all }, context) => {
    const path = dex.paths.config;
    if (all === keys.length > 0) {
      throw new DexError("bad_usage", "needs either names of settings or --all.", {
        hint: "`dex config list --set` shows the settings that differ from their default.",
      });
    }
    if (all) return withConfigLock(path, () => resetAll(path));
    const named = keys.flatMap(settingsNamed);
    const file = await readConfig(path);
    const present = named.filter(({ key }) => valueAt(file, key) !== undefined).map(({ key }) => key);
    if (present.length === 0) return { path, reset: [] };
    const remaining = await changeConfig(
      path,
      present.map((key) => ({ key, value: undefined })),
    );
    for (const problem of remaining) context.notice?.(`${path}: ${problem}`);
    return { path, reset: present };
  },
});

/** Works even when the file is too broken to be parsed. */
function resetAll(path: string): { path: string; reset: string[]; kept?: string } {
  const text = readConfigText(path);
  if (text === undefined || text === "") return { path, reset: [] };
  const kept = freeName(path);
  writeFileAtomic(kept, text);
  writeConfig(path, "");
  return { path, reset: ["all"], kept };
}

function freeName(path: string): string {
  for (let i = 1; ; i += 1) if (!existsSync(`${path}.old-${i}`)) return `${path}.old-${i}`;
}
