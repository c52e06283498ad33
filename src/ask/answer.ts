/** What a question comes back as, whoever made the answer. */
import type { Place } from "./passage.ts";

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface Source extends Place {
  /** How the answer names it: `[S3]`. */
  ref: string;
}

export interface AskUsage {
  tool_calls: number;
  /** Of what was found and read on the way, which the asker never sees. */
  tokens_read: number;
  /** Of the answer. */
  tokens_returned: number;
  /** What the asker's context was spared. */
  saved: number;
  /** Of the model; absent without one. */
  input?: number;
  output?: number;
  estimated?: true;
  /** In dollars, where prices are configured. */
  cost?: number;
}

export interface AskAnswer {
  answer: string;
  sources: Source[];
  confidence: Confidence;
  note?: string;
  engine: "model" | "extractive";
  model?: string;
  usage: AskUsage;
}

export interface Question {
  query: string;
  /** What the answer is for; may be empty. */
  useCase: string;
}

/** What happens on the way, as it happens. */
export type Step =
  | { kind: "call"; tool: string; arguments: string }
  | { kind: "result"; tool: string; found: number; tokens: number; repeated: boolean; failed: boolean }
  | { kind: "retry"; reason: string; waitMs: number }
  | { kind: "stop"; reason: string };
