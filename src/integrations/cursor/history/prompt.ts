/** The person's words in a prompt of Cursor's agent, without the context around them. */
import { blockTexts, stripBlocks } from "../../history/reading/wrappers.ts";

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

/** Placeholder titles, which count as none. */
export function chatTitle(name: string | undefined): string | undefined {
  const title = name?.trim();
  return title && !/^(new|untitled) (chat|agent|composer)$/i.test(title) ? title : undefined;
}
