/** Helpers for triggers: the watched symbols and entities of a subscription, and the trigger of a match. */
import { closeSync, constants, openSync, readSync } from "node:fs";
import { quoteLine } from "../../redact/quote.ts";
import type { Subscription } from "../../store/state/subscriptions.ts";
import type { Trigger } from "../model.ts";
import { type ChangeEvent, MAX_SOURCE_CHARS, type Match } from "./match.ts";
import { MAX_TOPIC_TEXT_CHARS } from "./topics.ts";

/** For a path or a symbol. */
export const MAX_NAME_CHARS = 4_096;
/** Files one suggestion is about. */
export const MAX_FOCUS_FILES = 10;

export function symbolPatterns({ watchPatterns }: Subscription): string[] {
  return watchPatterns.filter(({ type }) => type === "symbol").map(({ pattern }) => pattern);
}

/** Watched entities that are not files: a change concerns them if they are among its suggestions. */
export function entitiesOf({ watchPatterns }: Subscription): Set<string> {
  return new Set(
    watchPatterns
      .filter(({ type, pattern }) => type === "entity" && /^\w+:/.test(pattern) && !pattern.startsWith("file:"))
      .map(({ pattern }) => pattern),
  );
}

export function byEntity(subscription: Subscription, { files, prompt }: ChangeEvent): Match[] {
  const entities = entitiesOf(subscription);
  const pattern = subscription.watchPatterns.find((each) => entities.has(each.pattern));
  if (!pattern) return [];
  if (files.length === 0 && prompt !== undefined) return [{ pattern, source: quoteLine(prompt, MAX_SOURCE_CHARS) }];
  return files.slice(0, MAX_FOCUS_FILES).map((file) => ({ pattern, source: file, file }));
}

export function triggerOf(match: Match | undefined): Trigger {
  const source = quoteLine(match?.symbol ?? match?.source ?? "", MAX_NAME_CHARS);
  if (match?.symbol !== undefined) return { type: "symbol_focus", source };
  return { type: match?.file === undefined ? "activity" : "file_change", source };
}

/** Reads enough to recognise a topic. Symbolic links are not followed: they may lead out of the project. */
export function readBeginning(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(MAX_TOPIC_TEXT_CHARS * 8);
    const text = bytes.toString("utf8", 0, readSync(fd, bytes));
    return text.includes("\0") ? undefined : text.replace(/^.*(?:licen[sc]e|copyright|SPDX).*$/gim, "");
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
