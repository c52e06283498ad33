/**
 * Live events of the server: the index changed, a conversation grew, a sync runs. The stream is read with fetch, because an
 * EventSource cannot send the token. When it breaks or falls silent, the page tries again after a pause that doubles up to
 * a limit. A browser opens only about six connections to a server, for all tabs together, so one tab holds the stream and
 * passes the events on to the others.
 */
import { type Connection, connection, readLines, send } from "../api.ts";

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

/** A message from one tab to the others. A new tab asks under a name of its own, and the tab with the stream answers that name. */
interface Passed {
  asks?: string;
  to?: string;
  event?: LiveEvent;
  state?: Connection;
}

const TABS = "dex-events";
const name = crypto.randomUUID();
const tabs = new BroadcastChannel(TABS);
/** This tab holds the stream. */
let isHolder = false;
/** The latest event of each type, for a tab that is opened later. */
const latest = new Map<LiveEvent["type"], LiveEvent>();

const listeners = new Set<Listener>();

/** Calls the listener for every event, until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hears of events for as long as the page is open. */
export async function listen(): Promise<void> {
  tabs.onmessage = ({ data }: MessageEvent<Passed>) => {
    const { asks, state, to, event } = data;
    if (asks && isHolder) for (const known of latest.values()) tell({ to: asks, event: known });
    if (state) connection.value = state;
    if (event && (to ?? name) === name) hear(event);
  };
  tell({ asks: name });
  // The lock is free again when the tab that has it is closed.
  await navigator.locks.request(TABS, hold);
}

function tell(message: Passed): void {
  tabs.postMessage(message);
}

function hear(event: LiveEvent): void {
  if (event.type === "hello") latest.clear();
  if (event.type === "hello" || event.type === "index" || event.type === "sync") latest.set(event.type, event);
  // A call of this tab may have failed while the server was there.
  if (connection.peek() === "lost") connection.value = "up";
  for (const listener of listeners) listener(event);
}

/** Keeps the stream open, and starts it again whenever it ends. */
async function hold(): Promise<never> {
  isHolder = true;
  connection.subscribe((state) => tell({ state }));
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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), MAX_SILENCE_MS);
  };
  heard();
  try {
    const response = await send(EVENTS_PATH, {
      cache: "no-store",
      signal: controller.signal,
    });
    if (!response.ok || !response.body) return;
    connected();
    for await (const event of readLines<LiveEvent>(response.body)) {
      heard();
      tell({ event });
      hear(event);
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
    const waiting = new AbortController();
    const done = (): void => {
      waiting.abort();
      resolve();
    };
    setTimeout(done, ms);
    const { signal } = waiting;
    for (const type of WAKING) addEventListener(type, done, { signal });
    document.addEventListener("visibilitychange", done, { signal });
  });
}
