/**
 * Turns that the person reverted. Cursor takes their headers out of the conversation and leaves their bubbles, which only
 * their times put in order: a bubble without a time is left out. The bubbles between two that the conversation has are a
 * branch, from its first prompt on.
 */
import type { Message } from "../../../../conversations/model.ts";
import { compareText } from "../../../../kernel/text.ts";
import type { AbandonedBranch, WholeConversation } from "../../../history/forms/conversation.ts";

/** The messages of a bubble. */
export interface BubbleText {
  id: string | undefined;
  messages: readonly Message[];
}

export function revertedTurns(
  kept: readonly BubbleText[],
  others: readonly BubbleText[],
): Pick<WholeConversation, "abandoned" | "rejoined"> {
  const times = kept.flatMap(({ messages }) => messages[0]?.time ?? []).sort(compareText);
  const runs = new Map<number, BubbleText[]>();
  for (const bubble of others.filter(isInOrder).sort(byTime)) {
    const before = times.findLastIndex((time) => time <= timeOf(bubble));
    const run = runs.get(before);
    if (run) run.push(bubble);
    else if (isPrompt(bubble)) runs.set(before, [bubble]);
  }
  return {
    abandoned: [...runs.values()].map(branchOf),
    // A person can take a revert back.
    rejoined: kept.flatMap(({ id, messages }) => (messages[0]?.role === "user" && id !== undefined ? [id] : [])),
  };
}

function branchOf(run: readonly BubbleText[]): AbandonedBranch {
  return { key: run[0]?.id ?? "", messages: run.flatMap(({ messages }) => messages) };
}

function isInOrder({ id, messages }: BubbleText): boolean {
  return id !== undefined && messages[0]?.time !== undefined;
}

function isPrompt({ messages }: BubbleText): boolean {
  return messages[0]?.role === "user";
}

function timeOf({ messages }: BubbleText): string {
  return messages[0]?.time ?? "";
}

function byTime(a: BubbleText, b: BubbleText): number {
  return compareText(timeOf(a), timeOf(b)) || compareText(a.id ?? "", b.id ?? "");
}
