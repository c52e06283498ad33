/** Says whose conversation it is, where that is another member of the team. */
import { cleanLine } from "../../text/clean.ts";

interface Owned {
  origin?: "local" | "team" | undefined;
  owner?: string | undefined;
  machine?: string | undefined;
  scope?: string | undefined;
}

/** `ada on laptop, github.com/acme/notes`; empty for a conversation of this home. */
export function ownerInWords({ origin, owner, machine, scope }: Owned): string {
  if (origin !== "team") return "";
  return cleanLine(`${owner}${machine ? ` on ${machine}` : ""}${scope ? `, ${scope}` : ""}`);
}
