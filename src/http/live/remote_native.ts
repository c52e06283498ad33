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
type FromThread = { subscribe: number; folder: string; options: Options | undefined } | { unsubscribe: number };

/** A message to the thread. `subscribed`: the subscription is active, unless there is an error. */
type ToThread =
  | { subscribed: number; error?: string }
  | { events: number; error?: string; list: { path: string; type: Parcel.EventType }[] };

/** The side of the main thread. The returned function ends all subscriptions. */
export function subscribeFor(port: MessagePort): () => void {
  const open = new Map<number, Parcel.AsyncSubscription>();
  const post = (message: ToThread): void => port.postMessage(message);
  const subscribe = async (id: number, folder: string, options: Options | undefined): Promise<void> => {
    const loaded = await loadNative();
    if (!("native" in loaded)) throw new Error(loaded.reason);
    const report = (error: Error | null, list: Parcel.Event[]): void =>
      post({ events: id, list, ...(error ? { error: error.message } : {}) });
    open.set(id, await loaded.native.subscribe(folder, report, options));
  };
  port.on("message", (request: FromThread) => {
    if ("unsubscribe" in request) {
      void open.get(request.unsubscribe)?.unsubscribe();
      open.delete(request.unsubscribe);
      return;
    }
    subscribe(request.subscribe, request.folder, request.options).then(
      () => post({ subscribed: request.subscribe }),
      (error: unknown) => post({ subscribed: request.subscribe, error: errorMessage(error) }),
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
  port.on("message", (message: ToThread) => {
    const error = message.error === undefined ? null : new Error(message.error);
    if ("events" in message) {
      listeners.get(message.events)?.(error, message.list);
      return;
    }
    const waiting = pending.get(message.subscribed);
    pending.delete(message.subscribed);
    if (error) waiting?.fail(error);
    else waiting?.done();
  });
  const request = (each: FromThread): void => port.postMessage(each);
  return {
    subscribe: (folder, listener, options) =>
      new Promise((resolve, fail) => {
        last += 1;
        const id = last;
        listeners.set(id, listener);
        const unsubscribe = async (): Promise<void> => {
          listeners.delete(id);
          request({ unsubscribe: id });
        };
        pending.set(id, { done: () => resolve({ unsubscribe }), fail });
        request({ subscribe: id, folder, options });
      }),
  };
}
