/** Lines with the same answer to "where do they come from?". */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { conversationHref } from "../../parts/links.ts";

export type Range = OperationOutput<"blame">["ranges"][number];

export interface Writer {
  source: string;
  title: string;
  href: string;
  /** The message, or as much as is known about it. */
  place: string;
}

/** The message that wrote the lines, else the conversation that made their commit. */
export function writerOf({ written_by, conversation }: Range): Writer | undefined {
  const found = written_by ?? conversation;
  if (!found) return undefined;
  const [id = "", index] = found.address.split("#");
  const href = conversationHref(id, index === undefined ? undefined : Number(index));
  const place = index === undefined ? "conversation" : `message ${index}`;
  return { source: found.source, title: found.title, href, place };
}

/** The id of the conversation. */
export function idOf({ written_by, conversation }: Range): string | undefined {
  return (written_by ?? conversation)?.address.split("#")[0];
}

export function linesOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}
