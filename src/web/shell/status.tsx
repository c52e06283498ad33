/** The status line at the foot of the page: the connection, a running sync, and short messages. */
import { connection } from "../api.ts";
import { said } from "./say.ts";
import { syncing } from "./sync.ts";

const TROUBLE = {
  lost: "The server does not answer. This page tries again until it does.",
  denied: "This link is no longer valid. Open the link that `dex web` printed last.",
} as const;

export function Status() {
  const state = connection.value;
  const sync = syncing.value;
  const trouble = state === "up" ? "" : TROUBLE[state];
  const text = trouble || said.value || (sync ? `${sync.label} ${Math.round(sync.share * 100)} %` : "");
  return (
    <div class={`status ${trouble ? "status-trouble" : ""} ${text ? "status-shown" : ""}`} role="status">
      {text}
    </div>
  );
}
