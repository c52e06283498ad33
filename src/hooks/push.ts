/**
 * Turns an event into the text that the hook injects: facts from the indexes, within the event's token budget, each once
 * per session. The ledger records facts before they are sent: losing a fact is better than repeating it.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { dexPaths } from "../config/paths.ts";
import { Dex } from "../dex.ts";
import type { HookEvent } from "../integrations/hooks/hook_host.ts";
import { HEADS } from "../integrations/hooks/injected.ts";
import { DexError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import { limitLockTimeout } from "../kernel/lock_timeout.ts";
import { refreshInBackground } from "../project/refresh.ts";
import { withoutPrivate } from "../redact/private.ts";
import { isCorruption } from "../store/engine/database.ts";
import { checkState } from "../store/state/health.ts";
import { briefingOf, type FactGroup } from "../suggest/briefing.ts";
import { hasContent } from "../suggest/prompt_content.ts";
import { Ledger } from "./ledger.ts";

/** Waiting time for a database that another process has locked. */
const LOCK_TIMEOUT_MS = 40;

/** Recording and writing the answer takes about this long. */
const RESERVE_MS = 15;

const MAX_TOKENS = { start: 1200, prompt: 600, files: 400 } as const;

export interface PushContext {
  vars: NodeJS.ProcessEnv;
  host: string;
  /** Milliseconds until the deadline. */
  left(): number;
  /** The process ends with the answer, and with it all connections. */
  exits?: boolean;
  /** Called with the reason for an empty answer, unless dex simply has no facts. */
  silent?(kind: "late" | "off", reason: string): void;
  /** Called once the settings are read. */
  settings?(of: { budgetMs: number; refresh: boolean }): void;
}

/** Empty when there is nothing to inject. */
export async function pushFor(event: HookEvent, context: PushContext): Promise<string> {
  limitLockTimeout(LOCK_TIMEOUT_MS);
  const dex = await Dex.open({ vars: context.vars, cwd: event.folder });
  // dex was never used here, and a hook must not create its home folder.
  if (!existsSync(dex.paths.home)) return "";
  if (!dex.settings.hooks.enabled) {
    context.silent?.("off", "hooks.enabled is false in the settings");
    return "";
  }
  context.settings?.(dex.settings.hooks);
  try {
    return withNotices(dex, event, await pushOnce(dex, event, context));
  } catch (error) {
    const damaged = isCorruption(error) || (error instanceof DexError && error.code === "damaged_state");
    if (!damaged || checkState(dex.paths.state).state !== "damaged") throw error;
    dex.leaveStateOut();
    return withNotices(dex, event, await pushOnce(dex, event, context));
  } finally {
    if (context.exits !== true) dex.close();
  }
}

/** Problems of dex itself are reported once, when the session starts. */
function withNotices(dex: Dex, event: HookEvent, text: string): string {
  const notices = event.kind === "start" ? dex.takeNotices() : [];
  return [text, ...notices.map((notice) => `dex: ${notice}`)].filter((part) => part !== "").join("\n");
}

async function pushOnce(dex: Dex, event: HookEvent, context: PushContext): Promise<string> {
  const ledger = new Ledger(dex, context.host, event.session);
  try {
    if (event.kind === "compacted") {
      ledger.forget();
      return "";
    }
    ledger.begin(event);
    const { groups, subject } = await lookUp(dex, event, ledger, context);
    // The deadline passed, so do not mark these facts as injected.
    if (context.left() <= 0) {
      context.silent?.("late", "the answer was ready after its time was over");
      return "";
    }
    return ledger.inject(HEADS[event.kind], groups, MAX_TOKENS[event.kind], subject);
  } finally {
    // Closing the last connection writes the journal back to the database, which may take longer than the answer did.
    if (context.exits !== true) ledger.close();
  }
}

/** The next answer then includes what happened since this one. */
export function startRefresh(folder: string, vars: NodeJS.ProcessEnv): void {
  refreshInBackground(dexPaths(vars), folder, vars);
}

interface Found {
  groups: FactGroup[];
  /** The prompt or file, when it may come again in this session. */
  subject?: string;
}

async function lookUp(
  dex: Dex,
  event: Exclude<HookEvent, { kind: "compacted" }>,
  ledger: Ledger,
  context: PushContext,
): Promise<Found> {
  if (event.kind === "start") {
    const session = event.session === undefined ? {} : { session: event.session };
    return { groups: await briefingOf(dex, event.folder, { ...session, gitMs: Math.max(1, context.left() * 0.6) }) };
  }
  const limits = {
    without: ledger.known,
    maxTokens: MAX_TOKENS[event.kind],
    left: () => context.left() - RESERVE_MS,
  };
  if (event.kind === "prompt") {
    const prompt = withoutPrivate(event.prompt);
    if (!hasContent(prompt)) return { groups: [] };
    const { suggestedFacts } = await import("./suggested.ts");
    const groups = await suggestedFacts(dex, event, { prompt, recent: [] }, limits);
    return { groups, subject: `prompt:${contentId(prompt)}` };
  }
  const [file, ...recent] = event.files;
  // Agents read files all the time, and without a session dex cannot tell which facts it already injected.
  if (file === undefined || event.session === undefined) return { groups: [] };
  const { suggestedFacts } = await import("./suggested.ts");
  const groups = await suggestedFacts(dex, event, { file, recent }, limits);
  return { groups, subject: `about:${resolve(event.folder, file)}` };
}
