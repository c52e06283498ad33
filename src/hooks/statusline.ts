/**
 * `dex statusline`: reads the session from stdin as Claude Code and Copilot CLI send it, and prints one line. The host
 * runs it after every message, so it reads three small files and opens no database.
 */
import { isMomentOff } from "../config/moments.ts";
import { dexPaths } from "../config/paths.ts";
import { givenTo } from "../integrations/hooks/given_counts.ts";
import { readOutcomes } from "../integrations/hooks/outcome_counts.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { currentFolder } from "../kernel/files/current_folder.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { plural } from "../kernel/text.ts";
import { readInput } from "./process/stdin.ts";
import { optedOut, switchedOff } from "./switches.ts";

const MAX_WAIT_MS = 300;
const MAX_STATUS_BYTES = 4096;

export async function statusline(): Promise<number> {
  try {
    process.stdout.write(`${await lineFor(process.env)}\n`);
  } catch {
    // A status line must not show an error.
  }
  return 0;
}

async function lineFor(vars: NodeJS.ProcessEnv): Promise<string> {
  const { hooksGiven, hookCounts, status, config } = dexPaths(vars);
  if (await isMomentOff("statusline", vars, config)) return "";
  const input = await Promise.race([readInput(process.stdin).catch(() => ({})), noInput()]);
  const { session_id, cwd, workspace } = asObject(input);
  const folder = asString(cwd) ?? asString(asObject(workspace).current_dir) ?? currentFolder();
  const conversations = conversationsIn(status);
  const parts = [conversations === undefined ? "dex: run `dex sync`" : `dex ${plural(conversations, "conversation")}`];
  if (switchedOff(vars) || optedOut(folder)) return [...parts, "hooks off"].join(" · ");
  const session = asString(session_id);
  const given = session === undefined ? 0 : givenTo(hooksGiven, session);
  const late = readOutcomes(hookCounts, 1, Date.now()).reduce((sum, each) => sum + each.late, 0);
  if (given > 0) parts.push(`${plural(given, "fact")} given`);
  if (late > 0) parts.push(`${late} late`);
  return parts.join(" · ");
}

function noInput(): Promise<object> {
  return new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS, {}).unref());
}

/** Undefined if dex has not synced yet. */
function conversationsIn(path: string): number | undefined {
  const { conversations } = asObject(parseJson(readRegularFile(path, MAX_STATUS_BYTES)?.toString("utf8") ?? ""));
  return typeof conversations === "number" ? conversations : undefined;
}
