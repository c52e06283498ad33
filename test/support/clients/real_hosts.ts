/**
 * Real agents as the tests of hooks start them: which package, how a scripted model on the loopback is put behind them,
 * how a session begins and goes on, and which tool calls of the model cause which event. One entry for each agent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HEADS } from "../../../src/integrations/hooks/injected.ts";
import { codexModel, type ModelReply, type ModelServer } from "../model/model_server.ts";
import { FAILING_COMMAND, NEW_TEXT, OLD_TEXT } from "./real_scene.ts";

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
  /** Goes on with the latest session. Absent: it does that in a terminal only. */
  goOn?(prompt: string): string[];
  /** The moments before the model is asked. */
  opening: readonly Moment[];
  /** The tool calls of the model, in order, and the moment that each causes. A repeated call causes none. */
  calls: readonly { moment?: Moment; call(file: string): ToolCall }[];
  /** A resumed session has lost the text of its start, so dex tells it again. */
  losesStart?: boolean;
  /** It has also lost the first prompt, to which the host had attached that text. */
  losesPrompt?: boolean;
  /** How often a resumed session has each text, if not once. */
  resumed?: Partial<Record<Moment, number>>;
}

const CLAUDE_FLAGS = ["-p", "--permission-mode", "acceptEdits", "--allowedTools=Bash"];
const CLAUDE_EDIT = { old_string: OLD_TEXT, new_string: NEW_TEXT };

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
  begin: (prompt) => [...CLAUDE_FLAGS, prompt],
  goOn: (prompt) => [...CLAUDE_FLAGS, "--continue", prompt],
  opening: ["start", "prompt"],
  calls: [
    { moment: "files", call: (file) => ({ name: "Read", arguments: { file_path: file } }) },
    { call: (file) => ({ name: "Read", arguments: { file_path: file } }) },
    { moment: "edit", call: (file) => ({ name: "Edit", arguments: { file_path: file, ...CLAUDE_EDIT } }) },
    { moment: "command", call: () => ({ name: "Bash", arguments: { command: FAILING_COMMAND } }) },
  ],
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
  calls: [
    { moment: "files", call: (file) => ({ name: "exec_command", arguments: { cmd: `cat ${file}` } }) },
    { call: (file) => ({ name: "exec_command", arguments: { cmd: `cat ${file}` } }) },
    { moment: "command", call: () => ({ name: "exec_command", arguments: { cmd: FAILING_COMMAND } }) },
  ],
};

const OPENCODE_EDIT = { oldString: OLD_TEXT, newString: NEW_TEXT };

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
  calls: [
    { moment: "files", call: (file) => ({ name: "read", arguments: { filePath: file } }) },
    { call: (file) => ({ name: "read", arguments: { filePath: file } }) },
    { moment: "edit", call: (file) => ({ name: "edit", arguments: { filePath: file, ...OPENCODE_EDIT } }) },
    {
      moment: "command",
      call: () => ({ name: "bash", arguments: { command: FAILING_COMMAND, description: "Close" } }),
    },
  ],
};

const GEMINI_EDIT = { instruction: "Add zero", old_string: OLD_TEXT, new_string: NEW_TEXT };

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
  begin: (prompt) => ["--approval-mode", "yolo", "-p", prompt],
  goOn: (prompt) => ["--approval-mode", "yolo", "--resume", "latest", "-p", prompt],
  opening: ["start", "prompt"],
  calls: [
    { moment: "files", call: (file) => ({ name: "read_file", arguments: { file_path: file } }) },
    { call: (file) => ({ name: "read_file", arguments: { file_path: file } }) },
    { moment: "edit", call: (file) => ({ name: "replace", arguments: { file_path: file, ...GEMINI_EDIT } }) },
    { moment: "command", call: () => ({ name: "run_shell_command", arguments: { command: FAILING_COMMAND } }) },
  ],
  losesStart: true,
  losesPrompt: true,
  // It has each tool result twice, but not the prompt that came with the text of the start.
  resumed: { start: 1, files: 2, edit: 2, command: 2 },
};

const copilot: RealHost = {
  name: "Copilot CLI",
  agent: "copilot",
  packageSpec: "@github/copilot@1.0.102",
  command: "copilot",
  // With a provider of its own and offline it needs no GitHub account.
  vars: ({ url }) => ({ COPILOT_PROVIDER_BASE_URL: url, COPILOT_MODEL: "scripted", COPILOT_OFFLINE: "true" }),
  begin: (prompt) => ["--allow-all-tools", "-p", prompt],
  goOn: (prompt) => ["--allow-all-tools", "--continue", "-p", prompt],
  opening: ["start", "prompt"],
  calls: [
    { moment: "files", call: (file) => ({ name: "view", arguments: { path: file } }) },
    { call: (file) => ({ name: "view", arguments: { path: file } }) },
    {
      moment: "edit",
      call: (file) => ({ name: "edit", arguments: { path: file, old_str: OLD_TEXT, new_str: NEW_TEXT } }),
    },
    {
      moment: "command",
      call: () => ({ name: "bash", arguments: { command: FAILING_COMMAND, description: "Close" } }),
    },
  ],
  losesStart: true,
};

const QWEN_EDIT = { old_string: OLD_TEXT, new_string: NEW_TEXT };

const qwen: RealHost = {
  name: "Qwen Code",
  agent: "qwen",
  packageSpec: "@qwen-code/qwen-code@0.24.4",
  command: "qwen",
  vars: ({ url }) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "loop-key", OPENAI_MODEL: "scripted" }),
  configure: (home) =>
    write(
      join(home, ".qwen/settings.json"),
      JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "openai" } },
      }),
    ),
  begin: (prompt) => ["--approval-mode", "yolo", "-p", prompt],
  goOn: (prompt) => ["--approval-mode", "yolo", "--continue", "-p", prompt],
  opening: ["start", "prompt"],
  calls: [
    { moment: "files", call: (file) => ({ name: "read_file", arguments: { file_path: file } }) },
    { call: (file) => ({ name: "read_file", arguments: { file_path: file } }) },
    { moment: "edit", call: (file) => ({ name: "edit", arguments: { file_path: file, ...QWEN_EDIT } }) },
    {
      moment: "command",
      call: () => ({ name: "run_shell_command", arguments: { command: FAILING_COMMAND, is_background: false } }),
    },
  ],
  losesStart: true,
};

const CLINE_PROVIDER = "openai-compatible";
const CLINE_FLAGS = ["-P", CLINE_PROVIDER, "-m", "scripted"];

const cline: RealHost = {
  name: "Cline",
  agent: "cline",
  packageSpec: "cline@3.0.65",
  command: "cline",
  // Otherwise a daemon stays.
  vars: () => ({ CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" }),
  configure: (home, { url }) => {
    const settings = { provider: CLINE_PROVIDER, apiKey: "loop-key", model: "scripted", baseUrl: url };
    const provider = { settings, updatedAt: new Date().toISOString(), tokenSource: "manual" };
    write(
      join(home, ".cline/data/settings/providers.json"),
      JSON.stringify({
        version: 1,
        lastUsedProvider: CLINE_PROVIDER,
        modes: {},
        providers: { [CLINE_PROVIDER]: provider },
      }),
    );
  },
  begin: (prompt) => [...CLINE_FLAGS, prompt],
  // The command line does not read the output of the hooks of a task and of a prompt.
  opening: [],
  calls: [
    { moment: "files", call: (file) => ({ name: "read_files", arguments: { files: [{ path: file }] } }) },
    { call: (file) => ({ name: "read_files", arguments: { files: [{ path: file }] } }) },
    {
      moment: "edit",
      call: (file) => ({ name: "editor", arguments: { path: file, old_text: OLD_TEXT, new_text: NEW_TEXT } }),
    },
    { moment: "command", call: () => ({ name: "run_commands", arguments: { commands: [FAILING_COMMAND] } }) },
  ],
};

const kimi: RealHost = {
  name: "Kimi Code",
  agent: "kimi",
  packageSpec: "@moonshot-ai/kimi-code@2.1.0",
  command: "kimi",
  vars: () => ({}),
  configure: (home, { url }) =>
    write(
      join(home, ".kimi-code/config.toml"),
      [
        "# mine",
        'default_model = "scripted"',
        "telemetry = false",
        "[providers.loop]",
        'type = "openai"',
        `base_url = "${url}"`,
        'api_key = "loop-key"',
        "[models.scripted] # the only one",
        'provider = "loop"',
        'model = "scripted"',
        "max_context_size = 200000",
      ].join("\n"),
    ),
  begin: (prompt) => ["-p", prompt],
  goOn: (prompt) => ["--continue", "-p", prompt],
  opening: ["prompt"],
  calls: [],
};

export const REAL_HOSTS: readonly RealHost[] = [claude, codex, opencode, gemini, copilot, qwen, cline, kimi];

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
