/**
 * Runs one job: the source reads, the ingest packs, events come out. The same in a worker and in the main thread. Once
 * the reader is loaded, the job runs to its end without a pause, so that jobs never mix.
 */

import { loadSource } from "../integrations/registry.ts";
import { errorMessage } from "../kernel/errors.ts";
import { redactText } from "../redact/redact.ts";
import { cameWithClone } from "./clone.ts";
import type { Digester } from "./digest.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { Ingest } from "./ingest.ts";
import { keptState } from "./kept_state.ts";

export async function runJob(
  job: ReadJob,
  setup: ReaderSetup,
  digester: Digester,
  emit: (event: ReadEvent) => void,
): Promise<void> {
  const ingest = new Ingest(job.number, job.container, setup.policy, digester, emit);
  const done = (): Omit<Extract<ReadEvent, { type: "done" }>, "state" | "error"> => ({
    type: "done",
    job: job.number,
    malformed: ingest.malformedCount,
    redactions: ingest.redactions,
    leftOut: ingest.leftOut,
    // Read from its beginning, so that nothing else can be in it.
    onlyForgotten: job.state === undefined && (ingest.leftOut.forgotten ?? 0) > 0 && ingest.opened === 0,
  });
  try {
    const source = await loadSource(job.container.source);
    const place = source?.besideCode?.(job.container);
    if (place && cameWithClone(job.container.path, place, setup.policy.trusted)) {
      emit({ ...done(), state: undefined, leftOut: { from_clone: 1 } });
      return;
    }
    const state = source?.read({
      container: job.container,
      env: setup.env,
      state: job.state,
      inherited: new Set(job.inherited),
      inheritedFrom: job.inheritedFrom,
      sink: ingest,
    });
    emit({ ...done(), state: keptState(state) });
  } catch (error) {
    // One unreadable file must not stop the others; it is tried again at the next sync.
    emit({ ...done(), state: job.state, error: redactText(errorMessage(error)).text });
  }
}
