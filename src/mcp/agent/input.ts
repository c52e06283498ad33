/** The options of `dex mcp agent`, and the subject of its answers by where it looks. */
import type { AskIn } from "../../ask/finding/places.ts";

const SUBJECTS: Readonly<Record<AskIn, string>> = {
  documents: "documentation",
  conversations: "earlier conversations with agents",
  code: "the code of this project",
  all: "documentation, code and earlier conversations",
};

const DEFAULT_SUBJECT =
  "documentation or, while no collection is declared, this project's documents, code and earlier conversations";

export function subjectOf({ in: where }: AgentInput): string {
  return where === undefined ? DEFAULT_SUBJECT : SUBJECTS[where];
}

export interface AgentInput {
  collections: readonly string[];
  no_global: boolean;
  /** As `dex ask` decides, if undefined. */
  in?: AskIn | undefined;
  model?: string | undefined;
  no_model: boolean;
}
