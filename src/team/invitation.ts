/**
 * Invitations: one line that a person sends to another. It contains an address and a secret that works once and for a
 * few days; joining replaces the secret by one that only the new machine knows.
 */
import { DexError } from "../kernel/errors.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { newLogin, newSecret, newToken, scramVerifier, tokenHash } from "../store/postgres/secrets.ts";
import type { TeamLink } from "../store/postgres/statements.ts";
import { type Access, isGateway, openAccess, type Session } from "./access.ts";

const PREFIX = "dex-team-";
/** The user name before the token in a gateway's address, where PostgreSQL's address has a login. */
const GATEWAY_USER = "dex";
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

/**
 * Invites a person, or a further machine of one, to the server or gateway at this address. The secret is in the invitation
 * alone: the server has its verifier or hash.
 */
export async function invite(
  link: TeamLink,
  url: string,
  who: { name: string; role: string | undefined; days: number },
): Promise<string> {
  const role = who.role ?? null;
  if (isGateway(url)) {
    const token = newToken();
    await link.call("invite", who.name, role, null, null, tokenHash(token), who.days);
    return encodeInvitation(withLogin(withoutIssuer(url), GATEWAY_USER, token));
  }
  const login = newLogin();
  const secret = newSecret();
  await link.call("invite", who.name, role, login, scramVerifier(secret), null, who.days);
  return encodeInvitation(withLogin(url, login, secret));
}

/** Removes the path of the issuer's certificates: a file of this machine means nothing on another. */
function withoutIssuer(url: string): string {
  const changed = new URL(url);
  changed.searchParams.delete("sslrootcert");
  return changed.href;
}

/**
 * Spends an invitation. Returns the access that replaces it, and an open session with it. `ca`: a file with the
 * certificates of the server's issuer.
 */
export async function acceptInvitation(
  invitation: string,
  machine: string,
  keep: (access: Access) => void,
  ca?: string,
): Promise<Session> {
  const place = new URL(decodeInvitation(invitation));
  if (ca !== undefined) place.searchParams.set("sslrootcert", ca);
  const url = place.href;
  const { link, hello } = await openAccess({ url }).catch(refusedInvitation);
  const throughGateway = isGateway(url);
  const secret = throughGateway ? newToken() : newSecret();
  const access = { url: withLogin(url, decodeURIComponent(place.username), secret) };
  try {
    if (hello.joined) throw usedInvitation();
    // Saved first: a kill after the server has changed the secret must not lock the machine out.
    keep(access);
    if (throughGateway) await link.call("activate", machine, null, tokenHash(secret));
    else await link.call("activate", machine, scramVerifier(secret), null);
  } finally {
    await link.close();
  }
  return openAccess(access);
}

/** The server does not tell an invitation that was used from one that it never made. */
function refusedInvitation(error: unknown): never {
  throw error instanceof DexError && error.code === "team_access" ? usedInvitation(error) : error;
}

function usedInvitation(cause?: unknown): DexError {
  return new DexError("team_invitation", "This invitation was used, has expired, or was revoked.", {
    hint: "Ask an admin for a new one: `dex team invite <name>`.",
    cause,
  });
}
