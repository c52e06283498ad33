/**
 * Allowed webhook targets, against server-side request forgery: a subscriber could otherwise make dex call services of
 * its local network, also by DNS rebinding. Targets are this machine, or hosts named in the settings whose every
 * address is public; and the connection goes to the address that was checked.
 */
import { isIP, type LookupFunction } from "node:net";
import { bareHost, isPublicAddress } from "../../collections/net/addresses.ts";
import { checkedLookup, type ResolveName } from "../../collections/net/lookup.ts";
import { DexError } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";

const MAX_URL_CHARS = 2000;

/** The parsed URL of an allowed target. Host names are not resolved yet. */
export function webhookTarget(address: string, allowHosts: readonly string[]): URL {
  const url = address.length <= MAX_URL_CHARS && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new DexError("bad_webhook", `${address.slice(0, 200)} is not an http or https address.`, {
      hint: "Give the whole address of the receiver, such as https://example.com/hook.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new DexError(
      "bad_webhook",
      `The address of ${url.host} contains a user name or password, which dex does not send.`,
      {
        hint: "Remove it. Deliveries are signed: the receiver can verify X-Dex-Signature.",
      },
    );
  }
  if (isLoopback(url.href)) return url;
  const host = bareHost(url.hostname);
  if (!allowHosts.some((allowed) => names(allowed, host))) {
    throw new DexError("foreign_webhook", `${host} is not this machine, and webhooks.allowHosts does not name it.`, {
      hint: `If suggestions may go there: \`dex config set webhooks.allowHosts ${host}\`.`,
    });
  }
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw privateTarget(host, host);
  if (url.protocol !== "https:") {
    throw new DexError("plain_webhook", `${url.host} would receive suggestions unencrypted.`, { hint: "Use https." });
  }
  return url;
}

/** Whether an allowed name (`example.com`, or `*.example.com` for its subdomains) matches the host. */
function names(allowed: string, host: string): boolean {
  const name = bareHost(allowed.trim());
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}

/** Resolves the host of a target; fails unless all its addresses are allowed. */
export function targetLookup(url: URL, resolve?: ResolveName): LookupFunction {
  const allowed = isLoopback(url.href) ? isLoopbackAddress : isPublicAddress;
  return checkedLookup(allowed, (address) => privateTarget(url.hostname, address), resolve);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

function privateTarget(host: string, address: string): DexError {
  return new DexError("private_webhook", `${host} resolves to ${address}, which webhooks may not call.`, {
    hint: "Send to a receiver on this machine (localhost), or to one with a public address.",
  });
}
