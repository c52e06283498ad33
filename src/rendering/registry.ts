/**
 * The text that people and agents read of each verb's answer. Each family of verbs has one module here, loaded when one
 * of its verbs is shown.
 */
import { familyOfVerb, type VerbFamily } from "../operations/registry.ts";
import { guardTerminal, type Terminal } from "./terminal/terminal.ts";
import { wrapLines } from "./terminal/width.ts";

/** Called with the output of its own verb only. */
type Renderer = (output: never, terminal: Terminal) => string;
type Renderers = Readonly<Record<string, Renderer>>;

const FAMILY_RENDERERS: Readonly<Record<VerbFamily, () => Promise<Renderers>>> = {
  conversations: async () => (await import("./conversations.ts")).CONVERSATION_RENDERERS,
  docs: async () => (await import("./docs.ts")).DOCS_RENDERERS,
  code: async () => (await import("./code.ts")).CODE_RENDERERS,
  history: async () => (await import("./history.ts")).HISTORY_RENDERERS,
  suggest: async () => (await import("./suggest.ts")).SUGGEST_RENDERERS,
  memory: async () => (await import("./memory.ts")).MEMORY_RENDERERS,
  ask: async () => (await import("./ask.ts")).ASK_RENDERERS,
  batch: async () => (await import("./batch.ts")).BATCH_RENDERERS,
  usage: async () => (await import("./usage.ts")).USAGE_RENDERERS,
  agents: async () => (await import("./agents.ts")).AGENT_RENDERERS,
  team: async () => (await import("./team.ts")).TEAM_RENDERERS,
  upkeep: async () => (await import("./upkeep.ts")).UPKEEP_RENDERERS,
};

/** The renderer of a verb. Every verb has one: registry.test.ts compares them. */
export async function rendererOf(verb: string): Promise<Renderer> {
  const family = familyOfVerb(verb);
  const renderer = family && (await FAMILY_RENDERERS[family]())[verb];
  if (!renderer) throw new Error(`the verb ${verb} has no renderer`);
  return renderer;
}

/**
 * Renders an answer for a terminal or an agent and removes escape sequences and invisible characters. An export that is
 * written to a file or read by a program keeps its form unchanged; one for people is clean already.
 */
export async function renderOutput(verb: string, output: unknown, terminal: Terminal): Promise<string> {
  const text = (await rendererOf(verb))(output as never, terminal);
  const isData = verb === "export" && !terminal.boxes;
  if (isData) return text;
  const guarded = guardTerminal(text, terminal.color);
  return terminal.boxes && !VERBATIM_VERBS.has(verb) ? wrapLines(guarded, terminal.width) : guarded;
}

/** People copy lines of these answers into a shell or a file, so dex does not wrap them. */
const VERBATIM_VERBS: ReadonlySet<string> = new Set([
  "resume",
  "team invite",
  "team gateway",
  "how",
  "install",
  "uninstall",
  "export",
  "read",
  "message",
]);
