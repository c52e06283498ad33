/**
 * The recap of one conversation: requests, work done, decisions and open points. A pure function of its archived
 * messages, without a model: every entry is quoted or counted, and cites its message.
 */
import { type Quote, type Work, workOf } from "../conversations/activity/work.ts";
import type { Message } from "../conversations/model.ts";
import { conversationDecisions } from "../decisions/sources/conversations.ts";
import { MIN_SHOWN_SCORE } from "../decisions/wording/cues.ts";
import { conversationOutcomes } from "../history/outcomes/conversations.ts";
import { latestStates } from "../history/outcomes/latest.ts";
import type { SeenOutcome } from "../store/history_records.ts";
import type { ConversationRow } from "../store/ports.ts";
import type { TrailConversation } from "../store/trails.ts";
import { clip } from "../text/clip.ts";

export type Messages = Iterable<{ index: number; message: Message }>;

export interface RecapDecision extends Quote {
  id: string;
  because: string | null;
}

export interface Recap extends Work {
  decided: RecapDecision[];
  tests: {
    /** Tests whose last run failed. */
    failed: { name: string; index: number }[];
    passed: number;
    /** The message with the last results; absent if no test was run. */
    last?: number;
  };
}

/** Shorter conversations are kept in memory, because they are read three times. */
const MAX_MESSAGES_IN_MEMORY = 4000;
const MAX_DECISION_CHARS = 400;

/** `load` returns all messages from the first, on every call. */
export function recapOf(row: ConversationRow, load: () => Messages): Recap {
  const inMemory = row.messages <= MAX_MESSAGES_IN_MEMORY ? [...load()] : undefined;
  const messages = (): Messages => inMemory ?? load();
  const work = workOf(messages());
  const trail = trailOf(row);
  return {
    ...work,
    decided: decidedIn(trail, messages(), work),
    tests: testsOf(conversationOutcomes(trail, messages()).outcomes),
  };
}

function trailOf(row: ConversationRow): TrailConversation {
  const { no, source, id, title, created, updated, messages, archive, archive_bytes } = row;
  const subagent = row.parent_kind === "subagent";
  const abandoned = row.parent_kind === "abandoned";
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
    abandoned,
  };
}

/** File names are resolved among the conversation's own files, because the project may be deleted. */
function decidedIn(trail: TrailConversation, messages: Messages, work: Work): RecapDecision[] {
  const paths = [...work.files.map(({ path }) => path), ...work.read];
  const file = (name: string): string | undefined => {
    const found = paths.filter((path) => path === name || path.endsWith(`/${name.replace(/^\.\//, "")}`));
    return found.length === 1 ? found[0] : undefined;
  };
  const found = new Map<string, RecapDecision>();
  for (const { id, text, because, place, score } of conversationDecisions(trail, messages, { file })) {
    if (score < MIN_SHOWN_SCORE) continue;
    found.set(id, { id, text: clip(text, MAX_DECISION_CHARS), because, index: indexOf(place) });
  }
  return [...found.values()];
}

function testsOf(outcomes: readonly SeenOutcome[]): Recap["tests"] {
  const last = outcomes.reduce((most, { place }) => Math.max(most, indexOf(place)), -1);
  const states = latestStates(outcomes);
  const failed = states
    .filter(({ status }) => status === "failed")
    .map(({ name, place }) => ({ name, index: indexOf(place) }));
  const passed = states.filter(({ status }) => status === "passed").length;
  return { failed, passed, ...(last < 0 ? {} : { last }) };
}

function indexOf(place: string): number {
  return Number(place.slice(place.lastIndexOf("#") + 1));
}
