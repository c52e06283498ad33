/**
 * Commands that do not fit one input and one output: they run until they are stopped, or interact with the person at the
 * terminal. Each is loaded only when it is used.
 */
export interface Program {
  /** One line for the list of commands. */
  summary: string;
  /** The text of `--help`: the command without `dex` in the first line, then its flags. */
  usage: string;
  /** Returns a function that runs with the arguments after the command's name and returns the exit status. */
  load(): Promise<(argv: readonly string[]) => Promise<number>>;
}

export const PROGRAMS: Readonly<Record<string, Program>> = {
  serve: {
    summary: "Serve dex's tools to agents (MCP), over stdio or HTTP",
    usage: [
      "serve",
      "",
      "Serves dex's tools to agents (MCP) over stdin and stdout until stdin is closed.",
      "",
      "  --tools SETS    Sets of tools: conversations, documents, code, context, memory, or all (default conversations)",
      "  --port N        Serve over HTTP instead, on 127.0.0.1; 0 picks a free port",
      "  -c, --collections NAME…  Only these collections of documentation and nothing else (serves documents)",
      "  --no-global     Only collections of this project and nothing else (serves documents)",
    ].join("\n"),
    load: async () => (await import("../mcp/serve.ts")).serve,
  },
  ask: {
    summary: "Answer a question from documentation, conversations or code, with checked sources",
    usage: `ask [query]

Finds the answer in documentation, or in the sources of --in, and prints it with its sources. Without a configured model
the answer is quoted from them. Without a question, or with -i, dex prompts for several. \`dex ask test\` runs a suite.

  -u, --use-case TEXT      Purpose of the answer; prompted for on a terminal
  -c, --collections NAME   Only this collection; may be repeated
  --no-global              Only collections of this project
  --in WHERE               documents (default), conversations, code (of this project), or all
  --model NAME             Overrides the configured model
  --temperature N          Overrides the configured temperature
  --no-model               Quote the sources, without the configured model
  --max-tokens N           Maximum tokens of a quoted answer (default 500)
  -i, --interactive        Ask several questions; /help shows its commands
  --verbose                Show each step as it happens
  -j, --json               Print JSON
  -h, --help               Show this help`,
    load: async () => (await import("./ask/ask.ts")).startAsk,
  },
  "mcp agent": {
    summary: "Serve one tool to agents (MCP): ask_documents",
    usage: `mcp agent

Serves a single tool, ask_documents, over stdin and stdout until stdin is closed. The search and the reading happen in
dex; only the answer enters the caller's context.

  -c, --collections NAME…  Only these collections and nothing else
  --no-global              Only collections of this project
  --in WHERE               documents (default), conversations, code (of this project), or all
  --model NAME             Overrides the configured model
  --no-model               Quote the sources, without the configured model`,
    load: async () => (await import("../mcp/agent.ts")).serveAgent,
  },
  hook: {
    summary: "Answer a hook event of an agent with known context",
    usage: `hook <host>

Reads one event of an agent as JSON on stdin and answers it on stdout, in the format of that agent: claude, codex,
gemini, cursor, opencode. Always exits with 0; after 300 ms (hooks.budgetMs) the answer is empty.
\`dex install --hooks\` sets it up; DEX_HOOKS=off turns it off.`,
    load: async () => (await import("../hooks/hook.ts")).hook,
  },
  watch: {
    summary: "Keep the indexes of a project up to date while you work",
    usage: `watch [folder]

Watches a project's files, its git state, test reports and the agents' conversations, and updates the indexes within two
seconds of a change. Runs until it is stopped; a project has at most one watcher.

  -j, --json    Print each batch of changes as a line of JSON
  --poll        Poll for changes, for file systems without change events (network drives)
  -h, --help    Show this help`,
    load: async () => (await import("./watch.ts")).startWatch,
  },
  "config edit": {
    summary: "Edit the settings in your editor; dex checks them before saving",
    usage: `config edit

Opens config.yaml in $VISUAL or $EDITOR. Invalid settings are not saved; you can edit them again or discard them.`,
    load: async () => (await import("./config_edit.ts")).editConfig,
  },
  chat: {
    summary: "Chat about your history in a separate OpenCode session",
    usage: `chat [query]

Starts OpenCode with dex's tools, separate from your own OpenCode history and settings. With a query it answers and
exits. \`dex chat list\` and \`dex chat rm\` manage earlier chats.

  -m, --model PROVIDER/MODEL  Overrides the configured model
  -j, --json                  Print the answer and details of the chat as JSON
  -h, --help                  Show this help`,
    load: async () => (await import("./chat.ts")).startChat,
  },
  "chat resume": {
    summary: "Continue a chat (default: the latest)",
    usage: `chat resume [id] [query]

  -m, --model PROVIDER/MODEL  Overrides the configured model
  -j, --json                  Print the answer and details of the chat as JSON
  -h, --help                  Show this help`,
    load: async () => (await import("./chat.ts")).resumeChat,
  },
  completion: {
    summary: "Print the completion script of a shell: bash, zsh or fish",
    usage: `completion <shell>

Prints a script that completes commands, options, and values such as projects and conversations.

  bash    source <(dex completion bash)                         in ~/.bashrc
  zsh     source <(dex completion zsh)                          in ~/.zshrc, after compinit
  fish    dex completion fish > ~/.config/fish/completions/dex.fish`,
    load: async () => (await import("./completion/completion.ts")).complete,
  },
};
