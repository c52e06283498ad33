/** `dex` without arguments: what dex is, the state of the index, and the next steps, on one short screen. */
import { Dex } from "../dex.ts";
import { findRepository } from "../history/repository.ts";
import { plural } from "../kernel/text.ts";
import { connectionStates } from "../operations/agents/connections.ts";
import { paint, type Terminal, terminalOf, when } from "../rendering/terminal/terminal.ts";
import { fit, textWidth, wrap } from "../rendering/terminal/width.ts";
import { cleanLine } from "../text/clean.ts";
import { inTwoColumns } from "./help/two_columns.ts";
import { askToSync } from "./run_verb.ts";
import { isInteractive } from "./terminal/question.ts";

/** A longer list takes too long to read. */
const MAX_STEPS = 5;
const MAX_TITLE_COLUMNS = 60;
const MAX_PROJECTS = 10_000;

interface NextStep {
  command: string;
  what: string;
}

export async function showOverview(): Promise<number> {
  const dex = await Dex.open();
  try {
    const notice = await dex.freshen({ ask: isInteractive() ? askToSync : undefined });
    const terminal = terminalOf(process.stdout, process.env, Date.now());
    const steps = (await nextSteps(dex, notice !== undefined)).slice(0, MAX_STEPS);
    const width = Math.max(...steps.map(({ command }) => textWidth(command)));
    const lines = [
      wrap("dex finds what you and your coding agents did before.", terminal.width, ""),
      "",
      wrap(indexSummary(dex, terminal, notice), terminal.width, ""),
      "",
      ...steps.map((step) => stepLine(step, width, terminal)),
      "",
      "`dex help` lists all commands.",
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    return 0;
  } finally {
    dex.close();
  }
}

function indexSummary(dex: Dex, terminal: Terminal, notice: string | undefined): string {
  const { conversations, sources } = dex.store.totals();
  if (conversations === 0) return notice ?? "Nothing is indexed yet.";
  const agents = Object.keys(sources).length;
  const projects = dex.store.projects(MAX_PROJECTS).length;
  const lastSync = dex.store.getValue("last_sync");
  const ago = lastSync === undefined ? "" : `; last sync ${when(terminal, new Date(Number(lastSync)).toISOString())}`;
  const synced = ago !== "" && notice === undefined && !ago.endsWith("now") ? `${ago}, nothing new since` : ago;
  const known = `${plural(conversations, "conversation")} of ${plural(agents, "agent")} in ${plural(projects, "project")}${synced}.`;
  return notice === undefined ? known : `${known} ${notice}`;
}

/** The most useful first. `outdated`: the index needs a sync. */
async function nextSteps(dex: Dex, outdated: boolean): Promise<NextStep[]> {
  const known = dex.store.totals().conversations > 0;
  const connections = await connectionStates(dex);
  const broken = connections.filter(({ state }) => state === "broken").map(({ name }) => name);
  const connected = connections.some(({ state }) => state === "connected");
  const open = connections.filter(({ state }) => state === "none").map(({ name }) => name);
  const [latest] = dex.store.list({}, 1, 0);
  const steps: (NextStep | false)[] = [
    outdated && { command: "dex sync", what: known ? "index new history" : "index the history of your agents" },
    broken.length > 0 && { command: "dex install", what: `repair the connection to ${broken.join(", ")}` },
    !connected && open.length > 0 && { command: "dex install", what: `connect dex to ${open.join(", ")}` },
    known && { command: 'dex search "login bug"', what: "find conversations about it" },
    findRepository(dex.cwd) !== undefined && {
      command: 'dex ask "how do I run the tests?"',
      what: "answers from this project's documents, code and history",
    },
    known && { command: "dex list", what: "the latest conversations" },
    latest !== undefined && {
      command: `dex show ${latest.id.slice(0, 8)}`,
      what: fit(cleanLine(latest.title), MAX_TITLE_COLUMNS) || "read the latest",
    },
    known && { command: "dex stats", what: "totals of the index, by agent and project" },
    { command: "dex docs add ./docs", what: "make documentation searchable" },
    { command: "dex doctor", what: "check agents, connections and indexes" },
    !known && { command: "dex config list", what: "the settings" },
  ];
  return steps.filter((step) => step !== false);
}

function stepLine({ command, what }: NextStep, width: number, terminal: Terminal): string {
  const line = inTwoColumns(`  ${command}`, width + 4, what, terminal.width);
  return line.replace(command, () => paint(terminal, "cyan", command));
}
