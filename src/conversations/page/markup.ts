/**
 * The only place where text becomes HTML. Text of a conversation is untrusted: it reaches the page as escaped text, or as
 * the value of one of the attributes below, and never as a name.
 */
import { cleanText } from "../../text/clean.ts";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escaped(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/** `content` is HTML that was made here; the values of `attributes` are plain text. */
export function element(tag: string, attributes: Readonly<Record<string, string>>, content: string): string {
  return `${openTag(tag, attributes)}${content}</${tag}>`;
}

export function openTag(tag: string, attributes: Readonly<Record<string, string>> = {}): string {
  let text = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) text += ` ${name}="${escaped(value)}"`;
  return `${text}>`;
}

const LINK_SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address, if a reader may follow it: another scheme could run code or open a program. */
export function safeLink(address: string): string | undefined {
  const url = URL.parse(address);
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : undefined;
}
