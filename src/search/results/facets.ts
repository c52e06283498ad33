/** Counts of the matching conversations by agent, project, month and role. */
import { ROLES, type Role } from "../../conversations/model.ts";
import { compareText } from "../../kernel/text.ts";
import type { ConversationRow } from "../../store/ports.ts";

const MAX_VALUES = 50;

export interface FacetCount {
  name: string;
  conversations: number;
}

export interface Facets {
  agents: FacetCount[];
  projects: FacetCount[];
  months: FacetCount[];
  roles: FacetCount[];
}

/** `roles`: for each role, the number of conversations with a matching message of the role. */
export function facetsOf(rows: readonly ConversationRow[], roles: ReadonlyMap<Role, number>): Facets {
  return {
    agents: counted(rows.map(({ source }) => source)),
    projects: counted(rows.map(({ project }) => project ?? "")),
    months: counted(rows.map(({ updated }) => new Date(updated).toISOString().slice(0, 7))).sort((a, b) =>
      compareText(b.name, a.name),
    ),
    roles: ROLES.flatMap((name) => {
      const conversations = roles.get(name) ?? 0;
      return conversations > 0 ? [{ name, conversations }] : [];
    }),
  };
}

/** The most frequent first. */
function counted(names: readonly string[]): FacetCount[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, conversations]) => ({ name, conversations }))
    .sort((a, b) => b.conversations - a.conversations || compareText(a.name, b.name))
    .slice(0, MAX_VALUES);
}
