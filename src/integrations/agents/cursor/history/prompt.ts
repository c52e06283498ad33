/** The person's words in a prompt of Cursor's agent, without the context around them. */
import { toIso } from "../../../../kernel/time.ts";
import { blockTexts, stripBlocks } from "../../../history/building/wrappers.ts";

const CONTEXT = [
  "user_info",
  "system_reminder",
  "system-reminder",
  "attached_files",
  "open_and_recently_viewed_files",
  "git_status",
  "project_layout",
  "rules",
  "always_applied_workspace_rules",
  "agent_skills",
  "agent_transcripts",
  "additional_data",
  "external_links",
  "manually_attached_skills",
  "terminal_files_information",
  "mcp_file_system",
  "timestamp",
];

/** The query, if there is one; otherwise the text without the context, which may be empty. */
export function promptText(text: string): string | undefined {
  const queries = blockTexts(text, "user_query");
  if (queries.length > 0) return queries.join("\n\n");
  return stripBlocks(text, CONTEXT).trim() || undefined;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const TIME =
  /([a-z]{3})[a-z]* (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])m)?\s*\(UTC(?:([+-])(\d{1,2})(?::?(\d\d))?)?\)/i;

/** When the prompt was typed, which Cursor tells its model in words: the only time that transcripts have. */
export function promptTime(text: string): string | undefined {
  const found = TIME.exec(blockTexts(text, "timestamp")[0] ?? "");
  if (!found) return undefined;
  const [, name = "", day, year, hour, minute, second = "0", half, sign = "+", hours = "0", minutes = "0"] = found;
  const month = MONTHS.indexOf(name.toLowerCase());
  if (month < 0) return undefined;
  const inDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return toIso(Date.UTC(Number(year), month, Number(day), inDay, Number(minute) - offset, Number(second)));
}

/** Placeholder titles, which count as none. */
export function chatTitle(name: string | undefined): string | undefined {
  const title = name?.trim();
  return title && !/^(new|untitled) (chat|agent|composer)$/i.test(title) ? title : undefined;
}
