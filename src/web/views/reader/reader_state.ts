/** The state of an open reader that its parts share. */
import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Transcript } from "./transcript.ts";

export interface FindHit {
  index: number;
  part: number;
}

export interface Finding {
  text: string;
  total: number;
  hits: readonly FindHit[];
  /** The number of the current hit. */
  at: number;
}

export interface Reader {
  transcript: Transcript;
  /** Unfolded parts, as `index/part`. */
  unfolded: Signal<ReadonlySet<string>>;
  /** Messages picked for a handoff. */
  picked: Signal<ReadonlyMap<number, number>>;
  isPicking: Signal<boolean>;
  finding: Signal<Finding | undefined>;
  /** The message that keys refer to. */
  current: Signal<number>;
  /** Only prompts and the answers that close each turn. */
  focused: Signal<boolean>;
  /** Scrolls so that the message begins below the bar. */
  goTo(index: number, options?: { focus?: boolean }): void;
}

export function makeReader(transcript: Transcript): Reader {
  return {
    transcript,
    unfolded: signal(new Set()),
    picked: signal(new Map()),
    isPicking: signal(false),
    finding: signal(undefined),
    current: signal(0),
    focused: signal(false),
    goTo: () => undefined,
  };
}

export const ReaderContext = createContext<Reader | undefined>(undefined);

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error("a part of the reader is used without its reader");
  return reader;
}

export function toggleFold({ unfolded }: Reader, key: string, open = !unfolded.peek().has(key)): void {
  const next = new Set(unfolded.peek());
  if (open) next.add(key);
  else next.delete(key);
  unfolded.value = next;
}

export function togglePick({ picked, isPicking }: Reader, index: number, tokens: number): void {
  const next = new Map(picked.peek());
  if (!next.delete(index)) next.set(index, tokens);
  picked.value = next;
  isPicking.value = true;
}
