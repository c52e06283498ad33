/** Asks which decision replaces another. */
import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { visible } from "../../parts/text/visible.ts";
import type { Decision } from "./decision.ts";

export interface SupersedeProps {
  decision: Decision;
  all: readonly Decision[];
  /** Why the last run failed. */
  problem: string;
  run(by: string): Promise<boolean>;
  close(): void;
}

export function Supersede({ decision, all, problem, run, close }: SupersedeProps) {
  const [by, setBy] = useState("");
  const inForce = all.filter(
    ({ id, status }) => id !== decision.id && (status === "accepted" || status === "proposed"),
  );
  const submit = async (): Promise<void> => {
    if (await run(by)) close();
  };
  return (
    <Dialog title="Mark as superseded" close={close}>
      <p>{visible(decision.text)}</p>
      <label class="field">
        Replaced by
        <select value={by} onChange={(event) => setBy(event.currentTarget.value)}>
          <option value="">No particular decision</option>
          {inForce.map(({ id, text }) => (
            <option key={id} value={id}>
              {visible(text.slice(0, 120))}
            </option>
          ))}
        </select>
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <footer>
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => void submit()}>
          Supersede
        </button>
      </footer>
    </Dialog>
  );
}
