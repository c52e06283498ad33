/** Chooses the conversations to forget: the named ones, and their children as asked. */
import type { ParentKind } from "../conversations/model.ts";
import type { ConversationReader, ConversationRow } from "../store/ports.ts";

export const CHILDREN = ["subagents", "all", "none"] as const;
/** Which children of a forgotten conversation are forgotten with it. */
export type Children = (typeof CHILDREN)[number];

export interface ForgottenConversation {
  row: ConversationRow;
  why: "named" | ParentKind;
}

export interface ForgettingPlan {
  going: ForgottenConversation[];
  /** Children that stay. */
  staying: ForgottenConversation[];
}

/** Includes children of children. A named conversation is forgotten even if its parent stays. */
export function chooseConversations(
  reader: Pick<ConversationReader, "children">,
  named: readonly ConversationRow[],
  children: Children,
): ForgettingPlan {
  const going = new Map<number, ForgottenConversation>(named.map((row) => [row.no, { row, why: "named" }]));
  const staying = new Map<number, ForgottenConversation>();
  // The loop also visits entries added to the map meanwhile, so it finds children of children.
  for (const { row } of going.values()) {
    for (const child of reader.children(row.id)) {
      if (child.source !== row.source || going.has(child.no)) continue;
      const why = child.parent_kind ?? "fork";
      // An abandoned branch is a part of the conversation itself.
      const goes = children === "all" || why === "abandoned" || (children === "subagents" && why === "subagent");
      (goes ? going : staying).set(child.no, { row: child, why });
    }
  }
  return { going: [...going.values()], staying: [...staying.values()].filter(({ row }) => !going.has(row.no)) };
}
