/** The providers, and the setting that turns each off. */
import type { Settings } from "../../config/schema.ts";
import type { SuggestionProvider } from "../evidence.ts";
import { recentChanges } from "./changes.ts";
import { pastConversations } from "./conversations.ts";
import { relatedDecisions } from "./decisions.ts";
import { relatedDocuments } from "./documents.ts";
import { relatedCode } from "./related.ts";
import { warningsAbout } from "./warnings.ts";

type Switch = Extract<keyof Settings["agent"]["proactive"], `enable${string}`>;

export const SUGGESTION_PROVIDERS: readonly {
  name: string;
  setting: Exclude<Switch, "enabled">;
  provide: SuggestionProvider;
}[] = [
  { name: "decisions", setting: "enableDecisions", provide: relatedDecisions },
  { name: "changes", setting: "enableRecentChanges", provide: recentChanges },
  { name: "documents", setting: "enableDocs", provide: relatedDocuments },
  { name: "related_code", setting: "enableRelatedCode", provide: relatedCode },
  { name: "warnings", setting: "enableWarnings", provide: warningsAbout },
  { name: "conversations", setting: "enableConversations", provide: pastConversations },
];
