/** Counts the actions in a range of messages: `14 edits in 3 files, 5 commands (1 failed), tests failed, then passed`. */
import { plural } from "../../kernel/text.ts";
import { outcomeOf } from "../activity/outcome.ts";
import { INSPECTING } from "../activity/shell/commands.ts";
import type { ToolKind } from "../activity/tools.ts";
import type { Message, ToolResultPart } from "../model.ts";
import type { ScanContext, ScannedCall } from "./pieces.ts";

export interface Tally {
  /** A path for each edit. */
  edited: string[];
  commands: number;
  failed: number;
  /** Results of test runs in order, without repetitions. */
  tests: ("passed" | "failed")[];
  reads: number;
  searches: number;
  agents: number;
  others: number;
}

/** A call, or a result with its call. */
export interface Act {
  call: ScannedCall;
  result?: ToolResultPart;
}

const TEST_COMMAND =
  /(?:^|[\s;&|/])(?:(?:go|cargo|npm|pnpm|yarn|bun|deno|make|mix|dotnet|gradle|gradlew|mvn|swift|rake|task|just)\s+(?:run\s+)?(?:t|test|check)|pytest|vitest|jest|mocha|ctest|rspec|phpunit|unittest|node\s+--test)(?![\w/])/i;

/** A command that only looks something up; finding nothing is not a failure. */
export function isLookup({ kind, main }: ScannedCall): boolean {
  return kind === "shell" && INSPECTING.test(main);
}

/** Messages must come in order: a result is counted with the call it answers. */
export function actsOf(message: Message, context: ScanContext): Act[] {
  return message.parts.flatMap((part): Act[] => {
    if (part.type === "tool_call") return [{ call: context.called(part) }];
    if (part.type === "tool_result") return [{ call: context.answered(part), result: part }];
    return [];
  });
}

export function tallyOf(acts: readonly Act[]): Tally {
  const tally: Tally = {
    edited: [],
    commands: 0,
    failed: 0,
    tests: [],
    reads: 0,
    searches: 0,
    agents: 0,
    others: 0,
  };
  for (const act of acts) {
    if (act.result) countResult(tally, act.call, act.result);
    else countCall(tally, act.call);
  }
  return tally;
}

const COUNTED_AS: Record<Exclude<ToolKind, "edit" | "shell">, "reads" | "searches" | "agents" | "others"> = {
  read: "reads",
  list: "searches",
  search: "searches",
  web: "searches",
  agent: "agents",
  other: "others",
};

function countCall(tally: Tally, { kind, main }: ScannedCall): void {
  if (kind === "edit") tally.edited.push(main);
  else if (kind === "shell") tally.commands += 1;
  else tally[COUNTED_AS[kind]] += 1;
}

function countResult(tally: Tally, call: ScannedCall, result: ToolResultPart): void {
  const { kind, main } = call;
  if (kind !== "shell" || isLookup(call)) return;
  const ended = outcomeOf(result);
  const failed = ended === "failed";
  if (failed) tally.failed += 1;
  if (!TEST_COMMAND.test(main) || ended === "interrupted") return;
  const outcome = failed ? "failed" : "passed";
  if (tally.tests.at(-1) !== outcome) tally.tests.push(outcome);
}

/** Empty without actions. */
export function tallyText(tally: Tally): string {
  const { edited, commands, failed, tests, reads, searches, agents, others } = tally;
  const facts = [
    edited.length > 0 ? `${plural(edited.length, "edit")} in ${plural(new Set(edited).size, "file")}` : "",
    commands > 0 ? `${plural(commands, "command")}${failed > 0 ? ` (${failed} failed)` : ""}` : "",
    tests.length > 0 ? `tests ${testsText(tests)}` : "",
    reads > 0 ? plural(reads, "read") : "",
    searches > 0 ? plural(searches, "search", "searches") : "",
    agents > 0 ? plural(agents, "subagent") : "",
    others > 0 ? plural(others, "other call") : "",
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

/** The first and last outcome; if both are the same, the other one in between. */
function testsText(tests: Tally["tests"]): string {
  const [first, second] = tests;
  const last = tests.at(-1);
  if (tests.length === 1) return `${first}`;
  return first === last ? `${first}, ${second} between, ${last} at the end` : `${first}, then ${last}`;
}
