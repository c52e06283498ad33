/**
 * OpenCode's side of the hooks: a plugin, since OpenCode cannot run commands as hooks. It calls `dex hook opencode` and
 * appends the answer to the user's message or the tool's output. It must never delay or break a session.
 */
const MARK = "// Written by dex install --hooks; dex uninstall removes it.";

export function isOwnPlugin(text: string): boolean {
  return text.startsWith(MARK);
}

/** The command differs from machine to machine. */
export function isCurrentPlugin(text: string): boolean {
  const plain = (plugin: string): string => plugin.replace(/^const COMMAND = .*$/m, "");
  return plain(text) === plain(opencodePlugin([]));
}

export function opencodePlugin(launch: readonly string[]): string {
  return `${MARK}
import { spawn } from "node:child_process";

const COMMAND = ${JSON.stringify(launch)};
/** dex answers within its own budget; this is for a machine that stands still. */
const MAX_WAIT_MS = 3000;
const MAX_ANSWER_CHARS = 64 * 1024;
/** OpenCode reports the end of every turn; dex saves what a session did at most this often. */
const IDLE_INTERVAL_MS = 60_000;

function ask(input) {
  return new Promise((resolve) => {
    let out = "";
    let timer;
    const end = () => {
      clearTimeout(timer);
      try {
        const { text } = JSON.parse(out);
        resolve(typeof text === "string" ? text : "");
      } catch {
        resolve("");
      }
    };
    try {
      const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
      timer = setTimeout(() => child.kill(), MAX_WAIT_MS);
      child.on("error", end);
      child.on("close", end);
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (chunk) => {
        if (out.length < MAX_ANSWER_CHARS) out += chunk;
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(input));
    } catch {
      end();
    }
  });
}

export const Dex = async ({ directory }) => {
  /** Sessions that were told how things stand here, and those that have to be told again. */
  const started = new Map();
  let lastIdle = 0;
  const ask_ = (hook_event_name, session_id, more) => ask({ hook_event_name, session_id, cwd: directory, ...more });
  return {
    "chat.message": async (input, output) => {
      const last = output.parts.findLast((part) => part.type === "text");
      if (!last) return;
      const session = input.sessionID;
      const prompt = output.parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\\n");
      const source = started.get(session) ?? "resume";
      const first = source === "told" ? "" : await ask_("session.start", session, { source });
      started.set(session, "told");
      const text = [first, await ask_("chat.message", session, { prompt })].filter(Boolean).join("\\n\\n");
      if (text === "") return;
      output.parts.push({
        id: last.id + "dex",
        sessionID: last.sessionID,
        messageID: last.messageID,
        type: "text",
        text,
        synthetic: true,
      });
    },
    "tool.execute.after": async (input, output) => {
      const isShell = input.tool === "bash";
      // A command that passed says nothing about its earlier runs.
      if (isShell ? !output.metadata?.exit : !/^(read|edit|write|patch|multiedit|apply_patch)$/.test(input.tool)) return;
      const tool_input = input.args ?? output.metadata ?? {};
      const tool_result = isShell ? "exit code: " + output.metadata.exit : undefined;
      const text = await ask_("tool.execute.after", input.sessionID, { tool_name: input.tool, tool_input, tool_result });
      if (text !== "" && typeof output.output === "string") output.output += "\\n\\n" + text;
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID;
      if (event.type === "session.idle" && Date.now() - lastIdle > IDLE_INTERVAL_MS) {
        lastIdle = Date.now();
        await ask_("session.idle", session, {});
      }
      if (event.type !== "session.compacted") return;
      started.set(session, "compact");
      await ask_("session.compacted", session, {});
    },
  };
};
`;
}
