/** A first visit: dex has read nothing yet. The page offers to read now, and works while it does. */
import { useState } from "preact/hooks";
import { callLong } from "../api.ts";
import { dataVersion } from "../parts/hooks/use_call.ts";
import { Problem } from "../parts/states.tsx";
import { type SyncState, showSync, syncing } from "./sync.ts";

/** `whileRunning`: only the progress of a running sync, beside content that is there already. */
export function FirstSync({ whileRunning = false }: { whileRunning?: boolean }) {
  const [started, setStarted] = useState(false);
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>();
  const progress = syncing.value;
  const start = async (): Promise<void> => {
    setStarted(true);
    setError(undefined);
    setDone(false);
    try {
      await callLong("sync", {}, ({ done, total, label }) => showSync({ share: total > 0 ? done / total : 0, label }));
      dataVersion.value += 1;
      setDone(true);
    } catch (problem) {
      setError(problem);
    } finally {
      showSync(undefined);
      setStarted(false);
    }
  };
  if (whileRunning) return progress ? <SyncBar {...progress} /> : null;
  return (
    <div class="first-sync">
      <h2>dex has not read your conversations yet</h2>
      <p class="prose">
        dex reads the history that your coding agents keep on this machine, removes secrets, and builds its index in its
        own folder. Nothing leaves this machine. The newest conversations come first, and you can search while dex reads
        the rest.
      </p>
      {error !== undefined && <Problem error={error} />}
      {isDone && (
        <p role="status">
          dex found no conversations. <a href="/doctor">Health</a> lists the agents that it looks for.
        </p>
      )}
      {started || progress ? (
        <SyncBar {...(progress ?? { share: 0, label: "Looking for conversations" })} />
      ) : (
        <button type="button" class="primary" onClick={() => void start()}>
          Read my conversations
        </button>
      )}
    </div>
  );
}

function SyncBar({ share, label }: SyncState) {
  return (
    <div class="sync-bar">
      <progress max={1} value={share} aria-label={label} />
      <span>
        {label} <span class="quiet">{Math.round(share * 100)} %</span>
      </span>
    </div>
  );
}
