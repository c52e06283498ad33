/** Messages between readers (any thread) and the recorder (the thread that owns the store). */
import type { ConversationMeta } from "../../conversations/model.ts";
import type { Container, SourceEnv } from "../../integrations/history/source.ts";
import type { Json } from "../../kernel/json.ts";
import type { FactDigest } from "../recording/digest.ts";
import type { BlockTexts } from "../recording/message_texts.ts";

/** A container to read, with everything the reader needs. */
export interface ReadJob {
  number: number;
  container: Container;
  state: Json | undefined;
  inherited: string[];
  inheritedFrom?: string;
}

/** Which conversations the user wants, decided before they are read. */
export interface Policy {
  /** Globs of project or file paths. */
  exclude: readonly string[];
  /** Project folders whose committed conversations the user trusts. */
  trusted: readonly string[];
  headless: boolean;
  /** Only conversations of a project whose path contains this. */
  project?: string;
  /** `source\0id` of conversations that were forgotten on purpose. */
  forgotten: readonly string[];
}

export interface ReaderSetup {
  env: SourceEnv;
  policy: Policy;
}

/** Why a conversation was left out on purpose. */
export const LEFT_OUT_REASONS = ["headless", "excluded", "other_project", "forgotten", "from_clone"] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];
/** How many conversations were left out, by reason; for `from_clone`, how many files. */
export type LeftOut = Partial<Record<LeftOutReason, number>>;

export type ReadEvent =
  | { type: "open"; job: number; meta: ConversationMeta; from: number }
  | {
      type: "block";
      job: number;
      /** The archived lines in UTF-8, each with its newline. */
      lines: Uint8Array<ArrayBuffer>;
      texts: BlockTexts;
      facts: FactDigest[];
      weight: number;
    }
  | { type: "close"; job: number; meta: ConversationMeta }
  /** An abandoned branch that is part of its conversation again. */
  | { type: "rejoined"; job: number; source: string; id: string }
  /** How much of the container was read, from 0 to 1. */
  | { type: "progress"; job: number; share: number }
  | {
      type: "done";
      job: number;
      state: Json | undefined;
      malformed: number;
      redactions: number;
      leftOut: LeftOut;
      /** The container has only forgotten conversations. */
      onlyForgotten: boolean;
      error?: string;
    };
