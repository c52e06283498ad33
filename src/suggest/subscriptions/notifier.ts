/** The watcher's part for subscriptions: each batch of changes may trigger them, and due deliveries are sent. */
import { dexPaths } from "../../config/paths.ts";
import { delivererOf } from "../delivery/open.ts";
import type { ChangeBatch } from "../model.ts";
import { Triggers } from "./triggers.ts";

export interface Notifier {
  /** Call it after the indexes contain the change. Resolves with the number of deliveries written. */
  changed(batch: ChangeBatch): Promise<number>;
  /** Unconfirmed deliveries are left for the next process. */
  close(): Promise<void>;
}

export async function startNotifier(options: {
  folder: string;
  vars: NodeJS.ProcessEnv;
  report(error: unknown): void;
}): Promise<Notifier> {
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
