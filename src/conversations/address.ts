/**
 * Addresses: `id`, `id#12` (a message), `source:id` (where two agents use the same id), `source:id#12`.
 * The id may be a unique prefix, and may end in `@` and a member of the team; resolving it is up to the caller.
 */
import { DexError } from "../kernel/errors.ts";

export interface Address {
  source?: string;
  id: string;
  index?: number;
}

const MAX_CHARS = 500;
/** A source has at least two letters, so `C:` of a Windows path is not one. */
const SOURCE = /^([a-z][a-z0-9_-]+):/i;

export function parseAddress(text: string): Address {
  const typed = text.trim();
  const source = SOURCE.exec(typed)?.[1];
  const rest = source === undefined ? typed : typed.slice(source.length + 1);
  const hash = rest.lastIndexOf("#");
  const id = hash < 0 ? rest : rest.slice(0, hash);
  const digits = hash < 0 ? undefined : rest.slice(hash + 1);
  if (id === "" || typed.length > MAX_CHARS || /[\s#]|\p{Cc}/u.test(id)) throw badAddress(text);
  if (digits !== undefined && !/^\d{1,9}$/.test(digits)) throw badAddress(text);
  return {
    ...(source === undefined ? {} : { source: source.toLowerCase() }),
    id,
    ...(digits === undefined ? {} : { index: Number(digits) }),
  };
}

function badAddress(text: string): DexError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new DexError("bad_address", `"${shown}" is not the address of a conversation or message.`, {
    hint: "Use an id (or its first four characters), id#12 for a message, source:id when two agents share an id.",
  });
}
