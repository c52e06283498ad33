/** Errors of the server and the network as sentences. No message quotes the address: it may contain a password. */
import { DexError, systemCode } from "../../kernel/errors.ts";

/** The codes that dex's own functions raise, see schema/functions.ts. */
const OWN: Readonly<Record<string, readonly [code: string, message: string, hint: string]>> = {
  DX001: [
    "team_access",
    "The team does not know this machine, or its access was revoked.",
    "Ask an admin of the team for an invitation, and run `dex team join`.",
  ],
  DX002: [
    "team_role",
    "Your role in the team does not allow this.",
    "`dex team members` shows the roles; an admin changes them with `dex team role`.",
  ],
  DX003: ["team_scope", "The project is not shared with you.", "Run `dex team share`, or ask those who share it."],
  DX004: [
    "team_limit",
    "The team's server refused a value that is over a limit.",
    "Run `dex team status` and report this if it stays.",
  ],
  DX005: ["team_member", "The team has no such member.", "`dex team members` lists them."],
  DX006: [
    "team_invitation",
    "This invitation was used or has expired.",
    "Ask an admin for a new one: `dex team invite <name>`.",
  ],
  DX007: [
    "team_last_admin",
    "The team would be left without an admin.",
    "Make someone else an admin first: `dex team role <name> admin`.",
  ],
  DX008: [
    "team_index",
    "Another machine is writing this part of the team's index.",
    "Nothing is lost: the next push completes it.",
  ],
};

const NETWORK = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  // The server shuts down, starts, or ended the session.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08006",
  "08001",
]);

/** Whether the same call may succeed later without a change. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DexError && error.code === "team_unreachable";
}

export function serverFailure(error: unknown): unknown {
  if (error instanceof DexError) return error;
  const code = systemCode(error) ?? "";
  const own = OWN[code];
  if (own) return new DexError(own[0], own[1], { hint: own[2], cause: error });
  if (NETWORK.has(code)) {
    return new DexError("team_unreachable", `The team's server cannot be reached (${code}).`, {
      hint: "dex answers from this machine and the cache until the server is back.",
      cause: error,
    });
  }
  if (code === "28P01" || code === "28000") {
    return new DexError("team_access", "The team's server does not accept this login.", {
      hint: "Access may have been revoked. Ask an admin of the team for an invitation, and run `dex team join`.",
      cause: error,
    });
  }
  if (/^(?:CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code)) {
    return new DexError("team_insecure", `The certificate of the team's server is not trusted (${code}).`, {
      hint: "Add `?sslrootcert=<file>` with the certificate of its issuer to the address, or set NODE_EXTRA_CA_CERTS.",
      cause: error,
    });
  }
  return error;
}
