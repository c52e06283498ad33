/** The parts that a trigger is put together from: what a subscription watches, and by what it was matched. */
import { closeSync, constants, openSync, readSync } from "node:fs";
import { quoteLine } from "../../redact/quote.ts";
import type { Subscription } from "../../store/subscriptions.ts";
import type { Trigger } from "../model.ts";
import { type Happening, MAX_SOURCE_CHARS, type Match } from "./match.ts";
import { BEGINNING } from "./topics.ts";

/** Of a path or a symbol. */
export const MAX_NAME_CHARS = 4_096;
/** Files that one suggestion is about. */
export const MOST_NAMED = 10;

export function symbolPatterns({ watchPatterns }: Subscription): string[] {
  return watchPatterns.filter(({ type }) => type === "symbol").map(({ pattern }) => pattern);
}

/** Things that are no files: whether a change concerns them shows in what is suggested for it. */
export function entitiesOf({ watchPatterns }: Subscription): Set<string> {
  return new Set(
    watchPatterns
      .filter(({ type, pattern }) => type === "entity" && /^\w+:/.test(pattern) && !pattern.startsWith("file:"))
      .map(({ pattern }) => pattern),
  );
}

export function byEntity(subscription: Subscription, { files, prompt }: Happening): Match[] {
  const entities = entitiesOf(subscription);
  const pattern = subscription.watchPatterns.find((each) => entities.has(each.pattern));
  if (!pattern) return [];
  if (files.length === 0 && prompt !== undefined) return [{ pattern, source: quoteLine(prompt, MAX_SOURCE_CHARS) }];
  return files.slice(0, MOST_NAMED).map((file) => ({ pattern, source: file, file }));
}

export function triggerOf(match: Match | undefined): Trigger {
  const source = quoteLine(match?.symbol ?? match?.source ?? "", MAX_NAME_CHARS);
  if (match?.symbol !== undefined) return { type: "symbol_focus", source };
  return { type: match?.file === undefined ? "activity" : "file_change", source };
}

/** Enough to tell a topic from. A link is not followed: it may lead out of the project. */
export function readBeginning(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(BEGINNING * 8);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes));
    return text.includes("\0") ? undefined : text.replace(/^.*(?:licen[sc]e|copyright|SPDX).*$/gim, "");
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
