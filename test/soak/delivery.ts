/** Webhooks to a receiver on the loopback, while the sender is killed: none is lost, and one that repeats has one id. */
import { join } from "node:path";
import { Outbox } from "../support/outbox.ts";
import type { TestHome } from "../support/program/dex.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { type Scenario, succeed } from "./killing.ts";

const SUBSCRIPTIONS = 4;
const DELIVERIES = 10;

let receiver: Receiver | undefined;

/** The receiver is outside the home, so it is cleared whenever the home is restored. */
export const deliveryScenario: Scenario = {
  name: "delivery",
  prepare: async (home) => {
    receiver = await Receiver.start();
    const outbox = new Outbox(join(home.dexHome, "state.db"));
    for (let i = 0; i < SUBSCRIPTIONS; i += 1) {
      outbox.add(outbox.subscribe({ id: `sub_${i}`, callbackUrl: receiver.url }), DELIVERIES, Date.now());
    }
    outbox.state.close();
  },
  restored: () => receiver?.received.splice(0),
  command: ["subscriptions", "deliver"],
  finish: async (home) => {
    const state = new Outbox(join(home.dexHome, "state.db")).state;
    try {
      while (state.deliveries.nextDue(Date.now()) !== undefined) await deliverLeft(home);
      const all = state.deliveries.after(0, {}, 1000);
      const received = new Set(receiver?.ids);
      return {
        delivered: all.filter(({ status }) => status === "delivered").length,
        lost: all.filter(({ id }) => !received.has(id)).map(({ id }) => id),
        differing: all.filter(({ id, body }) =>
          receiver?.received.some((each) => each.id === id && each.body !== body),
        ),
      };
    } finally {
      state.close();
    }
  },
};

/** Deliveries of a sender that was killed are free again as soon as it is seen to be gone. */
async function deliverLeft(home: TestHome): Promise<void> {
  await succeed(home, "subscriptions", "deliver");
}

export async function endDelivery(): Promise<void> {
  await receiver?.end();
  receiver = undefined;
}
