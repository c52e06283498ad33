/** Renders the changes to agents' settings, made or planned: one line per agent and a diff of each file. */
import type * as z from "zod";
import { formatCount, plural } from "../../kernel/text.ts";
import type { install } from "../../operations/agents/install.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Style, type Terminal } from "../terminal/terminal.ts";

type InstallOutput = z.output<(typeof install)["output"]>;
type Output = Omit<InstallOutput, "first_sync">;
type Row = Output["agents"][number];

const CHANGES = new Set<Row["status"]>(["added", "updated", "replaced", "removed"]);

function renderInstall(output: InstallOutput, terminal: Terminal): string {
  const none =
    output.scope === "project" ? "No agent was found for this project." : "No agent was found on this machine.";
  if (output.agents.length === 0) return `${none} Name one: \`dex install claude_code\`.`;
  const lines = [render(output, terminal, "already connected"), syncLine(output.first_sync)];
  return lines.filter((text) => text !== "").join("\n");
}

/** Other outcomes of the sync are notices. */
function syncLine(sync: InstallOutput["first_sync"]): string {
  if (sync?.status !== "done") return "";
  const { conversations = 0, seconds = 0 } = sync;
  return `Indexed ${plural(conversations, "conversation")} in ${formatCount(Math.ceil(seconds))} s; agents can search them now.`;
}

function renderUninstall(output: Output, terminal: Terminal): string {
  if (output.agents.length === 0) return "No agent has settings that could contain dex.";
  return render(output, terminal, "not connected");
}

function render(output: Output, terminal: Terminal, unchanged: string): string {
  const lines: string[] = [];
  for (const row of output.agents) {
    lines.push(line(row, terminal, unchanged, output.written));
    if (row.diff) lines.push("", ...row.diff.split("\n").map((text) => paintDiff(text, terminal)), "");
  }
  const changes = output.agents.some(({ status }) => CHANGES.has(status));
  if (output.held === "dry_run") lines.push("Nothing was written (--dry-run).");
  if (output.held === "declined") lines.push("Nothing was written.");
  if (output.written && changes) lines.push(paint(terminal, "dim", "Restart running agents to apply the changes."));
  return lines.join("\n");
}

const STATUSES: Readonly<Record<Row["status"], { now: string; would: string; style: Style }>> = {
  added: { now: "connected", would: "would be connected", style: "green" },
  updated: { now: "connected again", would: "would be connected again", style: "green" },
  replaced: {
    now: "connected, another entry replaced",
    would: "would be connected, another entry replaced",
    style: "yellow",
  },
  removed: { now: "disconnected", would: "would be disconnected", style: "green" },
  unchanged: { now: "", would: "", style: "dim" },
  not_ours: { now: "not changed", would: "not changed", style: "yellow" },
  failed: { now: "failed", would: "failed", style: "red" },
};

function line(row: Row, terminal: Terminal, unchanged: string, written: boolean): string {
  const { now, would, style } = STATUSES[row.status];
  const status = row.status === "unchanged" ? unchanged : written ? now : would;
  const about = [
    row.note,
    row.diff || row.status === "failed" ? undefined : row.file,
    row.backup && `backup: ${row.backup}`,
  ].filter(Boolean);
  const tail = about.length > 0 ? ` (${cleanText(about.join("; "))})` : "";
  return `${paint(terminal, "bold", row.name)}: ${paint(terminal, style, status)}${tail}`;
}

function paintDiff(text: string, terminal: Terminal): string {
  const shown = `  ${cleanText(text)}`;
  if (/^(---|\+\+\+|@@)/.test(text)) return paint(terminal, "dim", shown);
  return paint(terminal, text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : "dim", shown);
}

export const INSTALL_RENDERERS = { install: renderInstall, uninstall: renderUninstall };
