/** Small helpers for building messages from parts that may be missing. */
import type { Message } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";

/** The value as a list, for spreading an optional part into others. */
export function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** The message without undefined fields; none if it has no parts. */
export function said(message: Message): Message[] {
  return message.parts.length > 0 ? [defined(message)] : [];
}
