/** `dex watch` at the terminal: what it prints, and when it ends. */
import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { startTelling, type Telling } from "../../suggest/subscriptions/notifier.ts";
import { cleanText, jsonText } from "../../text/clean.ts";
import { watchProject } from "../../watch/service.ts";
import { batchLine } from "./watch_line.ts";

export async function startWatch(input: { folder: string; json: boolean; poll: boolean }): Promise<number> {
  const { json, poll } = input;
  const folder = resolve(input.folder);
  const ending = new AbortController();
  const stop = endings(() => ending.abort());
  const say = (line: string): void => void process.stderr.write(cleanText(`dex: ${line}\n`));
  let telling: Promise<Telling> | undefined;
  try {
    await watchProject({
      folder,
      poll,
      vars: process.env,
      signal: ending.signal,
      report: say,
      ready: ({ root, files, ms, polling }) => {
        const how = polling ? ", by looking again and again" : "";
        say(`watching ${root} (${plural(files, "file")}${how}), up to date after ${Math.round(ms)} ms`);
        telling = startTelling({ folder, vars: process.env, report: (error) => say(errorMessage(error)) });
      },
      changed: async (batch, ms) => {
        say(batchLine(batch, ms));
        if (json) process.stdout.write(`${jsonText({ ...batch, ms: Math.round(ms) })}\n`);
        const told = await (await telling)?.changed(batch);
        if (told) say(`${plural(told, "subscription")} told`);
      },
    });
    return 0;
  } finally {
    await (await telling)?.close();
    stop();
  }
}

/**
 * Told to end, or left alone: a terminal that is closed sends a signal, and a program that started this one and holds
 * its stdin takes it along. The second signal does not wait for the update that runs.
 */
function endings(end: () => void): () => void {
  let asked = false;
  const signalled = (): void => {
    if (asked) process.exit(130);
    asked = true;
    end();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, signalled);
  // Nobody reads any more: the terminal is gone.
  process.stderr.on("error", end);
  const held = isHeld();
  if (held) process.stdin.on("end", end).on("error", end).resume();
  return () => {
    for (const signal of signals) process.off(signal, signalled);
    if (held) process.stdin.off("end", end).pause().unref?.();
  };
}

/** A pipe, whose other end somebody holds; not a terminal, a file or /dev/null. */
function isHeld(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket();
  } catch {
    return false;
  }
}
