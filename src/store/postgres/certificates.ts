/** The certificates of a private issuer, from the file that a team's address names as `sslrootcert`. */
import { readFileSync } from "node:fs";
import { DexError, errorMessage } from "../../kernel/errors.ts";

export function issuerCertificates(address: URL): { ca?: Buffer } {
  const file = address.searchParams.get("sslrootcert");
  if (!file) return {};
  try {
    return { ca: readFileSync(file) };
  } catch (error) {
    throw new DexError("team_insecure", `The certificate ${file} cannot be read: ${errorMessage(error)}`, {
      hint: "Name a file with the certificates of the server's issuer.",
    });
  }
}
