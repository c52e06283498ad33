/** All programs, each loaded only when it is used. */
import type { Program } from "../command.ts";

type Loader = () => Promise<Program>;

export const PROGRAMS: Readonly<Record<string, Loader>> = {
  serve: async () => (await import("./serve.ts")).serve,
  web: async () => (await import("./web.ts")).web,
  ask: async () => (await import("./ask.ts")).ask,
  "mcp agent": async () => (await import("./mcp_agent.ts")).mcpAgent,
  hook: async () => (await import("./hook.ts")).hook,
  statusline: async () => (await import("./statusline.ts")).statusline,
  "team serve": async () => (await import("./team_serve.ts")).teamServe,
  watch: async () => (await import("./watch.ts")).watch,
  "config edit": async () => (await import("./config_edit.ts")).configEdit,
  chat: async () => (await import("./chat.ts")).chat,
  "chat resume": async () => (await import("./chat.ts")).chatResume,
  completion: async () => (await import("./completion.ts")).completion,
};
