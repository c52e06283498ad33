/** The context pack for the start of a task: five sections in a fixed order, each with its part of the budget. */
import { formatTokens } from "../kernel/text.ts";
import { dayOf } from "../kernel/time.ts";
import { quoteForModel } from "../redact/quote.ts";
import type { Memory } from "../store/state/memories.ts";
import type { FrameSection } from "./frame.ts";

export interface PackDecision {
  id: string;
  text: string;
  because: string | null;
  place: string;
  time: number;
}

/** A result that may help with the task: its address, and its size in tokens. */
export interface Lead {
  address: string;
  title: string;
  time: number;
  tokens: number;
  /** The member of the team who had the conversation. */
  owner?: string | undefined;
}

export interface PackTurn {
  address: string;
  who: "user" | "assistant";
  text: string;
}

export interface PackParts {
  pins: readonly Memory[];
  decisions: readonly PackDecision[];
  /** Recent work, one line per conversation. */
  work: readonly string[];
  leads: readonly Lead[];
  /** The latest last. */
  turns: readonly PackTurn[];
}

const MAX_PIN_CHARS = 1000;
const MAX_DECISION_CHARS = 400;
const MAX_REASON_CHARS = 200;
const MAX_TITLE_CHARS = 160;
const MAX_TURN_CHARS = 600;

export function packSections({ pins, decisions, work, leads, turns }: PackParts): FrameSection[] {
  return [
    { title: "Pins", lines: pins.map(pinLine), share: 25 },
    { title: "Decisions", lines: decisions.map(decisionLine), share: 20 },
    { title: "Recent work", lines: work, share: 25 },
    { title: "Worth opening", lines: leads.map(leadLine), share: 15 },
    { title: "Last said", lines: turns.toReversed().map(turnLine), share: 15, backwards: true },
  ];
}

export function pinLine({ kind, text, because, files, author }: Memory): string {
  const label = `${kind === "pin" ? "" : `${kind}: `}${author === undefined ? "" : `${quoteForModel(author, MAX_TITLE_CHARS)}: `}`;
  const reason = because === null ? "" : ` (because ${quoteForModel(because, MAX_REASON_CHARS)})`;
  const about = files.length === 0 ? "" : ` [${quoteForModel(files.join(", "), MAX_REASON_CHARS)}]`;
  return `${label}${quoteForModel(text, MAX_PIN_CHARS)}${reason}${about}`;
}

export function decisionLine({ id, text, because, place, time }: PackDecision): string {
  return `${quoteForModel(text, MAX_DECISION_CHARS)}${reasonSuffix(text, because)} (${id}, ${dayOf(time)}, ${quoteForModel(place, MAX_REASON_CHARS)})`;
}

/** A reason that is part of the sentence is not repeated. */
export function reasonSuffix(text: string, because: string | null): string {
  if (because === null || text.includes(because)) return "";
  return ` because ${quoteForModel(because, MAX_REASON_CHARS)}`;
}

function leadLine({ address, title, time, tokens, owner }: Lead): string {
  const day = time > 0 ? `${dayOf(time)}, ` : "";
  const of = owner === undefined ? "" : `${quoteForModel(owner, MAX_TITLE_CHARS)}, `;
  return `${quoteForModel(address, 300)} ${quoteForModel(title, MAX_TITLE_CHARS)} (${of}${day}${formatTokens(tokens)} tokens)`;
}

function turnLine({ address, who, text }: PackTurn): string {
  return `${quoteForModel(address, 300)} ${who}: ${quoteForModel(text, MAX_TURN_CHARS)}`;
}
