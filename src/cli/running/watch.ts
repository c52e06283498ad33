/** `dex watch` at the terminal: its output, and the signals that end it. */
import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { findCodeProject } from "../../code/project.ts";
import { dexPaths } from "../../config/paths.ts";
import { errorMessage } from "../../kernel/errors.ts";
import { refuseHome } from "../../kernel/git/project_folder.ts";
import { plural } from "../../kernel/text.ts";
import { type Notifier, startNotifier } from "../../suggest/subscriptions/notifier.ts";
import { cleanText, jsonText } from "../../text/clean.ts";
import { watchProject } from "../../watch/service.ts";
import { batchLine } from "./watch_line.ts";

export async function startWatch(input: { folder: string; json: boolean; poll: boolean }): Promise<number> {
  const { json, poll } = input;
  const folder = resolve(input.folder);
  refuseHome(findCodeProject(dexPaths(process.env).code, folder));
  const ending = new AbortController();
  const stop = endOnSignals(() => ending.abort());
  const printLine = (line: string): void => void process.stderr.write(cleanText(`dex: ${line}\n`));
  let notifier: Promise<Notifier> | undefined;
  try {
    await watchProject({
      folder,
      poll,
      vars: process.env,
      signal: ending.signal,
      report: printLine,
      ready: ({ root, files, ms, polling }) => {
        const how = polling ? ", by polling" : "";
        printLine(`watching ${root} (${plural(files, "file")}${how}), up to date after ${Math.round(ms)} ms`);
        notifier = startNotifier({ folder, vars: process.env, report: (error) => printLine(errorMessage(error)) });
      },
      changed: async (batch, ms) => {
        printLine(batchLine(batch, ms));
        if (json) process.stdout.write(`${jsonText({ ...batch, ms: Math.round(ms) })}\n`);
        const notified = await (await notifier)?.changed(batch);
        if (notified) printLine(`${plural(notified, "subscription")} notified`);
      },
    });
    return 0;
  } finally {
    await (await notifier)?.close();
    stop();
  }
}

/**
 * Ends on a signal, when the terminal is closed, or when the program that started dex closes the pipe to stdin. A second
 * signal ends at once, without waiting for a running update.
 */
function endOnSignals(end: () => void): () => void {
  let asked = false;
  const signalled = (): void => {
    if (asked) process.exit(130);
    asked = true;
    end();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, signalled);
  // Writing fails when the terminal is gone.
  process.stderr.on("error", end);
  const piped = isPipe();
  if (piped) process.stdin.on("end", end).on("error", end).resume();
  return () => {
    for (const signal of signals) process.off(signal, signalled);
    if (piped) process.stdin.off("end", end).pause().unref?.();
  };
}

/** True when stdin is a pipe or socket; false for a terminal, a file or /dev/null. */
function isPipe(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}
