/** Resolves a name and checks its addresses. The checked addresses are the ones used, which prevents DNS rebinding. */
import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** Like `dns.lookup` with `all`. */
export type ResolveName = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** One forbidden address refuses the whole name; `refused` makes the error. */
export function checkedLookup(
  allowed: (address: string) => boolean,
  refused: (address: string) => Error,
  resolve: ResolveName = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const wrong = addresses.find(({ address }) => !allowed(address));
      const [first] = addresses;
      if (wrong || !first) return callback(refused(wrong?.address ?? "nowhere"), "", 0);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
