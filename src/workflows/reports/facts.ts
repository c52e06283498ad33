/** Extracts the facts of a conversation for a report: prompt, outcome, files, commits and commands. */
import { closingOf, type Quote, workOf } from "../../conversations/activity/work.ts";
import type { Message } from "../../conversations/model.ts";
import { clip } from "../../text/clip.ts";
import type { BatchPassage, Facts, LoadMessages } from "../workflow.ts";

const MAX_PROMPT_CHARS = 300;
const MAX_OUTCOME_CHARS = 500;
const MAX_REPLY_CHARS = 60;
const MAX_FILES = 50;
const MAX_COMMITS = 50;
const MAX_COMMANDS = 10;
/** How many messages are loaded at a time: some conversations have a hundred thousand. */
const CHUNK_MESSAGES = 500;

export function factsOf({ address, row }: BatchPassage, load: LoadMessages): Facts {
  const work = workOf(inChunks(row, load));
  const quote = ({ text, index }: Quote, max: number): { text: string; ref: string } => ({
    text: clip(text, max),
    ref: `${address}#${index}`,
  });
  const prompt = work.requests.find(({ text }) => !isReply(text)) ?? work.requests[0];
  const latest = work.requests.at(-1);
  const closing = closingOf(work);
  return {
    address,
    title: clip(row.title, 200),
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    messages: row.messages,
    ...(prompt ? { prompt: quote(prompt, MAX_PROMPT_CHARS) } : {}),
    ...(latest && latest !== prompt && closing?.stage !== "final"
      ? { unanswered: quote(latest, MAX_PROMPT_CHARS) }
      : {}),
    ...(closing ? { outcome: { ...quote(closing, MAX_OUTCOME_CHARS), stage: closing.stage } } : {}),
    files: work.files.slice(0, MAX_FILES).map(({ path }) => path),
    commits: work.commits.slice(-MAX_COMMITS).map(({ sha, subject }) => `${sha} ${subject}`),
    failing: work.failing.slice(-MAX_COMMANDS).map((each) => quote(each, MAX_PROMPT_CHARS)),
    fixed: work.fixed.slice(-MAX_COMMANDS).map((each) => quote(each, MAX_PROMPT_CHARS)),
    passing: work.passing,
  };
}

/** A short reply to an agent ("yes, delete them") says nothing about the work in a conversation that continues another. */
function isReply(text: string): boolean {
  return (
    text.length < MAX_REPLY_CHARS && /^(?:yes|yeah|yep|yup|no|nope|ok|okay|sure|go ahead|continue|do it)\b/i.test(text)
  );
}

function* inChunks(row: BatchPassage["row"], load: LoadMessages): Generator<{ index: number; message: Message }> {
  for (let from = 0; from < row.messages; from += CHUNK_MESSAGES)
    yield* load(row, from, Math.min(row.messages, from + CHUNK_MESSAGES));
}
