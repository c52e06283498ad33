/** The member of the team who shared a conversation; nothing for one of this home. */
import { visible } from "./text/visible.ts";

export interface Owned {
  origin?: "local" | "team" | undefined;
  owner?: string | undefined;
  machine?: string | undefined;
  scope?: string | undefined;
}

export function Owner({ origin, owner = "", machine, scope = "" }: Owned) {
  if (origin !== "team") return null;
  return (
    <span class="one-line" title={visible(scope)}>
      shared by {visible(owner)}
      {machine && ` on ${visible(machine)}`}
    </span>
  );
}
