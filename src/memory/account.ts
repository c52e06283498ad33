/**
 * An account of one conversation: what was asked, done, decided and left open. A pure function of its archived messages,
 * without a model: everything in it is quoted or counted, and says which message it is from.
 */
import type { Message } from "../conversations/model.ts";
import { type Quote, type Work, workOf } from "../conversations/work.ts";
import { conversationDecisions } from "../decisions/conversations.ts";
import { SHOWN } from "../decisions/cues.ts";
import { conversationOutcomes } from "../history/outcomes/conversations.ts";
import type { SeenOutcome, TrailConversation } from "../store/history.ts";
import type { ConversationRow } from "../store/ports.ts";
import { clip } from "../text/clip.ts";

export type Messages = Iterable<{ index: number; message: Message }>;

export interface DecidedThere extends Quote {
  id: string;
  because: string | null;
}

export interface Account extends Work {
  decided: DecidedThere[];
  tests: {
    /** Those that failed last and were not seen to pass since. */
    failed: { name: string; index: number }[];
    passed: number;
    /** The message with the last results; absent: no test was run. */
    last?: number;
  };
}

/** Up to so many messages are held while they are read three times. */
const HELD = 4000;
const LONGEST_DECISION = 400;

/** `load` gives the messages from the first on, each time it is called. */
export function accountOf(row: ConversationRow, load: () => Messages): Account {
  const held = row.messages <= HELD ? [...load()] : undefined;
  const again = (): Messages => held ?? load();
  const work = workOf(again());
  const trail = trailOf(row);
  return { ...work, decided: decidedIn(trail, again(), work), tests: testsOf(conversationOutcomes(trail, again())) };
}

function trailOf(row: ConversationRow): TrailConversation {
  const { no, source, id, title, created, updated, messages, archive, archive_bytes } = row;
  const subagent = row.parent_kind === "subagent";
  return {
    no,
    source,
    id,
    title,
    project: row.project ?? "",
    created,
    updated,
    messages,
    archive,
    archive_bytes,
    subagent,
  };
}

/** Of files it knows those that the conversation touched: so it needs no project, which may be gone. */
function decidedIn(trail: TrailConversation, messages: Messages, work: Work): DecidedThere[] {
  const paths = [...work.files.map(({ path }) => path), ...work.read];
  const file = (name: string): string | undefined => {
    const found = paths.filter((path) => path === name || path.endsWith(`/${name.replace(/^\.\//, "")}`));
    return found.length === 1 ? found[0] : undefined;
  };
  const found = new Map<string, DecidedThere>();
  for (const { id, text, because, place, score } of conversationDecisions(trail, messages, { file })) {
    if (score < SHOWN) continue;
    found.set(id, { id, text: clip(text, LONGEST_DECISION), because, index: indexOf(place) });
  }
  return [...found.values()];
}

function testsOf(outcomes: readonly SeenOutcome[]): Account["tests"] {
  const last = outcomes.reduce((most, { place }) => Math.max(most, indexOf(place)), -1);
  const passedAt = outcomes.reduce(
    (most, { name, status, place }) => (name === null && status === "passed" ? Math.max(most, indexOf(place)) : most),
    -1,
  );
  const failed = outcomes
    .filter(({ name, status, place }) => name !== null && status === "failed" && indexOf(place) > passedAt)
    .map(({ name, place }) => ({ name: name ?? "", index: indexOf(place) }));
  const passed = outcomes.filter(({ name, status }) => name !== null && status === "passed").length;
  return { failed, passed, ...(last < 0 ? {} : { last }) };
}

function indexOf(place: string): number {
  return Number(place.slice(place.lastIndexOf("#") + 1));
}
