/** Whether hooks answer, and which agents run them. */

import type * as z from "zod";
import type { hooks } from "../../operations/agents/hooks.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Style, type Terminal } from "../terminal.ts";

type Output = z.output<(typeof hooks)["output"]>;
type State = Output["agents"][number]["state"];

const LOOKS: Readonly<Record<State, { says: string; style: Style }>> = {
  on: { says: "set up", style: "green" },
  disabled: { says: "set up, but its own settings keep all hooks off (disableAllHooks)", style: "yellow" },
  broken: { says: "leads nowhere; run `dex install --hooks`", style: "red" },
  none: { says: "not set up", style: "dim" },
  not_ours: { says: "the file is another's", style: "yellow" },
  unreadable: { says: "its settings cannot be read", style: "red" },
};

function renderHooks(output: Output, terminal: Terminal): string {
  const lines = [
    output.enabled
      ? output.here
        ? "Hooks answer."
        : `Hooks are off in ${cleanText(output.project)}; \`dex hooks on --project\` lets them answer.`
      : "Hooks are off; `dex hooks on` lets them answer.",
    ...output.agents.map(({ name, scope, file, state }) => {
      const { says, style } = LOOKS[state];
      const where = scope === "project" ? ", this project" : "";
      return `${paint(terminal, "bold", name)}${where}: ${paint(terminal, style, says)} (${cleanText(file)})`;
    }),
  ];
  if (!output.agents.some(({ state }) => state === "on")) lines.push("`dex install --hooks` sets them up.");
  return lines.join("\n");
}

export const HOOK_RENDERERS = { hooks: renderHooks, "hooks on": renderHooks, "hooks off": renderHooks };
