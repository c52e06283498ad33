/**
 * What people and agents read of each verb's answer. A family of verbs is one module, loaded when one of them is shown.
 */
import { guardTerminal, type Terminal } from "./terminal.ts";
import { wrapLines } from "./width.ts";

/** Called with the output of its own verb only. */
export type Renderer = (output: never, terminal: Terminal) => string;
type Family = Readonly<Record<string, Renderer>>;

const conversations = async (): Promise<Family> => (await import("./conversations.ts")).CONVERSATION_RENDERERS;
const chat = async (): Promise<Family> => (await import("./chat.ts")).CHAT_RENDERERS;
const hooks = async (): Promise<Family> => (await import("./hooks.ts")).HOOK_RENDERERS;
const install = async (): Promise<Family> => (await import("./install.ts")).INSTALL_RENDERERS;
const traces = async (): Promise<Family> => (await import("./traces.ts")).TRACE_RENDERERS;
const batch = async (): Promise<Family> => (await import("./batch.ts")).BATCH_RENDERERS;
const documents = async (): Promise<Family> => (await import("./documents.ts")).DOCUMENT_RENDERERS;
const upkeep = async (): Promise<Family> => (await import("./upkeep.ts")).UPKEEP_RENDERERS;
const workflow = async (): Promise<Family> => (await import("./workflows.ts")).WORKFLOW_RENDERERS;
const ask = async (): Promise<Family> => (await import("./ask.ts")).ASK_RENDERERS;
const config = async (): Promise<Family> => (await import("./config.ts")).CONFIG_RENDERERS;
const code = async (): Promise<Family> => (await import("./code.ts")).CODE_RENDERERS;
const history = async (): Promise<Family> => (await import("./history.ts")).HISTORY_RENDERERS;
const suggest = async (): Promise<Family> => (await import("./suggest.ts")).SUGGEST_RENDERERS;
const subscribing = async (): Promise<Family> => (await import("./subscriptions.ts")).SUBSCRIPTION_RENDERERS;
const resume = async (): Promise<Family> => (await import("./resume.ts")).RESUME_RENDERERS;
const memory = async (): Promise<Family> => (await import("./memory.ts")).MEMORY_RENDERERS;

/** Verbs that are not named here belong to conversations. */
const FAMILIES: Readonly<Record<string, () => Promise<Family>>> = {
  traces,
  trace: traces,
  sync: upkeep,
  reindex: upkeep,
  refresh: upkeep,
  gc: upkeep,
  export: upkeep,
  import: upkeep,
  forget: upkeep,
  doctor: upkeep,
  install,
  uninstall: install,
  hooks,
  batch,
  workflow,
  chat,
  ask,
  config,
  docs: documents,
  trust: documents,
  code,
  history,
  blame: history,
  decisions: history,
  decide: history,
  tests: history,
  warnings: history,
  suggest,
  feedback: suggest,
  subscribe: subscribing,
  unsubscribe: subscribing,
  subscriptions: subscribing,
  pin: memory,
  pins: memory,
  unpin: memory,
  note: memory,
  notes: memory,
  save: memory,
  pack: memory,
  compact: memory,
  handoff: memory,
  resume,
};

/**
 * Every rendered answer leaves through here, to a terminal or to an agent, without escape sequences and invisible
 * characters. An export that goes to a file or a program keeps its data.
 */
export async function renderOutput(verb: string, output: unknown, terminal: Terminal): Promise<string> {
  const family = await (FAMILIES[verb.split(" ")[0] ?? verb] ?? conversations)();
  const renderer = family[verb];
  const text = renderer ? renderer(output as never, terminal) : JSON.stringify(output, null, 2);
  const isData = verb === "export" && !terminal.boxes;
  if (isData) return text;
  const guarded = guardTerminal(text, terminal.color);
  return terminal.boxes && !VERBATIM_VERBS.has(verb) ? wrapLines(guarded, terminal.width) : guarded;
}

/** Their lines are copied from the terminal into a shell or a file, so dex does not break them. */
const VERBATIM_VERBS: ReadonlySet<string> = new Set(["resume", "how", "install", "uninstall", "export", "read", "message"]);
