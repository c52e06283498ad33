/** The current sessions of one OpenCode database, with the tokens that OpenCode counted for them. */
import type { ConversationMeta, Message } from "../../../../conversations/model.ts";
import { asNumber, asObject } from "../../../../kernel/json.ts";
import { withDatabase } from "../../../history/reading/sqlite.ts";
import { silent } from "../../../history/reading/tail.ts";
import { OpencodeDatabase } from "./database.ts";
import { messageModel, type StoredMessage } from "./parts.ts";
import { joinedMessages, type ProjectedMessage } from "./projected.ts";

export interface TokenUse {
  input: number;
  output: number;
  reasoning: number;
  cache_read: number;
  cache_write: number;
}

export interface OpencodeSession {
  meta: ConversationMeta;
  messages: Message[];
  tokens: TokenUse;
}

/** Oldest first; empty if there is no readable database. */
export function opencodeSessions(path: string): OpencodeSession[] {
  const sessions = withDatabase(path, silent, (db) => {
    const database = new OpencodeDatabase(db);
    if (!database.usable) return [];
    return db.snapshot(() =>
      database.changes(undefined, [], Date.now()).sessions.flatMap((id): OpencodeSession[] => {
        const session = database.load(id);
        if (!session) return [];
        const { meta, stored, projected } = session;
        const model = meta.model ?? [...stored, ...projected].flatMap(({ data }) => messageModel(data) ?? []).at(-1);
        const tokens = usedTokens(stored.length > 0 ? stored : projected);
        return [{ meta: { ...meta, model }, messages: joinedMessages(stored, projected), tokens }];
      }),
    );
  });
  return sessions ?? [];
}

export function addTokens(one: TokenUse, other: TokenUse): TokenUse {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
    cache_read: one.cache_read + other.cache_read,
    cache_write: one.cache_write + other.cache_write,
  };
}

export function noTokens(): TokenUse {
  return { input: 0, output: 0, reasoning: 0, cache_read: 0, cache_write: 0 };
}

function usedTokens(messages: readonly (StoredMessage | ProjectedMessage)[]): TokenUse {
  return messages
    .map(({ data }) => asObject(data.tokens))
    .reduce<TokenUse>((sum, tokens) => {
      const cache = asObject(tokens.cache);
      return addTokens(sum, {
        input: asNumber(tokens.input) ?? 0,
        output: asNumber(tokens.output) ?? 0,
        reasoning: asNumber(tokens.reasoning) ?? 0,
        cache_read: asNumber(cache.read) ?? 0,
        cache_write: asNumber(cache.write) ?? 0,
      });
    }, noTokens());
}
