/**
 * Events of the server: what a sync found, conversations that grew. The stream is read with fetch, because an EventSource
 * cannot send the token. When it breaks, the page tries again after a pause that doubles up to a limit.
 */
import { signal } from "@preact/signals";
import { authorization, connection, send } from "../api.ts";

export interface ServerEvent {
  type: string;
  data: unknown;
}

type Listener = (event: ServerEvent) => void;

const EVENTS_PATH = "/api/events";
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;

const listeners = new Set<Listener>();
/** Counts connections: a view loads again after a gap, during which it heard nothing. */
export const reconnects = signal(0);

/** Calls the listener for every event, until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function listen(): Promise<never> {
  let pause = MIN_PAUSE_MS;
  for (;;) {
    try {
      const response = await send(EVENTS_PATH, { headers: authorization(), cache: "no-store" });
      if (response.ok && response.body) {
        pause = MIN_PAUSE_MS;
        reconnects.value += 1;
        await readStream(response.body);
      }
    } catch {
      // `send` has told the page that the server is out of reach.
    }
    if (connection.peek() !== "denied") connection.value = "lost";
    await wait(pause);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

/** Waits, but at most until the user comes back to the page. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
  });
}

async function readStream(body: ReadableStream<Uint8Array>): Promise<void> {
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) dispatch(block);
  }
}

function dispatch(block: string): void {
  let type = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) type = line.slice("event: ".length);
    if (line.startsWith("data: ")) data.push(line.slice("data: ".length));
  }
  if (data.length === 0) return;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.join("\n"));
  } catch {
    return;
  }
  for (const listener of listeners) listener({ type, data: parsed });
}
