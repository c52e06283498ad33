import { existsSync } from "node:fs";
import * as z from "zod";
import { changeConfig, withConfigLock, writeConfig } from "../../config/file.ts";
import { settingsNamed, valueAt } from "../../config/keys.ts";
import { readConfig, readConfigText } from "../../config/settings.ts";
import { DexError } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { defineOperation } from "../operation.ts";

export const configReset = defineOperation({
  name: "config_reset",
  verb: "config reset",
  summary: "Give settings their defaults again",
  positionals: ["keys"],
  input: z.strictObject({
    keys: z.array(z.string().min(1).max(200)).max(100).default([]).describe("Settings or groups"),
    all: z.boolean().default(false).describe("All of them; the old file is kept beside the new one"),
  }),
  output: z.object({ path: z.string(), reset: z.array(z.string()), kept: z.string().optional() }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  unread: true,
  run: async (dex, { keys, all }, context) => {
    const path = dex.paths.config;
    if (all === keys.length > 0) {
      throw new DexError("bad_usage", "dex config reset needs the settings to reset, or --all.", {
        hint: "`dex config list --set` shows what is not at its default.",
      });
    }
    if (all) return withConfigLock(path, () => resetAll(path));
    const named = keys.flatMap(settingsNamed);
    const file = await readConfig(path);
    const held = named.filter(({ key }) => valueAt(file, key) !== undefined).map(({ key }) => key);
    if (held.length === 0) return { path, reset: [] };
    const remaining = await changeConfig(
      path,
      held.map((key) => ({ key, value: undefined })),
    );
    for (const problem of remaining) context.notice?.(`${path}: ${problem}`);
    return { path, reset: held };
  },
});

/** Also where the file is so broken that nothing in it can be named. */
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
