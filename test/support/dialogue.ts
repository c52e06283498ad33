/** Short invented dialogues in Claude Code's form: what was said by turns, and commands with how they ended. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A person's words, an agent's words, a command or any other tool with its output. */
export type Turn =
  | { user: string }
  | { agent: string }
  | { command: string; output: string; failed?: boolean }
  | { tool: string; input: object; output: string; failed?: boolean };

export function writeDialogue(
  home: string,
  id: string,
  turns: readonly Turn[],
  start = "2026-03-01T10:00:00Z",
  cwd = "/srv/demo",
): void {
  const folder = join(home, ".claude/projects/-srv-demo");
  mkdirSync(folder, { recursive: true });
  let clock = Date.parse(start);
  const lines: object[] = [];
  const add = (type: string, content: unknown): void => {
    clock += 5000;
    lines.push({
      type,
      uuid: `${id}-${lines.length}`,
      parentUuid: lines.length === 0 ? null : `${id}-${lines.length - 1}`,
      isSidechain: false,
      cwd,
      sessionId: id,
      entrypoint: "cli",
      timestamp: new Date(clock).toISOString(),
      message: { id: `m-${id}-${lines.length}`, role: type, model: "claude-test", content },
    });
  };
  for (const turn of turns) {
    if ("user" in turn) add("user", turn.user);
    else if ("agent" in turn) add("assistant", [{ type: "text", text: turn.agent }]);
    else {
      const call = `call-${id}-${lines.length}`;
      const used =
        "tool" in turn ? { name: turn.tool, input: turn.input } : { name: "Bash", input: { command: turn.command } };
      add("assistant", [{ type: "tool_use", id: call, ...used }]);
      add("user", [{ type: "tool_result", tool_use_id: call, content: turn.output, is_error: turn.failed === true }]);
    }
  }
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}
