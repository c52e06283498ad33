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
  const text = trouble || said.value || sync?.label || "";
  const share = text === sync?.label ? Math.round(sync.share * 100) : undefined;
  return (
    <div class={`status ${trouble ? "status-trouble" : ""} ${text ? "status-shown" : ""}`} role="status">
      {text}
      {/* Nobody wants to hear every step of a sync. */}
      {share !== undefined && <span aria-hidden="true"> {share} %</span>}
    </div>
  );
}
