/**
 * Runs one job: the source reads a container, and the ingest turns it into events. Runs in a worker or the main thread.
 * Once the reader is loaded, the job runs to its end without a pause, so jobs never mix.
 */

import { loadSource } from "../../integrations/registry.ts";
import { errorMessage } from "../../kernel/errors.ts";
import { redactText } from "../../redact/redact.ts";
import { cameWithClone } from "./clone.ts";
import type { ReadEvent, ReaderSetup, ReadJob } from "./events.ts";
import { Ingest } from "./ingest.ts";
import { storableState } from "./reader_state.ts";

export async function runJob(job: ReadJob, setup: ReaderSetup, emit: (event: ReadEvent) => void): Promise<void> {
  const ingest = new Ingest(job.number, job.container, setup.policy, emit);
  const done = (): Omit<Extract<ReadEvent, { type: "done" }>, "state" | "error"> => ({
    type: "done",
    job: job.number,
    malformed: ingest.malformedCount,
    redactions: ingest.redactions,
    leftOut: ingest.leftOut,
    // Only after reading from the start is it certain that nothing else is in it.
    onlyForgotten: job.state === undefined && (ingest.leftOut.forgotten ?? 0) > 0 && ingest.opened === 0,
  });
  try {
    const source = await loadSource(job.container.source);
    const projectFile = source?.besideCode?.(job.container);
    if (projectFile && cameWithClone(job.container.path, projectFile, setup.policy.trusted)) {
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
    emit({ ...done(), state: storableState(state) });
  } catch (error) {
    // An unreadable file must not stop the others; the next sync tries it again.
    emit({ ...done(), state: job.state, error: redactText(errorMessage(error)).text });
  }
}
