/** Finds decisions in messages of users and agents. An agent's proposal counts if the user's next message agrees. */
import { deriveFiles } from "../../conversations/activity/derive.ts";
import type { Message } from "../../conversations/model.ts";
import { type ConversationScan, ownerOf } from "../../history/scan.ts";
import type { FoundDecision } from "../../store/history_records.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { decisionId, mentionsIn, type NameResolver } from "../decision.ts";
import { standsAlone } from "../wording/alone.ts";
import { confirms, isErrand, MIN_SHOWN_SCORE, MIN_STORED_SCORE, type Speaker, scoreSentence } from "../wording/cues.ts";
import { sentencesOf } from "../wording/sentences.ts";
import { namedOption, offeredOptions, optionsIn, pickedOption } from "./options.ts";

export const DECISIONS_KIND = "decisions";

/** Files edited in the same turn, in addition to those named. */
const MAX_FILES = 5;
/** Longer user messages contain pasted text. */
const MAX_MESSAGE_CHARS = 6000;
/** User messages that agents' harnesses insert. */
const HARNESS = /^(?:<|\[Request interrupted|Caveat: |This session is being continued|# AGENTS\.md|You are )/;

interface Statement {
  who: Speaker;
  index: number;
  time: number;
  sentences: string[];
  /** The options by letter or number: those that the agent has just offered, or those of the message itself. */
  options?: ReadonlyMap<string, string>;
}

export function decisionScan(namesFor: (row: TrailConversation) => NameResolver): ConversationScan {
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
  names: NameResolver,
): FoundDecision[] {
  const found: FoundDecision[] = [];
  // Messages since the user's last one, with the files edited since.
  let turn: Statement[] = [];
  let edited = new Set<string>();
  let offer = "";
  if (row.abandoned) return found;
  const close = (answer: string | undefined): void => {
    const last = turn.findLast(({ who }) => who === "assistant");
    for (const statement of turn) {
      const confirmed = statement === last && answer !== undefined && confirms(answer);
      found.push(...decisionsIn(statement, row, names, [...edited], confirmed));
    }
    turn = [];
    edited = new Set();
  };
  for (const { index, message } of messages) {
    const text = message.kind === "summary" ? "" : textOf(message);
    const time = message.time === undefined ? row.updated : Date.parse(message.time);
    if (message.role === "user" && text !== "" && !HARNESS.test(text)) {
      close(text);
      if (!row.subagent && text.length <= MAX_MESSAGE_CHARS && !isDocument(text))
        turn.push({ who: "user", index, time, sentences: picksOf(text), options: offeredOptions(offer) });
      offer = "";
    }
    if (message.role === "assistant" && text !== "") {
      turn.push({ who: "assistant", index, time, sentences: sentencesOf(text), options: lettered(text) });
      offer = text;
    }
    for (const { path, how } of deriveFiles(message)) {
      const file = how === "edited" && edited.size < MAX_FILES ? names.file(path) : undefined;
      if (file !== undefined) edited.add(file);
    }
  }
  close(undefined);
  return found;
}

/** A pasted plan or issue: its headings show that nobody typed it to the agent. */
function isDocument(text: string): boolean {
  return (text.match(/^#{1,4} \S/gm)?.length ?? 0) > 1;
}

/** The options that an agent gave letters. It also numbers its findings, so numbers do not count. */
function lettered(text: string): ReadonlyMap<string, string> {
  return new Map([...optionsIn(text)].filter(([name]) => /[a-f]/.test(name)));
}

/** A very short answer is not a sentence, but may pick an option. */
function picksOf(text: string): string[] {
  const short = text.length <= 12 && pickedOption(text) !== undefined;
  return short ? [text] : sentencesOf(text, true);
}

function textOf(message: Message): string {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += `${part.text}\n`;
  return text.trim();
}

/** A sentence that only gives the reason for the one before. */
const REASON_SENTENCE =
  /^(?:because|the reason(?: is)?(?: that)?|this way|that way|otherwise|reason:|why:)[,:]?\s+(.+)$/i;

function decisionsIn(
  statement: Statement,
  row: TrailConversation,
  names: NameResolver,
  edited: readonly string[],
  confirmed: boolean,
): FoundDecision[] {
  const found: FoundDecision[] = [];
  for (const [i, sentence] of statement.sentences.entries()) {
    const picked = statement.who === "user" ? pickedOption(sentence) : namedOption(sentence);
    const option = picked === undefined ? undefined : statement.options?.get(picked);
    // A letter means nothing without its list.
    if (picked !== undefined && option === undefined) continue;
    const text = option ?? sentence;
    const plain = scoreSentence(sentence, { who: statement.who, confirmed });
    if (plain.score === 0 && (option === undefined || statement.who === "assistant")) continue;
    const { files, symbols, known } = mentionsIn(text, names);
    const scored = scoreSentence(sentence, { who: statement.who, confirmed, known });
    const { because, alternatives } = scored;
    const chosen = option === undefined ? scored.score : Math.max(scored.score, MIN_SHOWN_SCORE);
    const score = standsAlone(text) && !isErrand(text) ? chosen : Math.min(chosen, MIN_SHOWN_SCORE - 1);
    if (score < MIN_STORED_SCORE) continue;
    const next = REASON_SENTENCE.exec(statement.sentences[i + 1] ?? "")?.[1] ?? null;
    found.push({
      id: decisionId(text),
      origin: "conversation",
      owner: ownerOf(row),
      place: `${row.id}#${statement.index}`,
      text,
      because: because ?? next,
      alternatives,
      files: [...new Set([...files, ...edited])].slice(0, 2 * MAX_FILES),
      symbols,
      score,
      time: statement.time,
      status: "proposed",
    });
  }
  return found;
}
