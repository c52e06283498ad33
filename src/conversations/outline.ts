/** The outline: one line per message with its index and size, an overview of a conversation before reading it. */
import { formatTokens } from "../kernel/text.ts";
import type { Message, Role } from "./model.ts";
import { headLine, measureMessage } from "./render.ts";

export interface OutlineRow {
  /** The message's index, as `expand` and `read` expect it. */
  index: number;
  role: Role;
  head: string;
  /** Tokens of the message in `full`. */
  tokens: number;
}

export interface OutlineOptions {
  /** The size in `full`, if already known. */
  tokens?: number;
  /** Paths inside it are shown relative to it. */
  project?: string;
}

export function outlineRow(index: number, message: Message, options: OutlineOptions = {}): OutlineRow {
  return {
    index,
    role: message.role,
    head: headLine(message, options.project),
    tokens: options.tokens ?? measureMessage(message).full,
  };
}

const NAMES: Record<Role, string> = { user: "User", assistant: "Assistant", tool: "Tool", system: "System" };

/** `12 [User] How do I implement auth? (42 tokens)` */
export function outlineLine(row: OutlineRow): string {
  const size = row.tokens === 1 ? "1 token" : `${formatTokens(row.tokens)} tokens`;
  const head = row.head === "" ? "" : ` ${row.head}`;
  return `${row.index} [${NAMES[row.role]}]${head} (${size})`;
}

export function outlineText(rows: Iterable<OutlineRow>): string {
  return Array.from(rows, outlineLine).join("\n");
}
