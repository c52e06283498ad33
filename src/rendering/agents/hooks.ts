/** Renders whether hooks are on, and where agents have them set up. */

import type * as z from "zod";
import type { hooks } from "../../operations/agents/hooks.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Style, type Terminal } from "../terminal.ts";

type Output = z.output<(typeof hooks)["output"]>;
type State = Output["agents"][number]["state"];

const STATES: Readonly<Record<State, { text: string; style: Style }>> = {
  on: { text: "set up", style: "green" },
  disabled: { text: "set up, but disableAllHooks in its settings turns all hooks off", style: "yellow" },
  broken: { text: "broken: its command does not exist; run `dex install --hooks`", style: "red" },
  none: { text: "not set up", style: "dim" },
  not_ours: { text: "the file does not belong to dex", style: "yellow" },
  unreadable: { text: "its settings cannot be read", style: "red" },
};

function renderHooks(output: Output, terminal: Terminal): string {
  const lines = [
    output.enabled
      ? output.here
        ? "Hooks are on."
        : `Hooks are off in ${cleanText(output.project)}; \`dex hooks on --project\` turns them on.`
      : "Hooks are off; `dex hooks on` turns them on.",
    ...output.agents.map(({ name, scope, file, state }) => {
      const { text, style } = STATES[state];
      const where = scope === "project" ? ", this project" : "";
      return `${paint(terminal, "bold", name)}${where}: ${paint(terminal, style, text)} (${cleanText(file)})`;
    }),
  ];
  if (!output.agents.some(({ state }) => state === "on")) lines.push("`dex install --hooks` sets them up.");
  return lines.join("\n");
}

export const HOOK_RENDERERS = { hooks: renderHooks, "hooks on": renderHooks, "hooks off": renderHooks };
