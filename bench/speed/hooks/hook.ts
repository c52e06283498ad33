/**
 * Measures the cost of a hook for an agent that waits for it: whole processes, over starting Node, about this
 * repository.
 */
import { randomUUID } from "node:crypto";
import { alternate } from "../../lib/measure.ts";
import { dexCommand, type Program, runNode } from "../../lib/program.ts";
import { differenceRow, type Row } from "../../lib/table.ts";

/** Short processes are started this many times as often as long ones. */
const SHORT = 3;
const AIM = 120;
/** Otherwise a busy machine would get the empty answer, which is faster. */
const PATIENT = { DEX_HOOK_BUDGET_MS: "60000" };

const FILE = "src/store/archive/frames.ts";
const EVENTS = [
  { what: "an event that is nothing to dex", said: false, event: { hook_event_name: "Stop" } },
  { what: "the start of a session", said: true, event: { hook_event_name: "SessionStart", source: "startup" } },
  {
    what: "a prompt",
    said: true,
    event: {
      hook_event_name: "UserPromptSubmit",
      prompt: `Write frames of the archive another way, see ${FILE}`,
    },
  },
  {
    what: "a file that was read",
    said: true,
    event: {
      hook_event_name: "PostToolUse",
      tool_name: "Read",
      tool_input: { file_path: FILE },
    },
  },
];

export async function hookAnswers(program: Program, project: string, rounds: number): Promise<Row[]> {
  // Reading a file gets an answer only if dex has something worth saying about it.
  const decided = ["Frames of the archive end in a checksum", "--file", FILE];
  runNode(program, dexCommand(program, "decide", ...decided, "--repository", project));
  runNode(program, dexCommand(program, "refresh", project));
  const bare = (): number => runNode(program, ["-e", "0"]).ms;
  const rows: Row[] = [];
  for (const { what, said, event } of EVENTS) {
    const hook = (): number => {
      // A new session each time: dex does not repeat facts in one session.
      const input = JSON.stringify({ session_id: randomUUID(), cwd: project, ...event });
      const { ms, stdout } = runNode(program, dexCommand(program, "hook", "claude"), PATIENT, input);
      if (stdout.includes("additionalContext") !== said) throw new Error(`the hook for ${what} said ${stdout}`);
      return ms;
    };
    hook();
    rows.push(
      differenceRow(
        `\`dex hook\`, ${what}, whole process, over starting Node`,
        await alternate(rounds * SHORT, hook, bare),
        AIM,
      ),
    );
  }
  return rows;
}
