/**
 * Commands that are not one question and one answer: they run until they are ended, or talk with the person at the
 * terminal. Each is loaded only when it is used.
 */
export interface Program {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` prints: the call in the first line, without `dex`, then its flags. */
  usage: string;
  /** Runs with the words behind the command's name and returns the exit status. */
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
      "  --port N        Over HTTP instead, on 127.0.0.1; 0 picks a free port",
      "  -c, --collections NAME…  Only these collections of documentation; nothing else can be seen (serves documents)",
      "  --no-global     Only collections of the project here; nothing else can be seen (serves documents)",
    ].join("\n"),
    load: async () => (await import("../mcp/serve.ts")).serve,
  },
  ask: {
    summary: "Answer a question from documentation, conversations or code, with checked sources",
    usage: `ask [query]

Looks the answer up in documentation, or where --in says, and returns it with its sources; without a configured model
it is quoted from them. Without a question, or with -i, questions are asked one after the other. \`dex ask test\` runs a suite.

  -u, --use-case TEXT      What the answer is for; asked for at a terminal
  -c, --collections NAME   Only this collection; may be repeated
  --no-global              Only collections of the project here
  --in WHERE               documents (default), conversations, code of the project here, or all
  --model NAME             In place of the configured one
  --temperature N          In place of the configured one
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

Serves a single tool, ask_documents, over stdin and stdout until stdin is closed: the looking up and reading stays here,
only the answer reaches the caller's context.

  -c, --collections NAME…  Only these collections; nothing else can be seen
  --no-global              Only collections of the project here
  --in WHERE               documents (default), conversations, code of the project here, or all
  --model NAME             In place of the configured one
  --no-model               Quote the sources, without the configured model`,
    load: async () => (await import("../mcp/agent.ts")).serveAgent,
  },
  hook: {
    summary: "Answer an agent's hook: what is known, before it is asked for",
    usage: `hook <host>

Reads one event of an agent as JSON on stdin and answers it on stdout, in that agent's own way: claude, codex, gemini,
cursor, opencode. Always ends with status 0; what cannot be answered within 300 ms (hooks.budgetMs) is answered with
nothing. \`dex install --hooks\` sets it up; DEX_HOOKS=off keeps it silent.`,
    load: async () => (await import("../hooks/hook.ts")).hook,
  },
  watch: {
    summary: "Keep the indexes of a project up to date while it is worked on",
    usage: `watch [folder]

Watches a project's files, its git state, test reports and the agents' conversations, and brings what changed into the
indexes within two seconds. Runs until it is ended; one watcher a project.

  -j, --json    Print each batch of changes as a line of JSON
  --poll        Look at everything again and again, where the system does not tell of changes (network drives)
  -h, --help    Show this help`,
    load: async () => (await import("./watch.ts")).startWatch,
  },
  "config edit": {
    summary: "Open the settings in your editor, and check them afterwards",
    usage: `config edit

Opens config.yaml in $VISUAL or $EDITOR. What dex would refuse is not saved: it can be edited again or given up.`,
    load: async () => (await import("./config_edit.ts")).editConfig,
  },
  chat: {
    summary: "Ask about your history in an OpenCode session of its own",
    usage: `chat [query]

Talks with a model that has dex's tools, in OpenCode, apart from your own OpenCode history and settings. With a query
it answers and ends. \`dex chat list\` and \`dex chat rm\` look after earlier chats.

  -m, --model PROVIDER/MODEL  In place of the configured one
  -j, --json                  The answer and the facts of the chat, as JSON
  -h, --help                  Show this help`,
    load: async () => (await import("./chat.ts")).startChat,
  },
  "chat resume": {
    summary: "Go on with a chat, the latest one unless named",
    usage: `chat resume [id] [query]

  -m, --model PROVIDER/MODEL  In place of the configured one
  -j, --json                  The answer and the facts of the chat, as JSON
  -h, --help                  Show this help`,
    load: async () => (await import("./chat.ts")).resumeChat,
  },
  completion: {
    summary: "Print the completion script of a shell: bash, zsh or fish",
    usage: `completion <shell>

Prints a script that completes commands, options, and values such as projects and conversations.

  bash    source <(dex completion bash)                         in ~/.bashrc
  zsh     source <(dex completion zsh)                          in ~/.zshrc, behind compinit
  fish    dex completion fish > ~/.config/fish/completions/dex.fish`,
    load: async () => (await import("./completion/completion.ts")).complete,
  },
};
