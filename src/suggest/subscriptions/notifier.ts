/** What a watcher does for subscriptions: each batch of changes may tell them something, and what is due is sent. */
import { dexPaths } from "../../config/paths.ts";
import { delivererOf } from "../delivery/open.ts";
import type { ChangeBatch } from "../model.ts";
import { Triggers } from "./triggers.ts";

export interface Telling {
  /** After the indexes have the change. Resolves with the number of suggestions that were made. */
  changed(batch: ChangeBatch): Promise<number>;
  /** What is being sent is left for the next process. */
  close(): Promise<void>;
}

export async function startTelling(options: {
  folder: string;
  vars: NodeJS.ProcessEnv;
  report(error: unknown): void;
}): Promise<Telling> {
  const { folder, vars, report } = options;
  const deliverer = delivererOf({ paths: dexPaths(vars), vars, now: Date.now }, report);
  const triggers = await Triggers.start({ folder, open: { vars }, wake: () => deliverer.wake(), report });
  deliverer.start();
  return {
    changed: (batch) => triggers.take(batch),
    close: async () => {
      await triggers.close();
      await deliverer.close();
    },
  };
}
