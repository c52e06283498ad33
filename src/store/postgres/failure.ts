/** Errors of the server and the network as sentences. No message quotes the address: it may contain a password. */
import { DexError, systemCode } from "../../kernel/errors.ts";

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

const REJOIN =
  "`dex team leave` leaves the team on this machine; with a new invitation from an admin, `dex team join` joins it again.";

export function serverFailure(error: unknown): unknown {
  if (error instanceof DexError) return error;
  const code = systemCode(error) ?? "";
  return ownFailure(code, error) ?? networkFailure(code, error) ?? error;
}

/** The codes that dex's own functions raise, see schema/functions. */
function ownFailure(code: string, cause: unknown): DexError | undefined {
  if (code === "DX001") {
    return failed("team_access", "The team does not know this machine, or its access was revoked.", REJOIN, cause);
  }
  if (code === "DX002") {
    return failed(
      "team_role",
      "Your role in the team does not allow this.",
      "`dex team members` shows the roles; an admin changes them with `dex team role`.",
      cause,
    );
  }
  if (code === "DX003") {
    return failed(
      "team_scope",
      "The project is not shared with you.",
      "Run `dex team share`, or ask those who share it.",
      cause,
    );
  }
  if (code === "DX004") {
    return failed(
      "team_limit",
      "The team's server refused a value that is over a limit.",
      "`dex team status` shows what is shared.",
      cause,
    );
  }
  if (code === "DX005")
    return failed("team_member", "The team has no such member.", "`dex team members` lists them.", cause);
  if (code === "DX006") {
    return failed(
      "team_invitation",
      "This invitation was used or has expired.",
      "Ask an admin for a new one: `dex team invite <name>`.",
      cause,
    );
  }
  if (code === "DX007") {
    return failed(
      "team_last_admin",
      "The team would be left without an admin.",
      "Make someone else an admin first: `dex team role <name> admin`.",
      cause,
    );
  }
  if (code === "DX008") {
    return failed(
      "team_index",
      "Another machine is writing this part of the team's index.",
      "Nothing is lost: the next push completes it.",
      cause,
    );
  }
  return undefined;
}

function networkFailure(code: string, cause: unknown): DexError | undefined {
  if (NETWORK.has(code)) return unreachable(`The team's server cannot be reached (${code}).`, cause);
  if (code === "3D000") {
    return failed(
      "no_database",
      "The server has no database of the name in the address.",
      "Create it there (`createdb <name>`), or correct the address.",
      cause,
    );
  }
  if (code === "28P01" || code === "28000") {
    return failed(
      "team_access",
      "The team's server does not accept this login.",
      `Check the name and the password in the address. Access may have been revoked: ${REJOIN}`,
      cause,
    );
  }
  if (/^(?:CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH)/.test(code)) {
    return failed(
      "team_insecure",
      `The certificate of the team's server is not trusted (${code}).`,
      "Add `?sslrootcert=<file>` with the certificate of its issuer to the address, or set NODE_EXTRA_CA_CERTS.",
      cause,
    );
  }
  return undefined;
}

export function unreachable(message: string, cause?: unknown): DexError {
  return failed(
    "team_unreachable",
    message,
    "Check its address. If the server is down, dex answers from this machine and the cache until it is back.",
    cause,
  );
}

function failed(code: string, message: string, hint: string, cause: unknown): DexError {
  return new DexError(code, message, { hint, cause });
}
