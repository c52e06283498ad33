/** The coding agent that a commit itself names: its author, or a trailer such as `Co-authored-by: Claude`. */
import type { CommitInfo } from "../../store/history_records.ts";
import { parseTrailers } from "../trailers.ts";

/** Ids of dex's sources where dex reads the agent's history, else a plain name. */
const AGENTS: readonly (readonly [RegExp, string])[] = [
  [/noreply@anthropic\.com|\bclaude(?: code)?\b.*\[bot\]|generated with \[?claude code/i, "claude_code"],
  [/@openai\.com|\bcodex\b.*(?:\[bot\]|<)/i, "codex"],
  [/\bcopilot(?:-swe-agent)?\[bot\]|\+copilot@users\.noreply|\bcopilot\b <|copilot@github\.com/i, "copilot"],
  [/cursoragent@cursor\.com/i, "cursor"],
  [/gemini-(?:cli|code-assist)/i, "gemini"],
  [/noreply@opencode\.ai|opencode-agent\[bot\]/i, "opencode"],
  [/\(aider\)|@aider\.chat/i, "aider"],
  [/factory-droid\[bot\]/i, "factory_droid"],
  [/devin-ai-integration\[bot\]/i, "Devin"],
  [/amp@ampcode\.com/i, "Amp"],
  [/google-labs-jules\[bot\]/i, "Jules"],
];

const NAMING_TRAILER = /^(?:co-authored-by|generated-by|assisted-by|coding-agent)$/i;
const GENERATED_LINE = /^.{0,10}generated with .{1,100}$/im;

export function agentNamedBy({
  author,
  email,
  body,
}: Pick<CommitInfo, "author" | "email" | "body">): string | undefined {
  const trailers = parseTrailers(body).flatMap(({ key, value }) => (NAMING_TRAILER.test(key) ? [value] : []));
  const texts = [`${author} <${email}>`, ...trailers, GENERATED_LINE.exec(body)?.[0] ?? ""];
  return AGENTS.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}
