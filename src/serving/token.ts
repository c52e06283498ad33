/**
 * The token of the HTTP server. Any program or web page on this machine can reach a loopback port; the token admits only
 * programs that can read a private file of the user.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, linkSync, readFileSync, rmSync } from "node:fs";
import { DexError, systemCode } from "../kernel/errors.ts";
import { diskError, writeFileAtomic } from "../kernel/files/atomic_write.ts";

const PRIVATE = 0o600;
const MIN_TOKEN_CHARS = 20;

/** The token in the file, which is created on first use. */
export function readOrMakeToken(path: string): string {
  const token = readToken(path) ?? makeToken(path);
  if (token.length >= MIN_TOKEN_CHARS && /^[\w-]+$/.test(token)) return token;
  throw new DexError("bad_token", `${path} does not hold a valid token.`, {
    hint: "Delete the file: the next start makes a new one.",
  });
}

function readToken(path: string): string | undefined {
  try {
    const token = readFileSync(path, "utf8").trim();
    chmodSync(path, PRIVATE);
    return token;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw diskError(error, path);
  }
}

/** If two servers start at once, both use the token of the first. */
function makeToken(path: string): string {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileAtomic(own, `${randomBytes(32).toString("base64url")}\n`, PRIVATE);
  try {
    linkSync(own, path);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw diskError(error, path);
  } finally {
    rmSync(own, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

/** Compares in constant time; only the length of the token, which is known, can be learned from it. */
export function presentsToken(authorization: string | undefined, token: string): boolean {
  const presented = Buffer.from(/^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
  const expected = Buffer.from(token);
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
