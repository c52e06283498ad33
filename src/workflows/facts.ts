/** What a conversation came to, as a report tells it. */
import type { Message } from "../conversations/model.ts";
import { type Quote, workOf } from "../conversations/work.ts";
import { clip } from "../text/clip.ts";
import type { Facts, LoadMessages, Passage } from "./workflow.ts";

const LONGEST_PROMPT = 300;
const LONGEST_OUTCOME = 500;
const MOST_FILES = 50;
const MOST_COMMITS = 50;
const MOST_COMMANDS = 10;
/** Messages held at a time: conversations of a hundred thousand exist. */
const STRIDE = 500;

export function factsOf({ address, row }: Passage, load: LoadMessages): Facts {
  const work = workOf(strides(row, load));
  const quote = ({ text, index }: Quote, max: number): { text: string; ref: string } => ({
    text: clip(text, max),
    ref: `${address}#${index}`,
  });
  const [prompt] = work.requests;
  const { outcome } = work;
  return {
    address,
    title: clip(row.title, 200),
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    messages: row.messages,
    ...(prompt ? { prompt: quote(prompt, LONGEST_PROMPT) } : {}),
    ...(outcome ? { outcome: quote(outcome, LONGEST_OUTCOME) } : {}),
    files: work.files.slice(0, MOST_FILES).map(({ path }) => path),
    commits: work.commits.slice(-MOST_COMMITS).map(({ sha, subject }) => `${sha} ${subject}`),
    failing: work.failing.slice(-MOST_COMMANDS).map((each) => quote(each, LONGEST_PROMPT)),
    fixed: work.fixed.slice(-MOST_COMMANDS).map((each) => quote(each, LONGEST_PROMPT)),
    passing: work.passing,
  };
}

function* strides(row: Passage["row"], load: LoadMessages): Generator<{ index: number; message: Message }> {
  for (let from = 0; from < row.messages; from += STRIDE) yield* load(row, from, Math.min(row.messages, from + STRIDE));
}
