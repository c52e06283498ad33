/**
 * File events for a thread. The library that reads them from the operating system aborts the process when a thread that
 * loaded it ends, so the main thread subscribes for the other one.
 */
import type { MessagePort } from "node:worker_threads";
import type * as Parcel from "@parcel/watcher";
import { errorMessage } from "../../kernel/errors.ts";
import { loadNative, type Native } from "../../watch/events/native.ts";

type Options = Parcel.Options;

/** A message from the thread. */
type Wish = { subscribe: number; folder: string; options: Options | undefined } | { unsubscribe: number };

/** A message to the thread. `subscribed`: the subscription is active, unless there is an error. */
type Told =
  | { subscribed: number; error?: string }
  | { events: number; error?: string; list: { path: string; type: Parcel.EventType }[] };

/** The side of the main thread. The returned function ends all subscriptions. */
export function subscribeFor(port: MessagePort): () => void {
  const open = new Map<number, Parcel.AsyncSubscription>();
  const tell = (told: Told): void => port.postMessage(told);
  const subscribe = async (id: number, folder: string, options: Options | undefined): Promise<void> => {
    const loaded = await loadNative();
    if (!("native" in loaded)) throw new Error(loaded.reason);
    const report = (error: Error | null, list: Parcel.Event[]): void =>
      tell({ events: id, list, ...(error ? { error: error.message } : {}) });
    open.set(id, await loaded.native.subscribe(folder, report, options));
  };
  port.on("message", (wish: Wish) => {
    if ("unsubscribe" in wish) {
      void open.get(wish.unsubscribe)?.unsubscribe();
      open.delete(wish.unsubscribe);
      return;
    }
    subscribe(wish.subscribe, wish.folder, wish.options).then(
      () => tell({ subscribed: wish.subscribe }),
      (error: unknown) => tell({ subscribed: wish.subscribe, error: errorMessage(error) }),
    );
  });
  return () => {
    for (const subscription of open.values()) void subscription.unsubscribe();
    port.close();
  };
}

interface Pending {
  done(): void;
  fail(error: Error): void;
}

/** The side of the thread. */
export function remoteNative(port: MessagePort): Native {
  const pending = new Map<number, Pending>();
  const listeners = new Map<number, Parcel.SubscribeCallback>();
  let last = 0;
  port.on("message", (told: Told) => {
    const error = told.error === undefined ? null : new Error(told.error);
    if ("events" in told) {
      listeners.get(told.events)?.(error, told.list);
      return;
    }
    const waiting = pending.get(told.subscribed);
    pending.delete(told.subscribed);
    if (error) waiting?.fail(error);
    else waiting?.done();
  });
  const wish = (each: Wish): void => port.postMessage(each);
  return {
    subscribe: (folder, listener, options) =>
      new Promise((resolve, fail) => {
        last += 1;
        const id = last;
        listeners.set(id, listener);
        const unsubscribe = async (): Promise<void> => {
          listeners.delete(id);
          wish({ unsubscribe: id });
        };
        pending.set(id, { done: () => resolve({ unsubscribe }), fail });
        wish({ subscribe: id, folder, options });
      }),
  };
}
