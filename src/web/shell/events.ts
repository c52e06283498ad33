/**
 * Live events of the server: the index changed, a conversation grew, a sync runs. The stream is read with fetch, because an
 * EventSource cannot send the token. When it breaks or falls silent, the page tries again after a pause that doubles up to
 * a limit.
 */
import { authorization, connection, readLines, send } from "../api.ts";

export type LiveEvent =
  | {
      type: "hello";
      version: string;
      conversations: number;
      messages: number;
      last_sync: string | null;
      folder: string;
    }
  | { type: "index"; conversations: number; messages: number; last_sync: string | null }
  | { type: "conversation"; id: string; source: string; title: string; messages: number; updated: string }
  | { type: "sync"; phase: "running" | "done" | "failed"; done: number; total: number; label: string }
  | { type: "changed"; what: ("documents" | "code" | "history" | "state" | "traces")[] }
  | { type: "ping" };

type Listener = (event: LiveEvent) => void;

const EVENTS_PATH = "/api/events";
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;
/** The server says something every 15 seconds. */
const MAX_SILENCE_MS = 40_000;

const listeners = new Set<Listener>();

/** Calls the listener for every event, until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function listen(): Promise<never> {
  let pause = MIN_PAUSE_MS;
  for (;;) {
    try {
      await connect(() => {
        pause = MIN_PAUSE_MS;
      });
    } catch {
      // `send` has told the page that the server is out of reach.
    }
    if (connection.peek() !== "denied") connection.value = "lost";
    await wait(pause);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

/** Returns when the stream ends. */
async function connect(connected: () => void): Promise<void> {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), MAX_SILENCE_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), MAX_SILENCE_MS);
  };
  try {
    const response = await send(EVENTS_PATH, {
      headers: authorization(),
      cache: "no-store",
      signal: controller.signal,
    });
    if (!response.ok || !response.body) return;
    connected();
    for await (const event of readLines(response.body)) {
      heard();
      for (const listener of listeners) listener(event as LiveEvent);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The second one: another tab has been opened with a new link. */
const WAKING = ["online", "storage"];

/** Waits, but at most until the user comes back to the page, or opens a new link in another tab. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const type of WAKING) removeEventListener(type, done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const type of WAKING) addEventListener(type, done);
    document.addEventListener("visibilitychange", done);
  });
}
