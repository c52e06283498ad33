/** Decisions in what people and agents said. An agent's proposal is one when the person's next message agrees. */
import { deriveFiles } from "../conversations/derive.ts";
import type { Message } from "../conversations/model.ts";
import { ownerOf, type Scan } from "../history/scan.ts";
import type { FoundDecision, TrailConversation } from "../store/history.ts";
import { confirms, KEPT, SHOWN, type Speaker, scoreSentence } from "./cues.ts";
import { decisionId, mentionsIn, type Names } from "./decision.ts";
import { offeredOptions, pickedOption } from "./options.ts";
import { sentencesOf } from "./sentences.ts";

export const DECISIONS_KIND = "decisions";

/** Files that an agent edited right after it said so, beside those it named. */
const MOST_FILES = 5;
/** Texts longer than this were pasted. */
const LONGEST_SAID = 6000;
/** What agents put into a person's mouth. */
const HARNESS = /^(?:<|\[Request interrupted|Caveat: |This session is being continued|# AGENTS\.md|You are )/;

interface Said {
  who: Speaker;
  index: number;
  time: number;
  sentences: string[];
  /** What the agent had offered just before, by letter or number. */
  options?: ReadonlyMap<string, string>;
}

export function decisionScan(namesFor: (row: TrailConversation) => Names): Scan {
  return {
    kind: DECISIONS_KIND,
    drop: (writer, owner) => writer.removeDecisions(owner),
    take: (writer, row, messages) => {
      writer.addDecisions(conversationDecisions(row, messages, namesFor(row)));
    },
  };
}

export function conversationDecisions(
  row: TrailConversation,
  messages: Iterable<{ index: number; message: Message }>,
  names: Names,
): FoundDecision[] {
  const found: FoundDecision[] = [];
  // What was said since the person last spoke, with the files edited since.
  let turn: Said[] = [];
  let edited = new Set<string>();
  let offer = "";
  const close = (answer: string | undefined): void => {
    const last = turn.findLast(({ who }) => who === "assistant");
    for (const said of turn) {
      const confirmed = said === last && answer !== undefined && confirms(answer);
      found.push(...decisionsIn(said, row, names, [...edited], confirmed));
    }
    turn = [];
    edited = new Set();
  };
  for (const { index, message } of messages) {
    const text = message.kind === "summary" ? "" : textOf(message);
    const time = message.time === undefined ? row.updated : Date.parse(message.time);
    if (message.role === "user" && text !== "" && !HARNESS.test(text)) {
      close(text);
      if (!row.subagent && text.length <= LONGEST_SAID)
        turn.push({ who: "user", index, time, sentences: picksOf(text), options: offeredOptions(offer) });
      offer = "";
    }
    if (message.role === "assistant" && text !== "") {
      turn.push({ who: "assistant", index, time, sentences: sentencesOf(text) });
      offer = text;
    }
    for (const { path, how } of deriveFiles(message)) {
      const file = how === "edited" && edited.size < MOST_FILES ? names.file(path) : undefined;
      if (file !== undefined) edited.add(file);
    }
  }
  close(undefined);
  return found;
}

/** The shortest answers are no sentences, and may name what was offered. */
function picksOf(text: string): string[] {
  const short = text.length <= 12 && pickedOption(text) !== undefined;
  return short ? [text] : sentencesOf(text);
}

function textOf(message: Message): string {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += `${part.text}\n`;
  return text.trim();
}

/** Opens a sentence that only gives the reason for the one before. */
const GOES_ON = /^(?:because|the reason(?: is)?(?: that)?|this way|that way|otherwise|reason:|why:)[,:]?\s+(.+)$/i;

function decisionsIn(
  said: Said,
  row: TrailConversation,
  names: Names,
  edited: readonly string[],
  confirmed: boolean,
): FoundDecision[] {
  const found: FoundDecision[] = [];
  for (const [i, sentence] of said.sentences.entries()) {
    const picked = said.who === "user" ? pickedOption(sentence) : undefined;
    const option = picked === undefined ? undefined : said.options?.get(picked);
    // A letter says nothing without the list it is from.
    if (picked !== undefined && option === undefined) continue;
    const text = option ?? sentence;
    const plain = scoreSentence(sentence, { who: said.who, confirmed });
    if (plain.score === 0 && option === undefined) continue;
    const { files, symbols, known } = mentionsIn(text, names);
    const scored = scoreSentence(sentence, { who: said.who, confirmed, known });
    const { because, alternatives } = scored;
    const score = option === undefined ? scored.score : Math.max(scored.score, SHOWN);
    if (score < KEPT) continue;
    const next = GOES_ON.exec(said.sentences[i + 1] ?? "")?.[1] ?? null;
    found.push({
      id: decisionId(text),
      origin: "conversation",
      owner: ownerOf(row),
      place: `${row.id}#${said.index}`,
      text,
      because: because ?? next,
      alternatives,
      files: [...new Set([...files, ...edited])].slice(0, 2 * MOST_FILES),
      symbols,
      score,
      time: said.time,
      status: "proposed",
    });
  }
  return found;
}
