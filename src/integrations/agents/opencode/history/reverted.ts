/**
 * Turns that the person undid. OpenCode marks the first of them in the session, hides it and all later ones, and deletes
 * them with the next prompt. dex keeps them as an abandoned branch.
 */
import { asString, isObject, type Json } from "../../../../kernel/json.ts";
import type { StoredMessage } from "./parts.ts";
import type { ProjectedMessage } from "./projected.ts";

export interface SessionMessages {
  stored: readonly StoredMessage[];
  projected: readonly ProjectedMessage[];
}

/** The first message that is undone, and the first part of it, if its earlier parts stay. */
export interface Revert {
  message: string;
  part?: string;
}

export function revertOf(value: Json | undefined): Revert | undefined {
  if (!isObject(value)) return undefined;
  const message = asString(value.messageID);
  const part = asString(value.partID);
  return message ? { message, ...(part ? { part } : {}) } : undefined;
}

/** The messages that stay, and those that are undone; undefined if none is. */
export function splitAt(
  { stored, projected }: SessionMessages,
  revert: Revert | undefined,
): { kept: SessionMessages; undone: SessionMessages } | undefined {
  const first = revert && [...stored, ...projected].find(({ id }) => id === revert.message);
  if (!first) return undefined;
  const at = stored.findIndex(({ id }) => id === revert.message);
  const later = projected.findIndex(({ id, created }) => id === revert.message || created >= first.created);
  const kept = stored.slice(0, at < 0 ? stored.length : at);
  const undone = at < 0 ? [] : stored.slice(at);
  const [opened, ...rest] = undone;
  const part = revert.part === undefined ? -1 : (opened?.parts.findIndex(({ id }) => id === revert.part) ?? -1);
  const divided = opened && part > 0;
  return {
    kept: {
      stored: divided ? [...kept, { ...opened, parts: opened.parts.slice(0, part) }] : kept,
      projected: projected.slice(0, later < 0 ? projected.length : later),
    },
    undone: {
      stored: divided ? [{ ...opened, parts: opened.parts.slice(part) }, ...rest] : undone,
      projected: later < 0 ? [] : projected.slice(later),
    },
  };
}
