/** The prompts of a conversation: the outline beside it, and the way from one to the next. */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { clockTime, wholeTime } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { useElementRows } from "../../parts/hooks/virtual.ts";
import { conversationHref } from "../../parts/links.ts";
import { visible } from "../../parts/text/visible.ts";
import { useReader } from "./reader_state.ts";

export type Prompts = OperationOutput<"prompts">;
/** As in the style sheet: 1.875rem. */
const ROW_REM = 1.875;
const PAGE_SIZE = 100;
/** A list that opens in the middle shows so many rows above the current one. */
const ROWS_ABOVE = 6;

/** The number of the last prompt at or before a message; -1 before the first. */
export function promptAt(indices: readonly number[], message: number): number {
  let low = 0;
  let high = indices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((indices[middle] ?? 0) <= message) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function PromptList({ indices, opened }: { indices: readonly number[]; opened?: () => void }) {
  const reader = useReader();
  const box = useRef<HTMLDivElement>(null);
  const rowPx = useMemo(() => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize), []);
  // Drawn again for another prompt, not for every message.
  const current = useComputed(() => promptAt(indices, reader.current.value)).value;
  const rows = useElementRows(box, {
    count: indices.length,
    estimateSize: () => rowPx,
    overscan: 1,
    initialOffset: () => Math.max(0, current - ROWS_ABOVE) * rowPx,
  });
  useEffect(() => {
    const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
    // The range may begin and end with a row of which a part is hidden.
    const isShown = current > startIndex && current < endIndex;
    // Scrolling asks the page for its height, so the browser lays it out once more.
    if (current >= 0 && !isShown) rows.scrollToIndex(current, { align: "auto" });
  }, [current]);
  const items = rows.getVirtualItems();
  const firstPage = pageOf(items[0]?.index);
  const lastPage = pageOf(items.at(-1)?.index);
  const upper = usePromptPage(firstPage);
  const lower = usePromptPage(lastPage === firstPage ? undefined : lastPage);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
    <div ref={box} class="prompt-list" tabIndex={0}>
      <ol style={{ height: `${rows.getTotalSize()}px` }}>
        {items.map((item) => {
          const page = pageOf(item.index) === firstPage ? upper : lower;
          const prompt = page?.prompts[item.index % PAGE_SIZE];
          const index = indices[item.index] ?? 0;
          return (
            <li key={item.key} style={{ transform: `translateY(${item.start}px)` }}>
              <a
                href={conversationHref(reader.transcript.id, index)}
                data-time={prompt?.time ? clockTime(prompt.time) : ""}
                title={prompt && [prompt.head, wholeTime(prompt.time ?? "")].filter(Boolean).join("\n")}
                aria-label={prompt ? undefined : `Message ${index}`}
                aria-current={item.index === current ? "true" : undefined}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
                  event.preventDefault();
                  opened?.();
                  reader.goTo(index);
                }}
              >
                {visible(prompt?.head ?? "")}
              </a>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function pageOf(row: number | undefined): number | undefined {
  return row === undefined ? undefined : Math.floor(row / PAGE_SIZE);
}

/** Nothing is asked for without a page: no row is shown yet, or the page is asked for already. */
function usePromptPage(page: number | undefined): Prompts | undefined {
  const { transcript } = useReader();
  const input = page === undefined ? undefined : { id: transcript.id, offset: page * PAGE_SIZE, limit: PAGE_SIZE };
  return useCall("prompts", input, { draft: true }).data;
}
