/**
 * The keyboard. A view states its keys and what they do; the `?` sheet lists those in force. Single keys do nothing while
 * the user types.
 */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface KeyBinding {
  /** As `KeyboardEvent.key`: "j", "J", "Enter"; "g s" is two keys in a row; "mod+k" needs Ctrl or Command. */
  keys: string;
  does: string;
  run(event: KeyboardEvent): void;
  /** Also while a field has the focus. */
  whileTyping?: boolean;
}

interface KeyGroup {
  title: string;
  bindings: readonly KeyBinding[];
}

/** The keys in force, the most recent group first. */
export const keyGroups = signal<readonly KeyGroup[]>([]);

const SEQUENCE_MS = 1200;
let pending = "";
let pendingUntil = 0;

/** Keys of a part of the page, while it is shown. */
export function useKeys(title: string, bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  const names = bindings.map(({ keys }) => keys).join(" | ");
  useEffect(() => {
    if (names === "") return;
    const group: KeyGroup = {
      title,
      bindings: latest.current.map((binding, at) => ({ ...binding, run: (event) => latest.current[at]?.run(event) })),
    };
    keyGroups.value = [group, ...keyGroups.peek()];
    return () => {
      keyGroups.value = keyGroups.peek().filter((other) => other !== group);
    };
  }, [title, names]);
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function nameOf(event: KeyboardEvent): string {
  return event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  const typing = isTyping(event.target);
  const name = nameOf(event);
  const sequence = performance.now() < pendingUntil && !typing ? `${pending} ${name}` : name;
  pending = "";
  pendingUntil = 0;
  const all = keyGroups.peek().flatMap(({ bindings }) => bindings);
  const binding = all.find(({ keys }) => keys === sequence) ?? all.find(({ keys }) => keys === name);
  if (binding && (!typing || binding.whileTyping)) {
    event.preventDefault();
    binding.run(event);
    return;
  }
  if (!typing && all.some(({ keys }) => keys.startsWith(`${name} `))) {
    pending = name;
    pendingUntil = performance.now() + SEQUENCE_MS;
  }
}

export function startKeys(): void {
  document.addEventListener("keydown", onKey);
}
