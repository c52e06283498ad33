/**
 * From an event to the text that its model is given: looked up in what is indexed, cut to the event's budget, and each
 * thing once a session. What is about to be told is noted first: rather is a thing lost than told twice.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { dexPaths } from "../config/paths.ts";
import { Dex } from "../dex.ts";
import type { HookEvent } from "../integrations/hooks/hook_host.ts";
import { HEADS } from "../integrations/hooks/injected.ts";
import { DexError } from "../kernel/errors.ts";
import { contentId } from "../kernel/ids.ts";
import { limitPatience } from "../kernel/lock_timeout.ts";
import { refreshInBackground } from "../project/refresh.ts";
import { withoutPrivate } from "../redact/private.ts";
import { isCorruption } from "../store/engine/database.ts";
import { checkState } from "../store/state/health.ts";
import { briefingOf, type FactGroup } from "../suggest/briefing.ts";
import { Ledger } from "./ledger.ts";

/** For a database that another process holds. */
const LONGEST_WAIT = 40;

const MOST_TOKENS = { start: 1200, prompt: 600, files: 400 } as const;

export interface PushContext {
  vars: NodeJS.ProcessEnv;
  host: string;
  /** Milliseconds that are left. */
  left(): number;
  /** Told why nothing is said, where that is not because nothing is known. */
  silent?(kind: "late" | "off", reason: string): void;
  /** Told once the settings are read. */
  settings?(of: { budgetMs: number; refresh: boolean }): void;
}

/** Empty: nothing is said. */
export async function pushFor(event: HookEvent, context: PushContext): Promise<string> {
  limitPatience(LONGEST_WAIT);
  const dex = await Dex.open({ vars: context.vars, cwd: event.folder });
  // Where dex was never used it knows nothing, and a hook is not what begins it.
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
    dex.close();
  }
}

/** A session hears once, when it starts, what is wrong with dex itself. */
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
    // Nobody reads a late answer, so that its facts must stay untold.
    if (context.left() <= 0) {
      context.silent?.("late", "the answer was ready after its time was over");
      return "";
    }
    return ledger.tell(HEADS[event.kind], groups, MOST_TOKENS[event.kind], subject);
  } finally {
    ledger.close();
  }
}

/** So that the next answer knows what happened since the last one. */
export function startRefresh(folder: string, vars: NodeJS.ProcessEnv): void {
  refreshInBackground(dexPaths(vars), folder, vars);
}

interface Found {
  groups: FactGroup[];
  /** What was asked about, where it can be asked about again. */
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
  if (event.kind === "prompt") {
    const prompt = withoutPrivate(event.prompt);
    if (prompt === "") return { groups: [] };
    const { suggestedFacts } = await import("./suggested.ts");
    const groups = await suggestedFacts(dex, event, { prompt, recent: [] }, ledger.known, MOST_TOKENS.prompt);
    return { groups, subject: `prompt:${contentId(prompt)}` };
  }
  const [file, ...recent] = event.files;
  // Without a session nobody knows what was told already, and files are read all the time.
  if (file === undefined || event.session === undefined) return { groups: [] };
  const { suggestedFacts } = await import("./suggested.ts");
  const groups = await suggestedFacts(dex, event, { file, recent }, ledger.known, MOST_TOKENS.files);
  return { groups, subject: `about:${resolve(event.folder, file)}` };
}
