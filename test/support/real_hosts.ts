/**
 * Real agents as the tests of hooks start them: which package, how a scripted model on the loopback is put behind them,
 * how a session begins and goes on, and which tool calls of the model cause which event. One entry for each agent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HEADS } from "../../src/integrations/hooks/injected.ts";
import { codexModel, type ModelReply, type ModelServer } from "./model_server.ts";

/** The moments of a session at which dex tells the model something, each with a first line of its own. */
export type Moment = keyof typeof HEADS;

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
  /** The tool calls of the model, in order, and the moment that each causes. A repeated call causes none. */
  calls: readonly { moment?: Moment; call(file: string): ToolCall }[];
  /** How often the model finds each text once the session went on, if not once: for agents that forget or repeat. */
  resumed?: Partial<Record<Moment, number>>;
}

function readTwice(call: (file: string) => ToolCall): RealHost["calls"] {
  return [{ moment: "files", call }, { call }];
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
  calls: readTwice((file) => ({ name: "Read", arguments: { file_path: file } })),
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
  calls: readTwice((file) => ({ name: "exec_command", arguments: { cmd: `cat ${file}` } })),
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
  calls: readTwice((file) => ({ name: "read", arguments: { filePath: file } })),
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
  calls: readTwice((file) => ({ name: "read_file", arguments: { file_path: file } })),
  // A resumed session has each tool result twice, but neither the text of its start nor the prompt that came with it.
  resumed: { start: 1, prompt: 1, files: 3 },
};

export const REAL_HOSTS: readonly RealHost[] = [claude, codex, opencode, gemini];

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
