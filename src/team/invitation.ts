/**
 * Invitations: one line that a person sends to another. It contains an address and a secret that works once and for a
 * few days; joining replaces the secret by one that only the new machine knows.
 */
import { DexError } from "../kernel/errors.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { newLogin, newSecret, scramVerifier } from "../store/postgres/secrets.ts";
import type { TeamLink } from "../store/postgres/statements.ts";
import { type Access, openAccess, type Session } from "./access.ts";

const PREFIX = "dex-team-";
const MAX_INVITATION_CHARS = 4000;

export function encodeInvitation(url: string): string {
  return `${PREFIX}${Buffer.from(JSON.stringify({ url })).toString("base64url")}`;
}

export function decodeInvitation(text: string): string {
  const body = text.trim();
  if (body.length <= MAX_INVITATION_CHARS && body.startsWith(PREFIX)) {
    const value = parseJson(Buffer.from(body.slice(PREFIX.length), "base64url").toString("utf8"));
    const url = asString(asObject(value).url);
    if (url !== undefined && URL.canParse(url)) return url;
  }
  throw new DexError("team_invitation", "This is not an invitation of dex.", {
    hint: `An invitation is one line that begins with ${PREFIX}; \`dex team invite <name>\` prints one.`,
  });
}

/** The same server with another login. */
export function withLogin(url: string, login: string, secret: string): string {
  const changed = new URL(url);
  changed.username = login;
  changed.password = secret;
  return changed.href;
}

/** Invites a person, or a further machine of one. The secret is in the invitation alone: the server has its verifier. */
export async function invite(
  link: TeamLink,
  url: string,
  who: { name: string; role: string | undefined; days: number },
): Promise<string> {
  const login = newLogin();
  const secret = newSecret();
  await link.call("invite", who.name, who.role ?? null, login, scramVerifier(secret), null, who.days);
  return encodeInvitation(withLogin(url, login, secret));
}

/** Spends an invitation. Returns the access that replaces it, and an open session with it. */
export async function acceptInvitation(
  invitation: string,
  machine: string,
  keep: (access: Access) => void,
): Promise<Session> {
  const url = decodeInvitation(invitation);
  const { link, hello } = await openAccess({ url });
  const secret = newSecret();
  const login = decodeURIComponent(new URL(url).username);
  const access = { url: withLogin(url, login, secret) };
  try {
    if (hello.joined) {
      throw new DexError("team_invitation", "This invitation was used.", {
        hint: "Ask an admin for a new one: `dex team invite <name>`.",
      });
    }
    // Written first: a kill after the server has changed the secret must not lock the machine out.
    keep(access);
    await link.call("activate", machine, scramVerifier(secret), null);
  } finally {
    await link.close();
  }
  return openAccess(access);
}
