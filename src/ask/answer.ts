/** The answer to a question, made by a model or quoted from the sources. */
import type { PassageLocation } from "./passage.ts";

export const CONFIDENCES = ["high", "medium", "low"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export interface CitedSource extends PassageLocation {
  /** The label by which the answer cites it: `[S3]`. */
  ref: string;
}

export interface NearestPlace extends PassageLocation {
  /** A line that shows what the section is about. It is not an answer. */
  excerpt?: string;
}

export interface AskUsage {
  tool_calls: number;
  /** Tokens of the passages that dex read for the answer, which the asker never sees. */
  tokens_read: number;
  /** Tokens of the answer. */
  tokens_returned: number;
  /** Tokens read minus tokens returned. */
  saved: number;
  /** Tokens sent to the model; absent without a model. */
  input?: number;
  output?: number;
  estimated?: true;
  /** In dollars, where prices are configured. */
  cost?: number;
}

export interface AskAnswer {
  answer: string;
  /** Empty when the sources do not answer the question. */
  sources: CitedSource[];
  /** Places to look when the sources do not answer the question; best first. */
  nearest?: NearestPlace[];
  confidence: Confidence;
  note?: string;
  engine: "model" | "extractive";
  model?: string;
  usage: AskUsage;
}

export interface Question {
  query: string;
  /** The purpose of the answer; may be empty. */
  useCase: string;
}

/** A step towards the answer, reported as it happens. */
export type AskStep =
  | { kind: "call"; tool: string; arguments: string }
  | { kind: "result"; tool: string; found: number; tokens: number; repeated: boolean; failed: boolean }
  | { kind: "retry"; reason: string; waitMs: number }
  | { kind: "stop"; reason: string };
