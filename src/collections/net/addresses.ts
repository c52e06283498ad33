/**
 * Addresses that a documentation source must not lead to. A link, a redirect or a name server can point a fetch at this
 * machine, its local network or a cloud metadata service, so every non-public address is refused. Pure, for tests without
 * a socket.
 */
import { BlockList, isIP } from "node:net";

/** Special-purpose blocks (RFC 6890 and its successors) that are not the public internet. */
const PRIVATE4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** In IPv6 only the global unicast block is public, except for reserved parts of it. */
const PRIVATE6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const private4 = blockList(PRIVATE4, "ipv4");
const private6 = blockList(PRIVATE6, "ipv6");
const global6 = blockList([["2000::", 3]], "ipv6");
/** IPv6 addresses that embed an IPv4 address: mapped, translated (RFC 6052). */
const carriers = blockList(
  [
    ["::ffff:0:0", 96],
    ["64:ff9b::", 96],
  ],
  "ipv6",
);

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !private4.check(address, "ipv4");
  if (family !== 6) return false;
  const plain = address.split("%")[0] ?? "";
  if (carriers.check(plain, "ipv6")) return isPublicAddress(lastFour(plain));
  return global6.check(plain, "ipv6") && !private6.check(plain, "ipv6");
}

/** The IPv4 address in the last 32 bits of an IPv6 one. */
function lastFour(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted) return dotted;
  // The URL parser normalises IPv6 addresses: the last two groups are present, or a run of zeros replaces them.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const right = (groups.at(-1) ?? "").split(":").filter(Boolean);
  const [high = "0", low = "0"] = right.length >= 2 ? right.slice(-2) : ["0", right[0] ?? "0"];
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join(".");
}

/** `true`: all private hosts; a list: these hosts. */
export type PrivateHosts = boolean | readonly string[];

export function mayBePrivate(hostname: string, allowed: PrivateHosts): boolean {
  if (typeof allowed === "boolean") return allowed;
  const name = bareHost(hostname);
  return allowed.some((host) => bareHost(host) === name);
}

/** Without the brackets of an IPv6 literal and the trailing dot of an absolute name. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
}

function blockList(blocks: readonly (readonly [string, number])[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of blocks) list.addSubnet(net, prefix, family);
  return list;
}
