/**
 * Resolving a name only to where it may lead. The addresses are checked and then used: a name that answers differently
 * the second time leads nowhere else.
 */
import { type LookupAddress, type LookupAllOptions, lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** As `dns.lookup` with `all`. */
export type ResolveName = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** One address that is not allowed refuses the whole name; `refused` says why. */
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
