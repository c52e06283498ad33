/** How the agents that may go on with a conversation are spoken to: how a prompt names a file, how a session is resumed. */
import { DexError } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";

export interface Host {
  id: string;
  name: string;
  aliases: readonly string[];
  /** Put before a path, it makes the agent read the file. Empty: paths stand as they are. */
  file: string;
  /** The words before the session's id. */
  resume?: readonly string[];
  /** Files of conversations that those words cannot go on with: another program of the same maker wrote them. */
  elsewhere?: RegExp;
  /** Starts the agent with a prompt behind it. */
  start?: readonly string[];
}

export const HOSTS: readonly Host[] = [
  host("claude_code", "Claude Code", { aliases: ["claude"], file: "@", resume: "claude --resume", start: "claude" }),
  host("codex", "Codex", { aliases: ["codex_cli"], resume: "codex resume", start: "codex" }),
  host("cursor", "Cursor", {
    aliases: ["cursor_agent"],
    file: "@",
    resume: "cursor-agent --resume",
    // The editor's own conversations are in state.vscdb, and known to the editor alone.
    elsewhere: /(?<!store\.db)$/,
    start: "cursor-agent",
  }),
  host("opencode", "OpenCode", {
    aliases: ["open_code"],
    file: "@",
    resume: "opencode --session",
    start: "opencode --prompt",
  }),
  host("gemini", "Gemini CLI", {
    aliases: ["gemini_cli"],
    file: "@",
    resume: "gemini --resume",
    elsewhere: /[\\/]antigravity[^\\/]*[\\/]/,
    start: "gemini -i",
  }),
  host("copilot", "Copilot CLI", {
    aliases: ["copilot_cli", "github_copilot"],
    file: "@",
    resume: "copilot --resume",
    start: "copilot -i",
  }),
  host("vscode", "VS Code", { aliases: ["vs_code", "code"], file: "#file:" }),
  host("pi", "pi", {
    file: "@",
    resume: "pi --session",
    elsewhere: /[\\/]\.(omp|openclaw)[\\/]/,
    start: "pi",
  }),
  host("cline", "Cline", { file: "@/" }),
  host("factory_droid", "Droid", {
    aliases: ["droid", "factory"],
    file: "@",
    resume: "droid --resume",
    start: "droid",
  }),
  host("aider", "Aider", {}),
  host("any", "any agent", { aliases: ["other", "human"] }),
];

interface Ways {
  aliases?: readonly string[];
  file?: string;
  resume?: string;
  elsewhere?: RegExp;
  start?: string;
}

function host(id: string, name: string, { aliases = [], file = "", resume, elsewhere, start }: Ways): Host {
  return {
    id,
    name,
    aliases,
    file,
    ...(resume === undefined ? {} : { resume: resume.split(" ") }),
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(start === undefined ? {} : { start: start.split(" ") }),
  };
}

export function hostNamed(word: string): Host {
  const name = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const found = HOSTS.find(({ id, aliases }) => id === name || aliases.includes(name));
  if (found) return found;
  const ids = HOSTS.map(({ id }) => id);
  const meant = nearest(name, ids);
  throw new DexError("unknown_agent", `dex knows no agent "${word.slice(0, 60)}".`, {
    hint: meant ? `Did you mean ${meant}?` : `It knows ${ids.join(", ")}.`,
  });
}

/** A path as a prompt names a file. With a space in it only the bare path is sure to be understood. */
export function fileReference({ file }: Host, path: string): string {
  return /\s/.test(path) ? path : `${file}${path}`;
}

/** The words that go on with a session of this agent's own. `origin`: the file it was read from, where that is known. */
export function resumeWords({ resume, elsewhere }: Host, id: string, origin?: string): string[] | undefined {
  // An id that looks like an option, or like more than one word, is not given to another program.
  if (!resume || !/^\w[\w-]*$/.test(id)) return undefined;
  return origin !== undefined && elsewhere?.test(origin) ? undefined : [...resume, id];
}

/** The same as one line. */
export function resumeCommand(host: Host, id: string): string | undefined {
  return resumeWords(host, id)?.join(" ");
}
