/** Renders the answers about coding agents: their connections, hooks and chats. */
import { CHAT_RENDERERS } from "./agents/chat.ts";
import { HOOK_RENDERERS } from "./agents/hooks.ts";
import { INSTALL_RENDERERS } from "./agents/install.ts";

export const AGENT_RENDERERS = { ...INSTALL_RENDERERS, ...HOOK_RENDERERS, ...CHAT_RENDERERS };
