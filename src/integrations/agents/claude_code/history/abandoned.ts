/** The messages of the turns that a person left behind, branch by branch. */
import type { Message } from "../../../../conversations/model.ts";
import { type Line, readLines } from "../../../../kernel/files/lines.ts";
import { conversationOf, type WholeConversation } from "../../../history/forms/conversation.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { ReadRequest } from "../../../history/source.ts";
import type { SpillFolder } from "./results.ts";
import { EMPTY_STATE } from "./resume_state.ts";
import { Session } from "./session.ts";
import { canSkip, DROP_KEYS } from "./skipping.ts";
import type { LeftBehind } from "./turns.ts";

export function abandonedTurns(
  { container, inherited }: ReadRequest,
  { tree, branches, branchAt }: LeftBehind,
  spill: SpillFolder | undefined,
  { subagent }: { subagent: boolean },
): Pick<WholeConversation, "abandoned" | "rejoined"> {
  const found = branches.branches.map((): Message[] => []);
  const sessions = found.map((messages) => {
    return new Session({
      start: { offset: 0, index: 0, state: EMPTY_STATE },
      subagent,
      spill,
      deliver: (message) => messages.push(message),
      wasBefore: () => false,
    });
  });
  const lines = function* (): Generator<Line> {
    for (const line of readLines(container.path, { dropKeys: DROP_KEYS })) if (branchAt.has(line.offset)) yield line;
  };
  for (const record of readRecords(container.path, { lines: lines(), sink: silent, skip: canSkip })) {
    const branch = branchAt.get(record.offset);
    if (branch !== undefined) sessions[branch]?.take(record);
  }
  for (const session of sessions) session.finish();
  const messagesOf = new Map(branches.branches.map(({ positions }, at) => [positions, found[at] ?? []]));
  const { abandoned, rejoined } = conversationOf(
    { id: "" },
    branches,
    (turn) => tree.keyOf(turn),
    (turns) => (messagesOf.get(turns as number[]) ?? []).filter(({ uid }) => uid === undefined || !inherited.has(uid)),
  );
  return { abandoned, rejoined };
}
