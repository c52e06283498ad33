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
import { isWorthAnswering } from "../suggest/prompt_content.ts";
import { type Injectable, Ledger } from "./ledger.ts";

/** Waiting time for a database that another process has locked. */
const LOCK_TIMEOUT_MS = 40;

/** Recording and writing the answer takes about this long. */
const RESERVE_MS = 15;

const MAX_TOKENS = { start: 1200, prompt: 600, files: 400, edit: 160, command: 160 } as const;

export interface PushContext {
  vars: NodeJS.ProcessEnv;
  host: string;
  /** Milliseconds until the deadline. */
  left(): number;
  /** The process ends with the answer, and with it all connections. */
  exits?: boolean;
  /** Runs work that does not wait for other programs, and ends the process when it takes too long. */
  inTime?<T>(work: () => Promise<T>): Promise<T>;
  /** Called with the reason for an empty answer, unless dex simply has no facts. */
  silent?(kind: "late" | "off", reason: string): void;
  /** Called once the settings are read. */
  settings?(of: { budgetMs: number; refresh: boolean }): void;
}

/** A session that has ended reads nothing. */
type AnsweredEvent = Exclude<HookEvent, { kind: "end" }>;

/** Empty when there is nothing to inject. */
export async function pushFor(event: AnsweredEvent, context: PushContext): Promise<string> {
  limitLockTimeout(LOCK_TIMEOUT_MS);
  const dex = await Dex.open({ vars: context.vars, cwd: event.folder });
  // dex was never used here, and a hook must not create its home folder.
  if (!existsSync(dex.paths.home)) return "";
  if (!dex.settings.hooks.enabled) {
    context.silent?.("off", "hooks.enabled is false in the settings");
    return "";
  }
  context.settings?.(dex.settings.hooks);
  // A session that starts waits for git, and a timer ends it.
  const inTime = event.kind === "start" ? undefined : context.inTime;
  const once = (): Promise<string> => pushOnce(dex, event, context);
  try {
    return withNotices(dex, event, await (inTime ? inTime(once) : once()));
  } catch (error) {
    const damaged = isCorruption(error) || (error instanceof DexError && error.code === "damaged_state");
    if (!damaged || checkState(dex.paths.state).state !== "damaged") throw error;
    dex.ignoreState();
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

async function pushOnce(dex: Dex, event: AnsweredEvent, context: PushContext): Promise<string> {
  const ledger = new Ledger(dex, context.host, event.session);
  try {
    if (event.kind === "compacted") {
      ledger.forget();
      return "";
    }
    // Most edits and commands get no facts, and then need no ledger.
    const isRare = event.kind === "edit" || event.kind === "command";
    if (!isRare) ledger.begin(event);
    let isCut = false;
    const left = (): number => {
      const ms = context.left() - RESERVE_MS;
      isCut ||= ms <= 0;
      return ms;
    };
    const skipped = (): void => {
      isCut = true;
    };
    const found = await lookUp(dex, event, ledger, { left, skipped });
    if (isRare && found.some(({ groups }) => groups.length > 0)) ledger.begin(event);
    // The deadline passed, so do not mark these facts as injected.
    if (context.left() <= 0) {
      context.silent?.("late", "the answer was ready after its time was over");
      return "";
    }
    if (isCut && found.every(({ groups }) => groups.length === 0)) {
      context.silent?.("late", "there was no time left to look everywhere for facts");
      return "";
    }
    return found
      .map(({ kind, ...facts }) => ledger.inject(HEADS[kind], facts, MAX_TOKENS[kind]))
      .filter((text) => text !== "")
      .join("\n\n");
  } finally {
    // Closing the last connection writes the journal back to the database, which may take longer than the answer did.
    if (context.exits !== true) ledger.close();
  }
}

/** The next answer then includes what happened since this one. */
export function startRefresh(folder: string, vars: NodeJS.ProcessEnv): void {
  refreshInBackground(dexPaths(vars), folder, vars);
}

interface Found extends Injectable {
  kind: keyof typeof HEADS;
}

async function lookUp(
  dex: Dex,
  event: Exclude<AnsweredEvent, { kind: "compacted" }>,
  ledger: Ledger,
  { left, skipped }: { left: () => number; skipped: () => void },
): Promise<Found[]> {
  const { kind } = event;
  if (kind === "start") {
    const session = event.session === undefined ? {} : { session: event.session };
    const gitMs = Math.max(1, left() * 0.6);
    const groups = await briefingOf(dex, event.folder, { ...session, gitMs });
    return [{ kind, groups, isLost: event.isLost ?? false }];
  }
  if (kind === "prompt") {
    const prompt = withoutPrivate(event.prompt);
    if (!isWorthAnswering(prompt)) return [];
    const { suggestedFacts } = await import("./suggested.ts");
    const limits = { without: ledger.known, maxTokens: MAX_TOKENS.prompt, left, skipped };
    const groups = await suggestedFacts(dex, event, { prompt, recent: [] }, limits);
    return [{ kind, groups, subject: `prompt:${contentId(prompt)}` }];
  }
  // Tools are called all the time, and without a session dex cannot tell which facts it already injected.
  if (event.session === undefined) return [];
  if (kind === "command" || kind === "edit") return [{ kind, groups: await earlierFacts(dex, event) }];
  const [file, ...recent] = event.files;
  if (file === undefined) return [];
  const { suggestedFacts } = await import("./suggested.ts");
  const suggested = await suggestedFacts(
    dex,
    event,
    { file, recent },
    { without: ledger.known, maxTokens: MAX_TOKENS.files, left, skipped },
  );
  const found: Found = { kind, groups: suggested, subject: `about:${resolve(event.folder, file)}` };
  if (event.edited === undefined) return [found];
  // Separate from the file's other facts: the agent has read the file before, so older facts about it are not new.
  const earlier = await earlierFacts(dex, { ...event, kind: "edit", files: event.edited, text: "" });
  return [{ kind: "edit", groups: earlier }, found];
}

async function earlierFacts(dex: Dex, event: Extract<HookEvent, { kind: "edit" | "command" }>): Promise<FactGroup[]> {
  const { earlierEdits, earlierRuns } = await import("./earlier.ts");
  const { folder, session } = event;
  return event.kind === "command"
    ? earlierRuns(dex, folder, session, event.command)
    : earlierEdits(dex, folder, session, event);
}
