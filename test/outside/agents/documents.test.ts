/** Agents that keep a session as a document, and Aider with its Markdown. */
import { readFileSync } from "node:fs";
import {
  checkSamples,
  documents,
  hasWords,
  listed,
  paths,
  type Raw,
  type Sample,
  sum,
} from "../../support/histories/agent_files.ts";

const VSCODE: Sample = {
  agent: "vscode",
  files: [["vscode-copilot/*.json", ".config/Code/User/workspaceStorage/w/chatSessions/chat#.json"]],
  expected: { conversations: 2, prompts: 8, calls: 13 },
  count(home) {
    const chats = documents(home, ".config/Code/User/workspaceStorage/w/chatSessions/*.json");
    const requests = chats.flatMap((chat) => chat.requests);
    const rounds = requests.flatMap((request) => listed(request.result?.metadata?.toolCallRounds));
    const shown = requests.filter((request) => !request.result?.metadata?.toolCallRounds?.length);
    const tools = shown
      .flatMap((request) => listed(request.response))
      .filter((part) => part.kind === "toolInvocationSerialized");
    return {
      conversations: chats.length,
      prompts: requests.length,
      calls: sum(rounds.map((round) => listed(round.toolCalls).length)) + tools.length,
    };
  },
};

const ROVO_DEV: Sample = {
  agent: "rovo_dev",
  files: [["rovodev/ctx/v1/sessions", ".rovodev/sessions"]],
  expected: { conversations: 1, prompts: 1, calls: 1, texts: 2 },
  count(home) {
    const [context] = documents(home, ".rovodev/sessions/*/session_context.json");
    const parts = context.message_history.flatMap((each: Raw) => each.parts);
    return {
      conversations: 1,
      prompts: context.message_history.filter((each: Raw) => each.role === "user").length,
      calls: parts.filter((part: Raw) => part.kind === "tool_use").length,
      texts: parts.filter((part: Raw) => part.kind === "text").length,
    };
  },
};

const AUGGIE: Sample = {
  agent: "auggie",
  files: [["auggie/ctx/v0.32.0/sessions", ".augment/sessions"]],
  expected: { conversations: 1, prompts: 2, calls: 0, texts: 4 },
  count(home) {
    const sessions = documents(home, ".augment/sessions/*.json");
    const exchanges = sessions.flatMap((session) => session.chatHistory.map((each: Raw) => each.exchange));
    const inNodes = (nodes: Raw): boolean => listed(nodes).some((node) => hasWords(node.text_node?.content));
    const asked = exchanges.filter((each) => hasWords(each.request_message) || inNodes(each.request_nodes));
    const answered = exchanges.filter((each) => hasWords(each.response_text) || inNodes(each.response_nodes));
    return {
      conversations: sessions.length,
      prompts: asked.length,
      calls: exchanges.flatMap((each) => listed(each.response_nodes)).filter((node) => node.tool_use).length,
      texts: asked.length + answered.length,
    };
  },
};

const CODEBUDDY: Sample = {
  agent: "codebuddy",
  files: [["codebuddy/ctx/Data", ".local/share/CodeBuddyExtension/Data"]],
  expected: { conversations: 2, prompts: 2, calls: 0, texts: 3 },
  count(home) {
    const history = ".local/share/CodeBuddyExtension/Data/VSCode/default/history/*";
    const messages = documents(home, `${history}/*/messages/*.json`);
    return {
      conversations: sum(documents(home, `${history}/index.json`).map((index) => index.conversations.length)),
      prompts: messages.filter((each) => each.role === "user").length,
      calls: 0,
      texts: messages.filter((each) => hasWords(each.message)).length,
    };
  },
};

/** A run of Aider is a conversation; no file of the data has an edit. */
const AIDER: Sample = {
  agent: "aider",
  files: [["aider/irrlicht/*.md", "project#/.aider.chat.history.md"]],
  expected: { conversations: 4, prompts: 7, calls: 0, texts: 15 },
  count(home) {
    const files = paths(home, "project*/.aider.chat.history.md").map((path) => readFileSync(path, "utf8"));
    const lines = files.flatMap((text) => text.split("\n"));
    const prompts = lines.filter((line) => line.startsWith("#### ") && !line.startsWith("#### /"));
    // An answer is the text between two lines of Aider or of the person, without the model's thinking.
    const spoken = files
      .flatMap((text) =>
        text.replaceAll(/<(thinking-content-\w+)>[\s\S]*?<\/\1>/g, "").split(/^(?:# aider|####|>).*$/m),
      )
      .filter(hasWords);
    return {
      conversations: lines.filter((line) => line.startsWith("# aider chat started at ")).length,
      prompts: prompts.length,
      calls: 0,
      texts: prompts.length + spoken.length,
    };
  },
};

const POSIT: Sample = {
  agent: "posit_assistant",
  files: [["posit-assistant/agentsview/workspaces", ".posit/assistant/workspaces"]],
  expected: { conversations: 3, prompts: 4, calls: 1, texts: 10, abandoned: 1 },
  count(home) {
    const trees = documents(home, ".posit/assistant/workspaces/**/conversation.json");
    const said = paths(home, ".posit/assistant/workspaces/**/lm-messages.jsonl")
      .flatMap((path) => readFileSync(path, "utf8").trim().split("\n"))
      .map((line): Raw => JSON.parse(line).message);
    return {
      conversations: trees.length,
      prompts: said.filter(({ role }) => role === "user").length,
      calls: said.flatMap(({ content }) => listed(content)).filter(({ type }) => type === "tool-call").length,
      texts: said.filter(({ role }) => role !== "tool").length,
      abandoned: trees.flatMap(({ messages }) => messages).filter((each: Raw) => each.isActive === false).length,
    };
  },
};

const QWENPAW: Sample = {
  agent: "qwenpaw",
  files: [["qwenpaw/agentsview", ".copaw/workspaces"]],
  expected: { conversations: 4, prompts: 4, calls: 1, texts: 8 },
  count(home) {
    const memories = documents(home, ".copaw/workspaces/*/sessions/**/*.json")
      .map((session): Raw[] => session.agent.memory.content.map(([message]: Raw[]) => message))
      .filter(({ length }) => length > 0);
    const blocks = memories.flat().flatMap(({ content }) => listed(content));
    return {
      conversations: memories.length,
      prompts: memories.flat().filter(({ role }) => role === "user").length,
      calls: blocks.filter(({ type }) => type === "tool_use").length,
      texts: blocks.filter(({ type }) => type === "text").length,
    };
  },
};

const SWE_AGENT: Sample = {
  agent: "swe_agent",
  files: [["swe-agent/*.traj", "project/trajectories/u/run/i#/i#.traj"]],
  expected: { conversations: 1, prompts: 1, calls: 4, texts: 5 },
  count(home) {
    const runs = documents(home, "project/trajectories/**/*.traj");
    const steps = runs.flatMap(({ trajectory }) => trajectory);
    return {
      conversations: runs.length,
      prompts: runs.length,
      calls: steps.filter(({ action }) => hasWords(action)).length,
      texts: runs.length + steps.filter(({ thought }) => hasWords(thought)).length,
    };
  },
};

checkSamples("documents of agents", [VSCODE, ROVO_DEV, AUGGIE, CODEBUDDY, AIDER, POSIT, QWENPAW, SWE_AGENT]);
