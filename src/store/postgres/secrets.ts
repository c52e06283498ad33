/**
 * Secrets of logins and devices. The server only ever gets a SCRAM verifier or a hash: no statement, log or dump has a
 * password or token in it.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";

const ITERATIONS = 4096;

export function newLogin(): string {
  return `dex_${randomBytes(8).toString("hex")}`;
}

export function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** The secret of a device that reaches its team through a gateway: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The server stores only this hash of a token. A token is random, so the hash needs no salt. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** What PostgreSQL stores for a password (RFC 5802). Ours are random ASCII, so they need no normalisation. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}
