/** The options of `dex mcp agent`, and the subject of its answers by where it looks. */
import type { AskIn } from "../../ask/finding/places.ts";

export const SUBJECTS: Readonly<Record<AskIn, string>> = {
  documents: "documentation",
  conversations: "earlier conversations with agents",
  code: "the code of this project",
  all: "documentation, code and earlier conversations",
};

export interface AgentInput {
  collections: readonly string[];
  no_global: boolean;
  in: AskIn;
  model?: string | undefined;
  no_model: boolean;
}
