/** Ids of real histories: a subagent counts as the conversation that started it, and each counts once. */

/** An agent's id inside a longer name: a path, `source:id`, the name of a file. */
const ID = /agent-[0-9a-z-]+|ses_[A-Za-z0-9]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The kinds of queries that tell most: a path favours literal matching, and a summary is long. */
export const TOLD: readonly string[] = ["commit", "pr", "title"];

/** In the order given. */
export function foldToParents(ids: readonly string[], parents: ReadonlyMap<string, string>): string[] {
  return [...new Set(ids.map((id) => topOf(parents.has(id) ? id : (id.match(ID)?.at(-1) ?? id), parents)))];
}

function topOf(id: string, parents: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let top = id;
  for (let parent = parents.get(top); parent !== undefined && !seen.has(top); parent = parents.get(top)) {
    seen.add(top);
    top = parent;
  }
  return top;
}
