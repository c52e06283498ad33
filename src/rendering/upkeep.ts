/** What is said of reading, keeping and repairing: the answers of verbs that look after the archive and the index. */

import type * as z from "zod";
import { formatBytes, plural } from "../kernel/text.ts";
import type { doctor } from "../operations/upkeep/doctor.ts";
import type { exportConversations } from "../operations/upkeep/export.ts";
import type { forget } from "../operations/upkeep/forget.ts";
import type { gc } from "../operations/upkeep/gc.ts";
import type { importFile } from "../operations/upkeep/import.ts";
import type { refresh } from "../operations/upkeep/refresh.ts";
import type { reindex } from "../operations/upkeep/reindex.ts";
import type { sync } from "../operations/upkeep/sync.ts";
import { LEFT_OUT_REASONS, type LeftOutReason } from "../sync/reading/events.ts";
import { stoppedText } from "../sync/totals.ts";
import { cleanText } from "../text/clean.ts";
import { paint, type Terminal, table, when } from "./terminal.ts";

/** Files listed where there may be thousands. */
const SHOWN = 10;

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

/** With the command that takes them in, where there is one. */
const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, (count: number) => string>> = {
  headless: (count) => `${plural(count, "session")} of programs (\`dex config set sync.headless true\` takes them in)`,
  excluded: (count) => `${plural(count, "conversation")} that sync.exclude names`,
  other_project: (count) => `${plural(count, "conversation")} of other projects (\`dex sync\` without --project)`,
  forgotten: (count) => `${plural(count, "forgotten conversation")}`,
  from_clone: (count) =>
    `${plural(count, "history file")} committed in a repository (\`dex trust --history <folder>\` takes them in)`,
};

function renderSync(output: Output<typeof sync>, terminal: Terminal): string {
  const lines = [
    `${paint(terminal, "bold", `${output.new} new, ${output.updated} updated, ${output.unchanged} unchanged`)} in ${output.seconds.toFixed(1)} s`,
    `${formatBytes(output.bytes)} read, ${plural(output.redactions, "secret")} redacted, ${plural(output.malformed, "malformed line")}`,
  ];
  if (output.files_left !== undefined) lines.push(stoppedText(output));
  if (output.embedding)
    lines.push(`vectors of ${plural(output.embedding, "message")} are being made in the background`);
  for (const reason of LEFT_OUT_REASONS) {
    const count = output.left_out[reason] ?? 0;
    if (count > 0) lines.push(paint(terminal, "dim", `left out on purpose: ${LEFT_OUT_WORDS[reason](count)}`));
  }
  for (const { path, error } of output.failed.slice(0, SHOWN)) {
    lines.push(paint(terminal, "red", cleanText(`not read: ${path}: ${error}`)));
  }
  const more = output.failed.length - SHOWN;
  if (more > 0) lines.push(paint(terminal, "red", `… and ${plural(more, "more file")}; --json lists them`));
  return lines.join("\n");
}

function renderRefresh(output: Output<typeof refresh>, terminal: Terminal): string {
  const { project, conversations, commits, code, decisions, ms } = output;
  const talks = conversations
    ? `${plural(conversations.new, "new conversation")}, ${conversations.updated} updated`
    : "conversations are being read by another process";
  const files = code
    ? `${plural(code.files, "file")} of code: ${code.added} added, ${code.changed} changed, ${code.removed} removed`
    : "code was not read (no git here; `dex code index` reads it)";
  return [
    `${paint(terminal, "bold", project)} is up to date, in ${(ms / 1000).toFixed(1)} s`,
    `${talks}; ${plural(commits, "commit")}; ${plural(decisions, "decision")} in force`,
    files,
  ].join("\n");
}

function renderReindex(output: Output<typeof reindex>): string {
  const time = `in ${output.seconds.toFixed(1)} s`;
  if (output.embedded !== undefined) {
    return `Made vectors of ${plural(output.embedded, "message")} with ${output.model} ${time}.`;
  }
  const documents = output.documents ? ` and ${plural(output.documents, "document")}` : "";
  return [
    `Indexed ${plural(output.conversations, "conversation")}${documents} from the archive ${time}.`,
    ...(output.documents_failed ?? []).map(({ source, error }) => cleanText(`${source}: ${error}`)),
  ].join("\n");
}

function renderGc(output: Output<typeof gc>): string {
  const set = output.damaged_files - output.damaged_removed;
  return [
    `index ${formatBytes(output.index_before)} → ${formatBytes(output.index_after)}`,
    `archive ${formatBytes(output.archive)} in ${plural(output.archive_files, "file")}, traces ${formatBytes(output.traces)}`,
    ...output.projects_removed.map(
      ({ root, kind, bytes }) =>
        `${output.dry_run ? "would remove" : "removed"} the ${kind === "code" ? "code index" : "history"} of ${cleanText(root)}, which is gone (${formatBytes(bytes)})`,
    ),
    ...output.projects_away.map((root) => `kept what is known of ${cleanText(root)}, which is not there now`),
    ...(output.damaged_removed > 0 ? [`removed ${plural(output.damaged_removed, "damaged file")}`] : []),
    ...(set > 0 ? [`${plural(set, "damaged file")} set aside; \`dex gc --damaged\` deletes them`] : []),
  ].join("\n");
}

function renderExport(output: Output<typeof exportConversations>): string {
  return output.exports
    .map(({ content }) => content.trimEnd())
    .join(output.exports[0]?.format === "md" ? "\n\n" : "\n");
}

function renderImport(output: Output<typeof importFile>): string {
  const problems = output.problems.map(({ line, message }) => `line ${line}: ${message}`);
  return [
    `${output.new} new, ${output.updated} updated, ${plural(output.messages, "message")} read.`,
    ...(output.refused > 0
      ? [`${plural(output.refused, "conversation")} not taken in: forgotten before, or of an excluded project.`]
      : []),
    ...problems,
  ].join("\n");
}

function renderForget(output: Output<typeof forget>, terminal: Terminal): string {
  const { forgotten, staying, removed, done, held } = output;
  // The plan was shown with the question.
  if (held === "declined") return "Nothing was removed.";
  const line = ({ source, id, title, updated, messages, why }: (typeof forgotten)[number]): string => {
    const what = why === "named" ? "" : `${why}, `;
    return `  ${source}:${id}  ${cleanText(title)}  (${what}${when(terminal, updated)}, ${plural(messages, "message")})`;
  };
  const verb = done ? "Forgot" : "Would forget";
  const lines = [`${verb} ${plural(forgotten.length, "conversation")}:`, ...forgotten.map(line)];
  const beside = removedList(removed);
  if (beside.length > 0) lines.push(`${done ? "Also removed" : "Would also remove"}: ${beside.join(", ")}.`);
  for (const path of removed.files.slice(0, SHOWN)) lines.push(`  ${cleanText(path)}`);
  if (staying.length > 0) {
    lines.push("Conversations that came out of these stay (--children all removes them, too):", ...staying.map(line));
  }
  if (removed.open_chats.length > 0) {
    lines.push(`Chats that quote them and are open in another terminal stay: ${removed.open_chats.join(", ")}.`);
  }
  if (held === "dry_run") lines.push("Nothing was removed (--dry-run).");
  else if (!done) lines.push(paint(terminal, "bold", "This cannot be undone."));
  return lines.join("\n");
}

function removedList(removed: Output<typeof forget>["removed"]): string[] {
  const counts: [number, string, string?][] = [
    [removed.suggestions, "suggestion"],
    [removed.deliveries, "delivery", "deliveries"],
    [removed.told, "note of what a session was told", "notes of what sessions were told"],
    [removed.history, "decision or test result", "decisions and test results"],
    [removed.summaries, "summary", "summaries"],
    [removed.traces, "trace"],
    [removed.log_lines, "line of logs", "lines of logs"],
    [removed.workflow_runs.length, "workflow run"],
    [removed.chats.length, "chat"],
    [removed.files.length, "other file in dex's home", "other files in dex's home"],
  ];
  return counts.filter(([count]) => count > 0).map(([count, one, many]) => plural(count, one, many));
}

function renderDoctor(output: Output<typeof doctor>, terminal: Terminal): string {
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
    table(
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
    missing.length > 0 ? paint(terminal, "dim", `not found: ${missing.join(", ")}`) : "",
    ...output.left_out.map(({ what, setting }) => paint(terminal, "dim", `left out: ${cleanText(what)} (${setting})`)),
    ...connectionLines(output.connections, terminal),
    "",
    indexLine(index, terminal),
    ...collectionLines(output.collections, terminal),
    `disk: archive ${formatBytes(output.disk.archive)}, index ${formatBytes(output.disk.index)}`,
  ];
  for (const { path, malformed } of output.malformed.slice(0, SHOWN)) {
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

function shortList(items: readonly string[], line: (item: string) => string): string[] {
  const more = items.length - SHOWN;
  return [...items.slice(0, SHOWN).map(line), ...(more > 0 ? [`… and ${more} more; --json lists them`] : [])];
}

function indexLine(index: Output<typeof doctor>["index"], terminal: Terminal): string {
  const changed = plural(index.changed_files, "history file");
  if (index.state === "missing") {
    return index.changed_files === 0
      ? "No index yet; no agent history was found"
      : `No index yet; ${changed} can be read with \`dex sync\``;
  }
  if (index.state === "outdated") return "The index was made by another version of dex; `dex sync` builds it anew";
  if (index.state === "damaged") return "The index is damaged";
  const last = index.last_sync ? when(terminal, index.last_sync) : "never";
  const state = index.changed_files === 0 ? "up to date" : `${changed} changed since`;
  return `index ${index.state}, ${plural(index.conversations, "conversation")}, last sync ${last}, ${state}`;
}

function collectionLines(collections: Output<typeof doctor>["collections"], terminal: Terminal): string[] {
  if (collections.length === 0) return [];
  const lines = collections.map(({ name, origin, documents, synced, failed, trusted }) => {
    const state = !trusted
      ? paint(terminal, "yellow", "waits for `dex trust`")
      : [
          plural(documents, "document"),
          `synced ${synced ? when(terminal, synced) : "never"}`,
          ...(failed > 0 ? [paint(terminal, "red", `${plural(failed, "failure")}`)] : []),
        ].join(", ");
    return `  ${cleanText(name)}${origin === "project" ? " (project)" : ""}: ${state}`;
  });
  return ["documentation:", ...lines];
}

const CONNECTIONS = {
  connected: { text: "connected", style: "green" },
  off: { text: "connected, but switched off there", style: "yellow" },
  broken: { text: "connected, but cannot start:", style: "red" },
  not_ours: { text: "has another server of that name", style: "yellow" },
  none: { text: "not connected", style: "dim" },
  unreadable: { text: "settings cannot be read", style: "red" },
} as const;

function connectionLines(connections: Output<typeof doctor>["connections"], terminal: Terminal): string[] {
  if (connections.length === 0) return [];
  const lines = connections.map(({ name, state, scope, note, file }) => {
    const { text, style } = CONNECTIONS[state];
    const about = cleanText(note ?? file);
    return `  ${name}${scope === "project" ? " (project)" : ""}: ${paint(terminal, style, text)} ${paint(terminal, "dim", about)}`;
  });
  const has = (wanted: string): boolean => connections.some(({ state }) => state === wanted);
  const help = [has("broken") ? "repairs" : "", has("none") ? "connects" : ""].filter(Boolean).join(" and ");
  return ["", "dex in your agents:", ...lines, ...(help ? [`  \`dex install\` ${help} them`] : [])];
}

export const UPKEEP_RENDERERS = {
  sync: renderSync,
  refresh: renderRefresh,
  reindex: renderReindex,
  gc: renderGc,
  export: renderExport,
  import: renderImport,
  forget: renderForget,
  doctor: renderDoctor,
};
