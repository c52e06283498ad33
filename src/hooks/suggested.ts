/** Suggestions for a prompt or a file as facts, without those that the session already has. */
import type { Dex } from "../dex.ts";
import type { HookEvent } from "../integrations/hooks/hook_host.ts";
import { itemFact } from "../rendering/suggest/pushed.ts";
import type { FactGroup } from "../suggest/briefing.ts";
import type { Activity, SuggestionItem } from "../suggest/model.ts";
import { suggestFor } from "../suggest/suggest.ts";

const TITLES = {
  decision: "Decisions in force",
  warning: "To look out for",
  change: "Recent changes",
  related_code: "Related files",
  doc: "Documents",
  conversation: "Earlier conversations, opened by dex show or dex_get",
} as const;

export async function suggestedFacts(
  dex: Dex,
  event: HookEvent,
  about: Pick<Activity, "file" | "prompt" | "recent">,
  limits: { without: ReadonlySet<string>; maxTokens: number; left: () => number; skipped: () => void },
): Promise<FactGroup[]> {
  const session = event.session === undefined ? {} : { session: event.session };
  const activity: Activity = { folder: event.folder, ...about, ...session };
  const { suggestions } = await suggestFor(
    dex,
    activity,
    { type: "activity", source: event.name },
    { stale: true, record: "shown", surface: "hook", ...limits },
  );
  const fresh = suggestions.filter((item) => !isNamed(item, about.prompt));
  return [...new Set(fresh.map(({ type }) => type))].map((type) => ({
    title: TITLES[type],
    facts: fresh.filter((item) => item.type === type).map(itemFact),
  }));
}

/** The model already sees a file that the prompt names. */
function isNamed({ entityId }: SuggestionItem, prompt: string | undefined): boolean {
  return entityId.startsWith("file:") && (prompt ?? "").includes(entityId.slice("file:".length));
}
