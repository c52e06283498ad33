/** Renders whether hooks are on, and where agents have them set up. */
import type * as z from "zod";
import { manyLate } from "../../integrations/hooks/outcome_counts.ts";
import { hookHostName } from "../../integrations/registry.ts";
import type { hooks } from "../../operations/agents/hooks.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Style, type Terminal } from "../terminal/terminal.ts";

type Output = z.output<(typeof hooks)["output"]>;
type State = Output["agents"][number]["state"];

const STATES: Readonly<Record<State, { text: string; style: Style }>> = {
  on: { text: "set up", style: "green" },
  outdated: { text: "set up by an earlier version of dex", style: "yellow" },
  disabled: { text: "set up, but turned off", style: "yellow" },
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
    ...momentLines(output),
    ...output.agents.map((agent) => {
      const { name, scope, file, state, off_by } = agent;
      const { text, style } = STATES[state];
      const where = scope === "project" ? ", this project" : "";
      const update = state === "outdated" ? updateText(agent) : "";
      const by = off_by === undefined ? "" : ` by ${cleanText(off_by)}`;
      return `${paint(terminal, "bold", name)}${where}: ${paint(terminal, style, `${text}${by}`)}${update} (${cleanText(file)})`;
    }),
  ];
  lines.push(...outcomeLines(output, terminal));
  if (!output.agents.some(({ state }) => state === "on" || state === "outdated"))
    lines.push("`dex install --hooks` sets them up.");
  return lines.join("\n");
}

function momentLines({ moments }: Output): string[] {
  const off = Object.entries(moments).flatMap(([moment, isOn]) => (isOn ? [] : [moment]));
  return off.length === 0 ? [] : [`Switched off: ${off.join(", ")} (hooks.moments, DEX_HOOKS, DEX_HOOKS_OFF).`];
}

function updateText({ agent, scope, missing }: Output["agents"][number]): string {
  const without = missing === undefined ? "" : `, without ${missing.join(", ")}`;
  return `${without}; run \`dex install ${agent} --hooks${scope === "project" ? " --project" : ""}\``;
}

/** One line per day and host; the reason of each late or failed hook is in the log. */
function outcomeLines({ outcomes, log }: Output, terminal: Terminal): string[] {
  if (outcomes.length === 0) return [];
  const rows = outcomes.map(({ day, host, answered, silent, late, failed }) => {
    const counts = [
      `${answered} answered`,
      `${silent} silent`,
      `${late} late`,
      ...(failed > 0 ? [`${failed} failed`] : []),
    ];
    return `  ${day} ${hookHostName(host)}: ${paint(terminal, late + failed > 0 ? "yellow" : "dim", counts.join(", "))}`;
  });
  const hasReasons = outcomes.some(({ late, failed }) => late + failed > 0);
  const many = manyLate(outcomes);
  return [
    "",
    ...rows,
    ...(hasReasons ? [`The reasons are in ${cleanText(log)}.`] : []),
    ...(many
      ? [`${many.late} of ${many.all} were late: run \`dex refresh\`; if that does not help, raise hooks.budgetMs.`]
      : []),
  ];
}

export const HOOK_RENDERERS = { hooks: renderHooks, "hooks on": renderHooks, "hooks off": renderHooks };
