/** Renders the answers of the verbs that read, keep and repair the archive, the indexes and the settings. */
import type * as z from "zod";
import { formatBytes, plural } from "../kernel/text.ts";
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
import { paint, type Terminal, when } from "./terminal/terminal.ts";
import { CONFIG_RENDERERS } from "./upkeep/config.ts";
import { DOCTOR_RENDERERS } from "./upkeep/doctor.ts";
import { TRACE_RENDERERS } from "./upkeep/traces.ts";

/** A list may have thousands of files. */
const MAX_LISTED_FILES = 10;

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

/** Each names the command that includes them, where there is one. */
const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, (count: number) => string>> = {
  headless: (count) => `${plural(count, "session")} of programs (\`dex config set sync.headless true\` includes them)`,
  excluded: (count) => `${plural(count, "conversation")} excluded by sync.exclude`,
  other_project: (count) => `${plural(count, "conversation")} of other projects (\`dex sync\` without --project)`,
  forgotten: (count) => `${plural(count, "forgotten conversation")}`,
  from_clone: (count) =>
    `${plural(count, "history file")} committed in a repository (\`dex trust --history <folder>\` includes them)`,
};

function renderSync(output: Output<typeof sync>, terminal: Terminal): string {
  const lines = [
    `${paint(terminal, "bold", `${output.new} new, ${output.updated} updated, ${output.unchanged} unchanged`)} in ${output.seconds.toFixed(1)} s`,
    `${formatBytes(output.bytes)} read, ${plural(output.redactions, "secret")} redacted, ${plural(output.malformed, "malformed line")}`,
  ];
  const isNothing = output.new + output.updated + output.unchanged + output.failed.length === 0;
  if (isNothing && output.files_left === undefined && Object.values(output.left_out).every((count) => !count)) {
    lines.push("No history of an agent was found; `dex doctor` shows where dex looks.");
  }
  if (output.files_left !== undefined) lines.push(stoppedText(output));
  if (output.embedding) lines.push(`the vectors of ${plural(output.embedding, "message")} are still to be computed`);
  for (const reason of LEFT_OUT_REASONS) {
    const count = output.left_out[reason] ?? 0;
    if (count > 0) lines.push(paint(terminal, "dim", `left out on purpose: ${LEFT_OUT_TEXTS[reason](count)}`));
  }
  for (const { path, error } of output.failed.slice(0, MAX_LISTED_FILES)) {
    lines.push(paint(terminal, "red", cleanText(`not read: ${path}: ${error}`)));
  }
  const more = output.failed.length - MAX_LISTED_FILES;
  if (more > 0) lines.push(paint(terminal, "red", `… and ${plural(more, "more file")}; --json lists them`));
  return lines.join("\n");
}

function renderRefresh(output: Output<typeof refresh>, terminal: Terminal): string {
  const { project, conversations, commits, code, documents, decisions, ms } = output;
  const talks = conversations
    ? `${plural(conversations.new, "new conversation")}, ${conversations.updated} updated`
    : "another process is syncing conversations";
  const files = code
    ? `${plural(code.files, "file")} of code: ${code.added} added, ${code.changed} changed, ${code.removed} removed`
    : "code was not indexed (not a git repository; `dex code index` indexes it)";
  return [
    `${paint(terminal, "bold", project)} is up to date, in ${(ms / 1000).toFixed(1)} s`,
    `${talks}; ${plural(commits, "commit")}; ${plural(decisions, "decision")} in force`,
    files,
    ...(documents === null ? [] : [`${plural(documents, "document")} of its own`]),
  ].join("\n");
}

function renderReindex(output: Output<typeof reindex>): string {
  const time = `in ${output.seconds.toFixed(1)} s`;
  if (output.embedded !== undefined) {
    const passages = output.passages ? ` and ${plural(output.passages, "passage")}` : "";
    return `Computed the vectors of ${plural(output.embedded, "message")}${passages} with ${output.model} ${time}.`;
  }
  const documents = output.documents ? ` and ${plural(output.documents, "document")}` : "";
  return [
    `Indexed ${plural(output.conversations, "conversation")}${documents} from the archive ${time}.`,
    ...(output.documents_failed ?? []).map(({ source, error }) => cleanText(`${source}: ${error}`)),
  ].join("\n");
}

function renderGc(output: Output<typeof gc>): string {
  const setAside = output.damaged_files - output.damaged_removed;
  return [
    `index ${formatBytes(output.index_before)} → ${formatBytes(output.index_after)}`,
    `archive ${formatBytes(output.archive)} in ${plural(output.archive_files, "file")}, traces ${formatBytes(output.traces)}`,
    ...output.projects_removed.map(
      ({ root, kind, bytes }) =>
        `${output.dry_run ? "would remove" : "removed"} the ${kind === "code" ? "code index" : "history"} of ${cleanText(root)}, which no longer exists (${formatBytes(bytes)})`,
    ),
    ...output.projects_away.map((root) => `kept the indexes of ${cleanText(root)}, which is not reachable now`),
    ...(output.damaged_removed > 0 ? [`removed ${plural(output.damaged_removed, "damaged file")}`] : []),
    ...(setAside > 0 ? [`${plural(setAside, "damaged file")} set aside; \`dex gc --damaged\` deletes them`] : []),
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
      ? [`${plural(output.refused, "conversation")} not imported: forgotten earlier, or of an excluded project.`]
      : []),
    ...problems,
  ].join("\n");
}

function renderForget(output: Output<typeof forget>, terminal: Terminal): string {
  const { forgotten, staying, removed, done, held } = output;
  // The question already showed the plan.
  if (held === "declined") return "Nothing was removed.";
  const line = ({ source, id, title, updated, messages, why }: (typeof forgotten)[number]): string => {
    const what = why === "named" ? "" : `${why}, `;
    return `  ${source}:${id}  ${cleanText(title)}  (${what}${when(terminal, updated)}, ${plural(messages, "message")})`;
  };
  const verb = done ? "Forgot" : "Would forget";
  const lines = [`${verb} ${plural(forgotten.length, "conversation")}:`, ...forgotten.map(line)];
  const others = removedList(removed);
  if (others.length > 0) lines.push(`${done ? "Also removed" : "Would also remove"}: ${others.join(", ")}.`);
  for (const path of removed.files.slice(0, MAX_LISTED_FILES)) lines.push(`  ${cleanText(path)}`);
  if (staying.length > 0) {
    lines.push("Conversations started from these are kept (--children all removes them, too):", ...staying.map(line));
  }
  if (removed.open_chats.length > 0) {
    lines.push(`Chats that quote them but are open in another terminal are kept: ${removed.open_chats.join(", ")}.`);
  }
  if (removed.unreadable.length > 0) {
    lines.push(
      "dex could not read these, which may quote them. Check their permissions, and delete what you do not need:",
    );
    for (const path of removed.unreadable.slice(0, MAX_LISTED_FILES)) lines.push(`  ${cleanText(path)}`);
  }
  if (held === "dry_run") lines.push("Nothing was removed (--dry-run).");
  else if (!done) lines.push(paint(terminal, "bold", "This cannot be undone."));
  return lines.join("\n");
}

function removedList(removed: Output<typeof forget>["removed"]): string[] {
  const counts: [number, string, string?][] = [
    [removed.suggestions, "suggestion"],
    [removed.deliveries, "delivery", "deliveries"],
    [removed.told, "record of delivered facts", "records of delivered facts"],
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

export const UPKEEP_RENDERERS = {
  sync: renderSync,
  refresh: renderRefresh,
  reindex: renderReindex,
  gc: renderGc,
  export: renderExport,
  import: renderImport,
  forget: renderForget,
  ...DOCTOR_RENDERERS,
  ...CONFIG_RENDERERS,
  ...TRACE_RENDERERS,
};
