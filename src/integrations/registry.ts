/** The agents dex can be connected to, and how a person names them. */
import { existsSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { nearest } from "../kernel/text.ts";
import { claudeCode } from "./claude_code/settings.ts";
import { codex } from "./codex/settings.ts";
import { copilot } from "./copilot/settings.ts";
import { cursor } from "./cursor/settings.ts";
import { gemini } from "./gemini/settings.ts";
import { opencode } from "./opencode/settings.ts";
import type { Agent, AgentEnv, Scope } from "./settings/agent_settings.ts";
import { vscode } from "./vscode/settings.ts";

export const AGENTS: readonly Agent[] = [claudeCode, codex, cursor, opencode, gemini, copilot, vscode];

export function isFound(agent: Agent, env: AgentEnv, scope: Scope): boolean {
  return agent.traces(env, scope).some((path) => existsSync(path));
}

/** Named agents in the order of the list, each once. */
export function agentsNamed(words: readonly string[]): Agent[] {
  const wanted = new Set(words.map(agentNamed));
  return AGENTS.filter((agent) => wanted.has(agent));
}

function agentNamed(word: string): Agent {
  const name = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const found = AGENTS.find(({ id, aliases }) => id === name || aliases.includes(name));
  if (found) return found;
  const ids = AGENTS.map(({ id }) => id);
  const meant = nearest(name, ids);
  throw new DexError("unknown_agent", `dex cannot be connected to "${word}".`, {
    hint: meant ? `Did you mean ${meant}?` : `It can be connected to ${ids.join(", ")}.`,
  });
}
