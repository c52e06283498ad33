/**
 * A conversation on paper: every message that is loaded, one below the other. On the screen only those near the visible
 * ones are in the page, and the paper would be blank where the others are.
 */
import { useEffect, useState } from "preact/hooks";
import { plural } from "../../parts/format.tsx";
import { drawNow } from "../../parts/hooks/virtual.ts";
import { MessageView } from "./message.tsx";
import { useReader } from "./reader_state.ts";

/** True while the browser prints. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => drawNow(() => setPrinting(true));
    const end = (): void => drawNow(() => setPrinting(false));
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

/** `order`: the messages to show; undefined for all. */
export function Printed({ order, source }: { order: readonly number[] | undefined; source: string }) {
  const { transcript } = useReader();
  const wanted = order && new Set(order);
  const messages = transcript.loaded.filter(({ index }) => wanted?.has(index) ?? true);
  const total = order?.length ?? transcript.count;
  const [first, last] = [messages[0]?.index, messages.at(-1)?.index];
  return (
    <div class="printed">
      {messages.length < total && (
        <p class="cut">
          {plural(messages.length, "message")} between #{first} and #{last}, of {plural(total, "message")}.{" "}
          <code>dex export {transcript.id}</code> writes all of them.
        </p>
      )}
      {messages.map((message) => (
        <article key={message.index}>
          <MessageView message={message} source={source} />
        </article>
      ))}
    </div>
  );
}
