/** Renders the answer of `dex doctor`: agents, connections, indexes, disk, and problems with the command that fixes each. */
import type * as z from "zod";
import { formatBytes, plural } from "../../kernel/text.ts";
import type { doctor } from "../../operations/upkeep/doctor.ts";
import { coverageText } from "../../sync/embedding/background.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, table, when } from "../terminal/terminal.ts";

/** A list may have thousands of entries. */
const MAX_LISTED = 10;

type Output = z.output<(typeof doctor)["output"]>;

/** Most people have a few agents of many: the common ones are first in the list. */
const MAX_MISSING = 8;

function firstFew(names: readonly string[]): string {
  const more = names.length - MAX_MISSING;
  return more > 0 ? `${names.slice(0, MAX_MISSING).join(", ")} and ${more} more` : names.join(", ");
}

function renderDoctor(output: Output, terminal: Terminal): string {
  const found = output.agents.filter((agent) => agent.found || agent.conversations > 0);
  const missing = output.agents.filter((agent) => !found.includes(agent)).map(({ name }) => name);
  const rows = found.map((agent) => [
    agent.name,
    String(agent.files),
    formatBytes(agent.bytes),
    String(agent.conversations),
    agent.places.join(", "),
  ]);
  const { index } = output;
  const lines = [
    `dex ${output.version}, Node ${output.node}, home ${output.home}`,
    "",
    found.length === 0
      ? "No history of an agent was found."
      : table(
          terminal,
          [
            { title: "agent", style: "cyan" },
            { title: "files", align: "right" },
            { title: "size", align: "right" },
            { title: "indexed", align: "right" },
            { title: "place", flexible: true },
          ],
          rows,
        ),
    missing.length > 0 ? paint(terminal, "dim", `not found: ${firstFew(missing)}`) : "",
    ...output.left_out.map(({ what, setting }) => paint(terminal, "dim", `left out: ${cleanText(what)} (${setting})`)),
    ...connectionLines(output.connections, terminal),
    "",
    indexLine(index, terminal),
    ...(index.embedding ? [embeddingLine(index.embedding)] : []),
    ...collectionLines(output.collections, terminal),
    ...shortList(output.copies, copyLine),
    `disk: archive ${formatBytes(output.disk.archive)}, index ${formatBytes(output.disk.index)}`,
  ];
  for (const { path, malformed } of output.malformed.slice(0, MAX_LISTED)) {
    lines.push(paint(terminal, "yellow", `${plural(malformed, "malformed line")} in ${path}`));
  }
  lines.push(...shortList(output.unknown_files, (path) => `not a file of dex, left alone: ${path}`));
  lines.push(...shortList(output.fixed, (text) => paint(terminal, "green", `fixed: ${cleanText(text)}`)));
  lines.push(...shortList(output.lost, (text) => paint(terminal, "red", `lost: ${cleanText(text)}`)));
  for (const { what, fix } of output.problems) {
    lines.push(paint(terminal, "red", `problem: ${cleanText(what)} Run \`${cleanText(fix)}\`.`));
  }
  if (output.problems.length === 0) lines.push(paint(terminal, "green", "no problems found"));
  return lines.join("\n");
}

function copyLine({ folder, state, conversations, why }: Output["copies"][number]): string {
  const held = plural(conversations, "conversation");
  return state === "joined"
    ? `copy of this repository: ${cleanText(folder)}, ${held}: ${why}`
    : `perhaps a copy of this repository: ${cleanText(folder)}, ${held}: ${why} (history.copies confirms or refuses it)`;
}

function shortList<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - MAX_LISTED;
  return [...items.slice(0, MAX_LISTED).map(line), ...(more > 0 ? [`… and ${more} more; --json lists them`] : [])];
}

function embeddingLine({ running, ...state }: NonNullable<Output["index"]["embedding"]>): string {
  if (state.embedded >= state.all) return `vectors of ${state.model}, complete`;
  return running
    ? `${coverageText(state)}; a process is computing the others`
    : `${coverageText(state)}; \`dex sync\` or \`dex reindex --vectors\` computes the others`;
}

function indexLine(index: Output["index"], terminal: Terminal): string {
  const changed = plural(index.changed_files, "history file");
  if (index.state === "missing") {
    return index.changed_files === 0
      ? "No index yet; no agent history was found"
      : `No index yet; \`dex sync\` reads ${changed}`;
  }
  if (index.state === "outdated") return "The index was made by another version of dex; `dex sync` rebuilds it";
  if (index.state === "damaged") return "The index is damaged";
  const last = index.last_sync ? when(terminal, index.last_sync) : "never";
  const state = index.changed_files === 0 ? "up to date" : `${changed} changed since`;
  return `index ${index.state}, ${plural(index.conversations, "conversation")}, last sync ${last}, ${state}`;
}

function collectionLines(collections: Output["collections"], terminal: Terminal): string[] {
  if (collections.length === 0) return [];
  const lines = collections.map(({ name, origin, documents, synced, failed, trusted }) => {
    const state = !trusted
      ? paint(terminal, "yellow", "not trusted; run `dex trust`")
      : [
          plural(documents, "document"),
          synced ? `synced ${when(terminal, synced)}` : "not read yet; `dex docs sync` reads it",
          ...(failed > 0 ? [paint(terminal, "red", `${plural(failed, "failure")}`)] : []),
        ].join(", ");
    return `  ${cleanText(name)}${origin === "project" ? " (project)" : ""}: ${state}`;
  });
  return ["documentation:", ...lines];
}

const CONNECTION_TEXTS = {
  connected: { text: "connected", style: "green" },
  off: { text: "connected, but turned off in its settings", style: "yellow" },
  broken: { text: "connected, but cannot start:", style: "red" },
  not_ours: { text: "has another server of that name", style: "yellow" },
  none: { text: "not connected", style: "dim" },
  unreadable: { text: "settings cannot be read", style: "red" },
} as const;

function connectionLines(connections: Output["connections"], terminal: Terminal): string[] {
  if (connections.length === 0) return [];
  const lines = connections.map(({ name, state, scope, note, file }) => {
    const { text, style } = CONNECTION_TEXTS[state];
    const about = cleanText(note ?? file);
    return `  ${name}${scope === "project" ? " (project)" : ""}: ${paint(terminal, style, text)} ${paint(terminal, "dim", about)}`;
  });
  const has = (wanted: string): boolean => connections.some(({ state }) => state === wanted);
  const help = [has("broken") ? "repairs" : "", has("none") ? "connects" : ""].filter(Boolean).join(" and ");
  return ["", "dex in your agents:", ...lines, ...(help ? [`  \`dex install\` ${help} them`] : [])];
}

export const DOCTOR_RENDERERS = { doctor: renderDoctor };
