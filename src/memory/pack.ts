/** What an agent is given at the start of a task: five sections in a fixed order, each with its part of the budget. */
import { formatTokens } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import type { Memory } from "../store/memories.ts";
import type { Section } from "./frame.ts";

export interface PackDecision {
  id: string;
  text: string;
  because: string | null;
  place: string;
  time: number;
}

/** Something that may help with the task: how to open it, and what that costs. */
export interface Lead {
  address: string;
  title: string;
  time: number;
  tokens: number;
}

export interface Turn {
  address: string;
  who: "user" | "assistant";
  text: string;
}

export interface PackParts {
  pins: readonly Memory[];
  decisions: readonly PackDecision[];
  /** Told already, a line each. */
  work: readonly string[];
  leads: readonly Lead[];
  /** The latest last. */
  turns: readonly Turn[];
}

const LONGEST_PIN = 1000;
const LONGEST_DECISION = 400;
const LONGEST_REASON = 200;
const LONGEST_TITLE = 160;
const LONGEST_TURN = 600;

export function packSections({ pins, decisions, work, leads, turns }: PackParts): Section[] {
  return [
    { title: "Pins", lines: pins.map(pinLine), share: 25 },
    { title: "Decisions", lines: decisions.map(decisionLine), share: 20 },
    { title: "Recent work", lines: work, share: 25 },
    { title: "Worth opening", lines: leads.map(leadLine), share: 15 },
    { title: "Last said", lines: turns.toReversed().map(turnLine), share: 15, backwards: true },
  ];
}

export function pinLine({ kind, text, because, files }: Memory): string {
  const label = kind === "pin" ? "" : `${kind}: `;
  const reason = because === null ? "" : ` (because ${quoteForModel(because, LONGEST_REASON)})`;
  const about = files.length === 0 ? "" : ` [${quoteForModel(files.join(", "), LONGEST_REASON)}]`;
  return `${label}${quoteForModel(text, LONGEST_PIN)}${reason}${about}`;
}

export function decisionLine({ id, text, because, place, time }: PackDecision): string {
  return `${quoteForModel(text, LONGEST_DECISION)}${reasonOf(text, because)} (${id}, ${dayOf(time)}, ${quoteForModel(place, LONGEST_REASON)})`;
}

/** A reason that stands in the sentence itself is not told twice. */
export function reasonOf(text: string, because: string | null): string {
  if (because === null || text.includes(because)) return "";
  return ` because ${quoteForModel(because, LONGEST_REASON)}`;
}

function leadLine({ address, title, time, tokens }: Lead): string {
  const day = time > 0 ? `${dayOf(time)}, ` : "";
  return `${quoteForModel(address, 300)} ${quoteForModel(title, LONGEST_TITLE)} (${day}${formatTokens(tokens)} tokens)`;
}

function turnLine({ address, who, text }: Turn): string {
  return `${quoteForModel(address, 300)} ${who}: ${quoteForModel(text, LONGEST_TURN)}`;
}
