/**
 * All coding agents that dex knows, in the order in which they are tried and shown. A new agent is a folder with its
 * record and one line in this list; every other list of agents derives from it.
 */
import { unknownName } from "../kernel/did_you_mean.ts";
import { aider } from "./agents/aider/integration.ts";
import { amazonQ } from "./agents/amazon_q/integration.ts";
import { amp } from "./agents/amp/integration.ts";
import { astrbot } from "./agents/astrbot/integration.ts";
import { auggie } from "./agents/auggie/integration.ts";
import { claudeCode } from "./agents/claude_code/integration.ts";
import { claudeCowork } from "./agents/claude_cowork/integration.ts";
import { cline } from "./agents/cline/integration.ts";
import { codebuddy } from "./agents/codebuddy/integration.ts";
import { codebuff } from "./agents/codebuff/integration.ts";
import { codex } from "./agents/codex/integration.ts";
import { continueDev } from "./agents/continue/integration.ts";
import { copilot } from "./agents/copilot/integration.ts";
import { crush } from "./agents/crush/integration.ts";
import { cursor } from "./agents/cursor/integration.ts";
import { deepAgents } from "./agents/deep_agents/integration.ts";
import { deepseekHarness } from "./agents/deepseek_harness/integration.ts";
import { devin } from "./agents/devin/integration.ts";
import { factoryDroid } from "./agents/factory_droid/integration.ts";
import { firebender } from "./agents/firebender/integration.ts";
import { forgecode } from "./agents/forgecode/integration.ts";
import { gemini } from "./agents/gemini/integration.ts";
import { goose } from "./agents/goose/integration.ts";
import { gptme } from "./agents/gptme/integration.ts";
import { grokBuild } from "./agents/grok_build/integration.ts";
import { hermes } from "./agents/hermes/integration.ts";
import { icodemate } from "./agents/icodemate/integration.ts";
import { iflow } from "./agents/iflow/integration.ts";
import { jetbrainsAi } from "./agents/jetbrains_ai/integration.ts";
import { junie } from "./agents/junie/integration.ts";
import { kiloCode } from "./agents/kilo_code/integration.ts";
import { kimi } from "./agents/kimi/integration.ts";
import { kiro } from "./agents/kiro/integration.ts";
import { letta } from "./agents/letta/integration.ts";
import { lingma } from "./agents/lingma/integration.ts";
import { mimoCode } from "./agents/mimo_code/integration.ts";
import { mistralVibe } from "./agents/mistral_vibe/integration.ts";
import { muse } from "./agents/muse/integration.ts";
import { mux } from "./agents/mux/integration.ts";
import { openclaude } from "./agents/openclaude/integration.ts";
import { openclaw } from "./agents/openclaw/integration.ts";
import { opencode } from "./agents/opencode/integration.ts";
import { openhands } from "./agents/openhands/integration.ts";
import { pi } from "./agents/pi/integration.ts";
import { positAssistant } from "./agents/posit_assistant/integration.ts";
import { primeAgent } from "./agents/prime_agent/integration.ts";
import { qoder } from "./agents/qoder/integration.ts";
import { qwenCode } from "./agents/qwen_code/integration.ts";
import { qwenpaw } from "./agents/qwenpaw/integration.ts";
import { rovoDev } from "./agents/rovo_dev/integration.ts";
import { specstory } from "./agents/specstory/integration.ts";
import { sweAgent } from "./agents/swe_agent/integration.ts";
import { tabnine } from "./agents/tabnine/integration.ts";
import { traeCli } from "./agents/trae_cli/integration.ts";
import { vscode } from "./agents/vscode/integration.ts";
import { warp } from "./agents/warp/integration.ts";
import { windsurf } from "./agents/windsurf/integration.ts";
import { zcode } from "./agents/zcode/integration.ts";
import { zed } from "./agents/zed/integration.ts";
import { zencoder } from "./agents/zencoder/integration.ts";
import { ANY_AGENT, type HandoffTarget } from "./handoff.ts";
import { presenceBelow } from "./history/reading/files.ts";
import type { Source, SourceEnv } from "./history/source.ts";
import type { HookHost } from "./hooks/hook_host.ts";
import type { Integration } from "./integration.ts";
import type { ConnectableAgent } from "./settings/agent_settings.ts";

export const INTEGRATIONS: readonly Integration[] = [
  claudeCode,
  codex,
  cursor,
  opencode,
  gemini,
  copilot,
  vscode,
  pi,
  cline,
  aider,
  factoryDroid,
  specstory,
  crush,
  goose,
  mistralVibe,
  qwenCode,
  zed,
  amazonQ,
  amp,
  astrbot,
  auggie,
  codebuddy,
  codebuff,
  continueDev,
  deepAgents,
  deepseekHarness,
  devin,
  firebender,
  forgecode,
  gptme,
  grokBuild,
  hermes,
  junie,
  kimi,
  kiro,
  lingma,
  muse,
  mux,
  openhands,
  positAssistant,
  qwenpaw,
  rovoDev,
  sweAgent,
  warp,
  windsurf,
  zencoder,
  claudeCowork,
  jetbrainsAi,
  icodemate,
  iflow,
  kiloCode,
  letta,
  mimoCode,
  openclaude,
  openclaw,
  primeAgent,
  qoder,
  tabnine,
  traeCli,
  zcode,
];

/** Agents whose history dex reads. */
export const SOURCE_IDS: readonly string[] = idsWith("history");
/** Agents that dex can be connected to. */
export const CONNECTABLE_IDS: readonly string[] = idsWith("settings");
/** The words after `dex hook`. */
export const HOOK_NAMES: readonly string[] = INTEGRATIONS.filter(({ hooks }) => hooks).map(hookNameOf);
/** Agents whose commands and prompts dex knows, followed by the record that represents all others. */
export const HANDOFF_TARGETS: readonly HandoffTarget[] = [
  ...INTEGRATIONS.flatMap(({ id, name, aliases, handoff }) => (handoff ? [{ id, name, aliases, handoff }] : [])),
  ANY_AGENT,
];

function idsWith(part: "history" | "settings"): string[] {
  return INTEGRATIONS.filter((integration) => integration[part]).map(({ id }) => id);
}

/** An agent by its id, an alias or its name, as people write them. */
export function agentNamed(typed: string): Integration | undefined {
  const wanted = asId(typed);
  const isIt = ({ id, name, aliases }: Integration): boolean =>
    id === wanted || aliases.includes(wanted) || asId(name) === wanted;
  return integrationById(wanted) ?? INTEGRATIONS.find(isIt);
}

/** Its name for people; that of an imported history is the one it was imported under. */
export function agentName(source: string): string {
  return integrationById(source)?.name ?? source;
}

export function integrationById(id: string): Integration | undefined {
  return INTEGRATIONS.find((integration) => integration.id === id);
}

/** Ids as people write them: `Claude Code` and `claude-code` become `claude_code`. */
export function asId(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

export function handoffTargetNamed(word: string): HandoffTarget {
  const wanted = asId(word);
  const plain = INTEGRATIONS.find(
    ({ id, aliases, handoff }) => !handoff && (id === wanted || aliases.includes(wanted)),
  );
  if (plain) return { ...ANY_AGENT, id: plain.id, name: plain.name };
  return named(word, HANDOFF_TARGETS, `There is no agent "${word.slice(0, 60)}".`, "Agents that you can hand over to:");
}

/** The reader of one agent's history; undefined for a source that came from an import. */
export async function loadSource(id: string): Promise<Source | undefined> {
  return integrationById(id)?.history?.();
}

/** Readers in the order of the list. With an environment, only those whose folders exist. */
export async function loadSources(ids: readonly string[] = SOURCE_IDS, env?: SourceEnv): Promise<Source[]> {
  const wanted = INTEGRATIONS.filter(({ id }) => ids.includes(id));
  const found = env ? presentIn(env, wanted) : wanted;
  const sources: Source[] = [];
  for (const integration of found) {
    const source = loaded.get(integration.id) ?? (await integration.history?.());
    if (!source) continue;
    loaded.set(integration.id, source);
    sources.push(source);
  }
  return sources;
}

/** The folders depend on the environment alone, and a server looks for them at every check. */
let known = { env: "", folders: new Map<Integration, readonly string[]>() };

function presentIn(env: SourceEnv, wanted: readonly Integration[]): Integration[] {
  const text = JSON.stringify(env);
  if (known.env !== text) known = { env: text, folders: new Map() };
  const { folders } = known;
  const isPresent = presenceBelow(env.home);
  return wanted.filter((integration) => {
    const paths = folders.get(integration) ?? integration.folders?.(env) ?? [];
    folders.set(integration, paths);
    return paths.some(isPresent);
  });
}

/** Node takes longer to find a module that it has loaded. */
const loaded = new Map<string, Source>();

/** Agents that dex can be connected to, in the order of the list; `words` names some of them. */
export async function loadConnectableAgents(words?: readonly string[]): Promise<ConnectableAgent[]> {
  const all = INTEGRATIONS.filter(({ settings }) => settings);
  const wanted = words && new Set(words.map((word) => connectableNamed(word, all)));
  const chosen = wanted ? all.filter((agent) => wanted.has(agent)) : all;
  return (await Promise.all(chosen.map(connectable))).flat();
}

export async function loadConnectableAgent(id: string): Promise<ConnectableAgent | undefined> {
  const integration = integrationById(id);
  return integration && (await connectable(integration))[0];
}

async function connectable(integration: Integration): Promise<ConnectableAgent[]> {
  const settings = await integration.settings?.();
  const { id, name } = integration;
  return settings ? [{ id, name, hookName: hookNameOf(integration), settings }] : [];
}

function connectableNamed(word: string, all: readonly Integration[]): Integration {
  return named(word, all, `There is no agent "${word}" to connect to.`, "Agents that dex can connect to:");
}

/** The word after `dex hook` that the typed one means: the agent may be named in any way. */
export function hookName(typed: string): string {
  const agent = HOOK_NAMES.includes(typed) ? undefined : agentNamed(typed);
  return agent?.hooks ? hookNameOf(agent) : typed;
}

/** `name`: the word after `dex hook`. */
export async function loadHookHost(name: string): Promise<HookHost | undefined> {
  return INTEGRATIONS.find((integration) => hookNameOf(integration) === name)?.hooks?.();
}

/** Whether a hook with nothing to say must write nothing; see `readsAllOutput`. */
export function silentHost(name: string): boolean {
  return INTEGRATIONS.some((integration) => integration.readsAllOutput && hookNameOf(integration) === name);
}

/** The name of the agent that calls `dex hook` with this word. */
export function hookHostName(word: string): string {
  return INTEGRATIONS.find((integration) => hookNameOf(integration) === word)?.name ?? word;
}

function hookNameOf({ id, hookName = id }: Integration): string {
  return hookName;
}

function named<T extends Pick<Integration, "id" | "aliases">>(
  word: string,
  among: readonly T[],
  sentence: string,
  list: string,
): T {
  const wanted = asId(word);
  const found = among.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
  if (found) return found;
  const names = among.map(({ id }) => id);
  throw unknownName({ code: "unknown_agent", sentence, typed: wanted, names, hint: `${list} ${names.join(", ")}.` });
}
