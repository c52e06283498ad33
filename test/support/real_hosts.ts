/**
 * Real agents as the tests of hooks start them: which package, how a scripted model on the loopback is put behind them,
 * how a session begins and goes on, and which tool calls of the model cause which event. One entry for each agent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codexModel, type ModelReply, type ModelServer } from "./model_server.ts";

/** The first words of the text that dex gives to the model at each moment of a session. */
export const MOMENTS = {
  start: "Recorded by dex about this project",
  prompt: "Recorded by dex and possibly related",
  file: "Recorded by dex about this file",
} as const;
export type Moment = keyof typeof MOMENTS;

type ToolCall = NonNullable<ModelReply["toolCalls"]>[number];

export interface RealHost {
  name: string;
  /** For `dex install` and `dex hook`. */
  agent: string;
  packageSpec: string;
  /** The package fetches its program in a script. */
  scripts?: boolean;
  command: string;
  /** Otherwise Node runs it. */
  isNative?: boolean;
  vars(model: ModelServer): Record<string, string>;
  /** Settings of the agent, before dex adds its own. */
  configure?(home: string, model: ModelServer): void;
  begin(prompt: string): string[];
  /** Goes on with the latest session. */
  goOn(prompt: string): string[];
  /** The moments before the model is asked. */
  opening: readonly Moment[];
  /** The tool calls of the model, in order, and the moment that each causes. */
  calls: readonly { moment: Moment; call(file: string): ToolCall }[];
}

const claude: RealHost = {
  name: "Claude Code",
  agent: "claude",
  packageSpec: "@anthropic-ai/claude-code@2.1.325",
  scripts: true,
  command: "claude",
  isNative: true,
  vars: ({ url }) => ({
    ANTHROPIC_BASE_URL: new URL(url).origin,
    ANTHROPIC_API_KEY: "loop-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }),
  begin: (prompt) => ["-p", prompt],
  goOn: (prompt) => ["-p", "--continue", prompt],
  opening: ["start", "prompt"],
  calls: [{ moment: "file", call: (file) => ({ name: "Read", arguments: { file_path: file } }) }],
};

/** Trust is given by a person in Codex itself (/hooks), or for one run by the first flag. */
const CODEX_FLAGS = ["--dangerously-bypass-hook-trust", "--skip-git-repo-check"];

const codex: RealHost = {
  name: "Codex",
  agent: "codex",
  packageSpec: "@openai/codex@0.166.0",
  command: "codex",
  vars: () => ({ LOOP_KEY: "loop-key" }),
  configure: (home, model) => write(join(home, ".codex/config.toml"), codexModel(model).join("\n")),
  begin: (prompt) => ["exec", ...CODEX_FLAGS, prompt],
  goOn: (prompt) => ["exec", ...CODEX_FLAGS, "resume", "--last", prompt],
  opening: ["start", "prompt"],
  calls: [{ moment: "file", call: (file) => ({ name: "exec_command", arguments: { cmd: `cat ${file}` } }) }],
};

const opencode: RealHost = {
  name: "OpenCode",
  agent: "opencode",
  packageSpec: "opencode-ai@1.18.18",
  scripts: true,
  command: "opencode",
  isNative: true,
  vars: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  configure: (home, { url }) => {
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: url, apiKey: "none" },
      models: { scripted: { name: "scripted" } },
    };
    const models = { model: "loop/scripted", small_model: "loop/scripted", provider: { loop: provider } };
    write(join(home, ".config/opencode/opencode.json"), JSON.stringify({ autoupdate: false, ...models }));
    // OpenCode installs its plugin package at each start, from the registry, unless a lock file names it; dex's plugin
    // does without.
    mkdirSync(join(home, ".config/opencode/node_modules"), { recursive: true });
    const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
    write(join(home, ".config/opencode/package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  },
  begin: (prompt) => ["run", prompt],
  goOn: (prompt) => ["run", "--continue", prompt],
  opening: ["start", "prompt"],
  calls: [{ moment: "file", call: (file) => ({ name: "read", arguments: { filePath: file } }) }],
};

const gemini: RealHost = {
  name: "Gemini CLI",
  agent: "gemini",
  packageSpec: "@google/gemini-cli@0.61.0",
  command: "gemini",
  vars: ({ url }) => ({
    GOOGLE_GEMINI_BASE_URL: new URL(url).origin,
    GEMINI_API_KEY: "loop-key",
    // A person is asked once for each folder.
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  configure: (home) =>
    write(
      join(home, ".gemini/settings.json"),
      JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "gemini-api-key" } },
        // Without it a classifier chooses the model, with a request of its own.
        model: { name: "gemini-2.5-flash" },
      }),
    ),
  begin: (prompt) => ["-p", prompt],
  goOn: (prompt) => ["--resume", "latest", "-p", prompt],
  opening: ["start", "prompt"],
  calls: [{ moment: "file", call: (file) => ({ name: "read_file", arguments: { file_path: file } }) }],
};

export const REAL_HOSTS: readonly RealHost[] = [claude, codex, opencode, gemini];

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
