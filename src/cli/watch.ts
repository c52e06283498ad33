/** `dex watch`: what is typed, what is printed, and when it ends. */
import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { nearest, plural } from "../kernel/text.ts";
import { type Notifier, startNotifier } from "../suggest/subscriptions/notifier.ts";
import { cleanText, jsonText } from "../text/clean.ts";
import { watchProject } from "../watch/service.ts";
import { batchLine } from "./watch_line.ts";

interface Typed {
  folder: string;
  json: boolean;
  poll: boolean;
}

const FLAGS = ["--json", "-j", "--poll"];
const HINT = "`dex watch --help` shows how it is used.";

export async function startWatch(argv: readonly string[]): Promise<number> {
  const { folder, json, poll } = typed(argv);
  const ending = new AbortController();
  const stop = endings(() => ending.abort());
  const say = (line: string): void => void process.stderr.write(cleanText(`dex: ${line}\n`));
  let notifier: Promise<Notifier> | undefined;
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
        notifier = startNotifier({ folder, vars: process.env, report: (error) => say(errorMessage(error)) });
      },
      changed: async (batch, ms) => {
        say(batchLine(batch, ms));
        if (json) process.stdout.write(`${jsonText({ ...batch, ms: Math.round(ms) })}\n`);
        const notified = await (await notifier)?.changed(batch);
        if (notified) say(`${plural(notified, "subscription")} notified`);
      },
    });
    return 0;
  } finally {
    await (await notifier)?.close();
    stop();
  }
}

function typed(argv: readonly string[]): Typed {
  const folders: string[] = [];
  for (const word of argv) {
    if (!word.startsWith("-")) folders.push(word);
    else if (!FLAGS.includes(word)) {
      const meant = nearest(word, FLAGS);
      throw new DexError("unknown_flag", `dex watch has no ${word}.`, {
        hint: meant ? `Did you mean ${meant}?` : HINT,
      });
    }
  }
  if (folders.length > 1) throw new DexError("bad_usage", "dex watch takes one folder.", { hint: HINT });
  const json = argv.includes("--json") || argv.includes("-j");
  return { folder: resolve(folders[0] ?? "."), json, poll: argv.includes("--poll") };
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
