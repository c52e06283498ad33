/** Finds what was said in conversations about a question, for answers without a model. */
import type { Message } from "../../conversations/model.ts";
import { renderMessage } from "../../conversations/render.ts";
import type { Dex } from "../../dex.ts";
import { agentName } from "../../integrations/registry.ts";
import { lastName } from "../../kernel/files/paths.ts";
import { dayOf } from "../../kernel/time.ts";
import { SEARCH_DEFAULTS, searchConversations } from "../../search/conversations.ts";
import { foldersHere } from "../../search/filters/known_names.ts";
import { fullAddress, resolveConversation, shortAddresses } from "../../search/filters/resolve.ts";
import { eachMessage, loadMessages, unlessDamaged } from "../../search/messages.ts";
import type { SearchResult } from "../../search/results/result_schema.ts";
import { withTeam } from "../../search/with_team.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { cleanLine } from "../../text/clean.ts";
import { CONVERSATIONS, type MessageOrigin, type Passage } from "../passage.ts";
import { namedProjects, namesIn } from "../question/named_projects.ts";
import { withoutInjected } from "../quoting/injected.ts";

/** dex reads several messages of each of the first conversations, this many. */
const READ_DEEP = 3;
const MAX_NAMED = 2;
const MAX_MESSAGE_CHARS = 8000;
const MAX_PROJECTS = 1000;
const MAX_QUESTION_CHARS = 300;
const MAX_TITLE_CHARS = 80;
/** So many messages are searched for the reply to a question. */
const MAX_REPLY_MESSAGES = 200;
/** A question has the words of another question, but does not answer it. */
const ASKS =
  /[?？]|^\s*(?:can|could|did|do|does|how|is|are|should|what|when|where|which|who|why)\b|\b(?:what happens|how (?:do|does|can|should|to)|why (?:do|does|did|is|are|was))\b/i;

/** A sentence in which an agent says what it is about to do. */
const ANNOUNCED =
  /(?<=^|[.!?:]\s)(?:(?:ok(?:ay)?|good|great|perfect|alright|right|yes)[,.!]? +)?(?:(?:now|first|next|then|finally),? +)?(?:let me|let's|let us|i(?:'|’)ll|i will|i(?:'|’)m going to|i am going to|i need to|i want to)\b[^.!?:\n]*(?:[.!?:]+|$)/gim;
const LAST_SENTENCE = /[^.!?\n]*$/;
const GIVES_REASON = /\b(?:because|since|instead|rather|so that|otherwise)\b/i;

interface Reply {
  index: number;
  text: string;
  time: string | undefined;
}

interface Scope {
  /** Search only conversations of the current project. */
  here: boolean;
  /**
   * Read several messages of the best conversations, and the replies to requests. Off where documents can answer as
   * well.
   */
  deep: boolean;
}

/** Includes the conversations of the team. */
export function findInConversations(dex: Dex, query: string, limit: number, scope: Scope): Promise<Passage[]> {
  return withTeam(dex, {}, (joined) => passagesOf(joined, query, limit, scope));
}

async function passagesOf(dex: Dex, query: string, limit: number, { here, deep }: Scope): Promise<Passage[]> {
  // Without a usable index, the search falls back to the archive, whose messages cannot be opened here.
  if (dex.indexState !== "ready") return [];
  // A project without conversations is not an error here.
  if (here && dex.store.count({ below: foldersHere(dex) }) === 0) return [];
  const folders = here ? [] : dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
  const named = namedProjects(query, folders).slice(0, MAX_NAMED);
  const found = await Promise.all(
    (here ? ["."] : [undefined, ...named.map(({ name }) => name)]).map(async (project) => {
      const wanted = { ...SEARCH_DEFAULTS, query, limit, explain: deep, ...(project === undefined ? {} : { project }) };
      return (await searchConversations(dex, wanted, {})).results;
    }),
  );
  const results = new Map(found.flat().map((each) => [addressOf(each), each]));
  const ordered = [...results.values()].sort((a, b) => b.score_final - a.score_final);
  return ordered.slice(0, limit).flatMap((result, i) => {
    const row = resolveConversation(dex, addressOf(result));
    const own = namesIn(named, row.project ?? "");
    const isElsewhere = named.length > 0 && own.length === 0;
    const places =
      deep && i < READ_DEEP ? placesIn(result) : [{ index: result.message_index, score: result.score_final }];
    return places
      .flatMap(({ index, score }) =>
        unlessDamaged(dex, () => passagesOfMessage(dex, row, index, result.snippet, deep), []).map((each) => ({
          ...each,
          score,
        })),
      )
      .filter(({ title, text }) => !isElsewhere || namesIn(named, `${title}\n${text}`).length > 0)
      .map(({ title, ...rest }) => ({ ...rest, title: [title, ...own].join(" ") }));
  });
}

function addressOf({ address, source, id }: SearchResult): string {
  return address ?? `${source}:${id}`;
}

/** The best messages of a conversation, with the one that ranks first at the start. */
function placesIn({ message_index, score_final, explain }: SearchResult): { index: number; score: number }[] {
  const messages = explain?.best_messages ?? [];
  const most = Math.max(...messages.map(({ words }) => words), Number.MIN_VALUE);
  const others = messages.flatMap(({ index, words }) =>
    index === null || index === message_index ? [] : [{ index, score: score_final * Math.min(1, words / most) }],
  );
  return [{ index: message_index, score: score_final }, ...others];
}

/**
 * The passages of a message: its text, or the reply to it if it is a question; with `deep`, both for a person's
 * message.
 */
function passagesOfMessage(dex: Dex, row: ConversationRow, index: number, snippet: string, deep: boolean): Passage[] {
  const message = loadMessages(dex, row, index, index + 1)[0]?.message;
  const text = message && spokenText(message);
  const isRequest = message?.role === "user" && text !== undefined;
  const stated = message?.role === "assistant" && text !== undefined ? withoutAnnouncements(text) : text;
  const asks = isRequest && ASKS.test(text);
  const reply = asks || (isRequest && deep) || stated === "" ? replyTo(dex, row, index) : undefined;
  const said = reply && (stated === "" || asks) ? "" : (stated?.slice(0, MAX_MESSAGE_CHARS) ?? snippet);
  const place = { collection: CONVERSATIONS, document: fullAddress(dex, row), ...row.team };
  const origin = (at: number, time: string | undefined): MessageOrigin => originOf(dex, row, at, time);
  return [
    ...(said === ""
      ? []
      : [{ ...place, section: `#${index}`, title: row.title, text: said, message: origin(index, message?.time) }]),
    // The request serves as the heading of its reply.
    ...(reply
      ? [
          {
            ...place,
            section: `#${reply.index}`,
            title: isRequest ? cleanLine(text, MAX_QUESTION_CHARS) : row.title,
            text: reply.text,
            message: origin(reply.index, reply.time),
          },
        ]
      : []),
  ];
}

function originOf(dex: Dex, row: ConversationRow, index: number, time: string | undefined): MessageOrigin {
  const { title, source, project, updated } = row;
  return {
    address: `${shortAddresses(dex)(row)}#${index}`,
    title: cleanLine(withoutInjected(title), MAX_TITLE_CHARS),
    agent: agentName(source),
    ...(project === null ? {} : { project: lastName(project) }),
    date: dayOf(time === undefined ? updated : Date.parse(time)),
  };
}

/**
 * Removes sentences such as "Now let me run the tests:", which have the words of a question about tests and no facts.
 */
function withoutAnnouncements(text: string): string {
  const kept = text
    .slice(0, MAX_MESSAGE_CHARS)
    .replaceAll(ANNOUNCED, (sentence) => (GIVES_REASON.test(sentence) ? sentence : ""))
    .trim();
  // A colon at the end introduces a tool call.
  return kept.endsWith(":") ? kept.slice(0, Math.max(0, kept.search(LAST_SENTENCE))).trim() : kept;
}

/** The agent's last text before the person's next message: its findings. */
function replyTo(dex: Dex, row: ConversationRow, index: number): Reply | undefined {
  let reply: Reply | undefined;
  for (const each of eachMessage(dex, row, index + 1, Math.min(row.messages, index + 1 + MAX_REPLY_MESSAGES))) {
    const { role, parts, time } = each.message;
    if (role === "user" && parts.some(({ type }) => type === "text")) break;
    if (role !== "assistant" || !parts.some((part) => part.type === "text" && part.text.trim() !== "")) continue;
    const text = withoutAnnouncements(spokenText(each.message) ?? "");
    if (text !== "") reply = { index: each.index, text, time };
  }
  return reply;
}

/** The text of a message without its tool calls, which state nothing; for a message of tool calls alone, the calls. */
function spokenText(message: Message): string | undefined {
  const said = { ...message, parts: message.parts.filter(({ type }) => type === "text") };
  return renderMessage(said, "stripped") ?? renderMessage(message, "stripped");
}
