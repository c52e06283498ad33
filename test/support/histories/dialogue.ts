/** Short invented dialogues in Claude Code's form: alternating messages, and commands with their exit status. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A person's words, an agent's words, a command or any other tool with its output. */
export type Turn =
  | { user: string }
  | { agent: string }
  | { command: string; output: string; failed?: boolean }
  | { tool: string; input: object; output?: string; failed?: boolean };

export interface DialogueOptions {
  /** Of the first record; the others follow a second apart. */
  start?: number;
  cwd?: string;
  /** The session whose subagent this is: its transcript is in the parent's folder. */
  parent?: string;
  /** The program that started the agent; `sdk-…` is a program. */
  entrypoint?: string;
}

export function writeDialogue(home: string, id: string, turns: readonly Turn[], options: DialogueOptions = {}): void {
  const { start = Date.parse("2026-03-01T10:00:00Z"), cwd = "/srv/demo", parent, entrypoint = "cli" } = options;
  const folder = join(home, ".claude/projects/-srv-demo", ...(parent === undefined ? [] : [parent, "subagents"]));
  mkdirSync(folder, { recursive: true });
  const side = parent === undefined ? { isSidechain: false } : { isSidechain: true, agentId: id.replace("agent-", "") };
  const lines: object[] = [];
  const add = (type: string, content: unknown): void => {
    lines.push({
      type,
      uuid: `${id}-${lines.length}`,
      parentUuid: lines.length === 0 ? null : `${id}-${lines.length - 1}`,
      ...side,
      cwd,
      sessionId: parent ?? id,
      entrypoint,
      timestamp: new Date(start + lines.length * 1000).toISOString(),
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
      const { output = "ok", failed = false } = turn;
      add("user", [{ type: "tool_result", tool_use_id: call, content: output, is_error: failed }]);
    }
  }
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}
