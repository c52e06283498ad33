/**
 * Where a webhook may lead. Whoever may subscribe could otherwise make dex knock at the services of the network it
 * stands in, with a name that points there only when it is used. So: this machine, or hosts that the settings name and
 * whose every address is public; and the connection goes to the address that was checked.
 */
import { isIP, type LookupFunction } from "node:net";
import { bareHost, isPublicAddress } from "../../collections/net/addresses.ts";
import { checkedLookup, type ResolveName } from "../../collections/net/lookup.ts";
import { DexError } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";

const LONGEST_URL = 2000;

/** The address, if something may be sent there at all. Names are not resolved yet. */
export function webhookTarget(address: string, allowHosts: readonly string[]): URL {
  const url = address.length <= LONGEST_URL && URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new DexError("bad_webhook", `${address.slice(0, 200)} is not an http or https address.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new DexError("bad_webhook", `The address of ${url.host} holds a name or a password; those are not sent.`, {
      hint: "Deliveries are signed: the receiver knows them by X-Dex-Signature.",
    });
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
    throw new DexError("plain_webhook", `${url.host} would get suggestions unencrypted.`, { hint: "Use https." });
  }
  return url;
}

/** `example.com`, or `*.example.com` for the names below it. */
function names(allowed: string, host: string): boolean {
  const name = bareHost(allowed.trim());
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}

/** Resolves the name of a target, and gives addresses only if all of them are where it may lead. */
export function targetLookup(url: URL, resolve?: ResolveName): LookupFunction {
  const allowed = isLoopback(url.href) ? isLoopbackAddress : isPublicAddress;
  return checkedLookup(allowed, (address) => privateTarget(url.hostname, address), resolve);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

function privateTarget(host: string, address: string): DexError {
  return new DexError("private_webhook", `${host} leads to ${address}, where no webhook may go.`);
}
