/** Which conversations go when one is named: itself, and those that belong to it. */
import type { ConversationReader, ConversationRow } from "../store/ports.ts";

export const CHILDREN = ["subagents", "all", "none"] as const;
/** Which conversations that came out of a forgotten one go with it. */
export type Children = (typeof CHILDREN)[number];

export interface Going {
  row: ConversationRow;
  why: "named" | "subagent" | "fork";
}

export interface Choice {
  going: Going[];
  /** Children that stay. */
  staying: Going[];
}

/** Children of children included. A conversation that is named goes whatever it is a child of. */
export function chooseConversations(
  reader: Pick<ConversationReader, "children">,
  named: readonly ConversationRow[],
  children: Children,
): Choice {
  const going = new Map<number, Going>(named.map((row) => [row.no, { row, why: "named" }]));
  const staying = new Map<number, Going>();
  // A map grows while it is walked: each child is asked for its own children in turn.
  for (const { row } of going.values()) {
    for (const child of reader.children(row.id)) {
      if (child.source !== row.source || going.has(child.no)) continue;
      const why = child.parent_kind === "subagent" ? "subagent" : "fork";
      const goes = children === "all" || (children === "subagents" && why === "subagent");
      (goes ? going : staying).set(child.no, { row: child, why });
    }
  }
  return { going: [...going.values()], staying: [...staying.values()].filter(({ row }) => !going.has(row.no)) };
}
