/** Small helpers for building messages from parts that may be missing. */
import type { Message } from "../../../conversations/model.ts";
import { defined } from "../../../kernel/defined.ts";

/** A list of the value, for spreading an optional part into others; empty if it is undefined. */
export function asList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** A list of the message, without undefined fields; empty if it has no parts. */
export function unlessEmpty(message: Message): Message[] {
  return message.parts.length > 0 ? [defined(message)] : [];
}
