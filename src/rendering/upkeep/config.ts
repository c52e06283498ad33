/** Renders settings. */
import type * as z from "zod";
import { formatCount } from "../../kernel/text.ts";
import type { settingField } from "../../operations/upkeep/config/fields.ts";
import type { configGet } from "../../operations/upkeep/config/get.ts";
import type { configList } from "../../operations/upkeep/config/list.ts";
import type { configPath } from "../../operations/upkeep/config/path.ts";
import type { configReset } from "../../operations/upkeep/config/reset.ts";
import type { configSet } from "../../operations/upkeep/config/set.ts";
import { cleanText } from "../../text/clean.ts";
import { type Terminal, table } from "../terminal/terminal.ts";

type Setting = z.output<typeof settingField>;

function renderList({ path, settings }: z.output<typeof configList.output>, terminal: Terminal): string {
  if (settings.length === 0) return `All settings have their defaults; ${path} would contain others.`;
  return `${settingsTable(settings, terminal)}\n\n${path}`;
}

function settingsTable(settings: readonly Setting[], terminal: Terminal): string {
  const rows = settings.map((setting) => [setting.key, valueText(setting), originText(setting), setting.description]);
  const columns = [
    { title: "setting", style: "cyan" },
    { title: "value" },
    { title: "from" },
    { title: "", flexible: true },
  ] as const;
  return table(terminal, columns, rows);
}

/** A single setting is printed as its bare value, for `$(dex config get …)`. */
function renderGet({ settings }: z.output<typeof configGet.output>, terminal: Terminal): string {
  const [only] = settings;
  if (settings.length === 1 && only) return only.value === null ? `${only.key} is not set.` : valueText(only);
  return settingsTable(settings, terminal);
}

function valueText({ value }: Setting): string {
  if (value === null) return "-";
  if (Array.isArray(value)) return value.join(",");
  return cleanText(String(value));
}

function originText({ origin, variable }: Setting): string {
  return variable ?? origin;
}

function renderSet({ path, setting }: z.output<typeof configSet.output>): string {
  return `${setting.key}: ${valueText(setting)} (${path})`;
}

function renderPath({ path }: z.output<typeof configPath.output>): string {
  return path;
}

function renderReset({ path, reset, kept }: z.output<typeof configReset.output>): string {
  if (reset.length === 0) return `Nothing to reset: ${path} contains none of them.`;
  if (kept !== undefined) return `All settings have their defaults. The old file was saved as ${kept}.`;
  return `Reset ${reset.length > 3 ? `${formatCount(reset.length)} settings` : reset.join(", ")} in ${path}.`;
}

export const CONFIG_RENDERERS = {
  "config list": renderList,
  "config get": renderGet,
  "config set": renderSet,
  "config path": renderPath,
  "config reset": renderReset,
};
