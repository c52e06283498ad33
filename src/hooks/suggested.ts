/** Suggestions as facts: what passed the gate for a prompt or a file, without what the session was told already. */
import type { Dex } from "../dex.ts";
import type { FactGroup } from "../operations/briefing.ts";
import { suggestFor } from "../operations/suggesting.ts";
import { itemFact } from "../rendering/pushed.ts";
import type { Activity } from "../suggest/model.ts";
import type { HookEvent } from "./host.ts";

const TITLES = {
  decision: "Decisions in force",
  warning: "To look out for",
  change: "Recent changes",
  related_code: "Related code",
  doc: "Documents",
  conversation: "Earlier conversations",
} as const;

export async function suggestedFacts(
  dex: Dex,
  event: HookEvent,
  about: Pick<Activity, "file" | "prompt" | "recent">,
  told: ReadonlyMap<string, string>,
  maxTokens: number,
): Promise<FactGroup[]> {
  const session = event.session === undefined ? {} : { session: event.session };
  const activity: Activity = { folder: event.folder, ...about, ...session };
  // What can say something else another time is compared by its words, once it is known.
  const without = new Set([...told].flatMap(([entity, hash]) => (hash === "" ? [entity] : [])));
  const trigger = { type: "activity", source: event.name } as const;
  const { suggestions } = await suggestFor(dex, activity, trigger, {
    stale: true,
    record: "shown",
    without,
    maxTokens,
  });
  const types = [...new Set(suggestions.map(({ type }) => type))];
  return types.map((type) => ({
    title: TITLES[type],
    facts: suggestions.filter((item) => item.type === type).map(itemFact),
  }));
}
