/**
 * The messages, of which only those near the visible ones are in the page. The address follows the message at the top; a
 * conversation that is being written grows at its end, and moves nothing for a reader who is elsewhere.
 */
import type { Virtualizer } from "@tanstack/virtual-core";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../../parts/format.tsx";
import { useWindowRows } from "../../parts/hooks/virtual.ts";
import { conversationHref } from "../../parts/links.ts";
import { remember, remembered, rewriteAddress } from "../../router.ts";
import { MessageView } from "./message.tsx";
import { useReader } from "./reader_state.ts";
import type { Message } from "./transcript.ts";

type Rows = Virtualizer<Window, HTMLElement>;

const ESTIMATED_PX = 80;
const OVERSCAN = 4;
/** Messages loaded beyond the visible ones, so that scrolling meets no gaps. */
const AHEAD = 60;
const AT_END_PX = 48;
const SETTLED_FRAMES = 3;
const MAX_FRAMES = 120;

export interface Position {
  index: number;
  /** How far the reader has scrolled into it. */
  offset: number;
}

export interface MessageListProps {
  /** The messages to show; undefined for all. */
  order: readonly number[] | undefined;
  start: Position | undefined;
  /** The height of what covers the top of the page. */
  inset: number;
  source: string;
}

export function MessageList({ order, start, inset, source }: MessageListProps) {
  const reader = useReader();
  const { transcript } = reader;
  const box = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  void transcript.version.value;
  const total = transcript.count;
  const count = order?.length ?? total;
  const indexAt = (row: number): number => order?.[row] ?? row;
  const rowOf = (index: number): number => (order ? rowAtOrAfter(order, index) : Math.min(index, count - 1));
  const rows = useWindowRows({
    count,
    estimateSize: () => ESTIMATED_PX,
    overscan: OVERSCAN,
    scrollMargin: margin,
    scrollPaddingStart: inset,
    getItemKey: indexAt,
    onChange: (instance) => place(instance),
  });
  const wantsFocus = useRef<number | undefined>(undefined);
  const isPlaced = useRef(false);
  const stopPlacing = useRef<() => void>(undefined);
  const atEnd = useRef(false);

  /**
   * Runs for every frame of a scroll, after the rows were drawn. Asking the page for its sizes then would make the browser
   * lay it out twice in a frame, so that waits for the end of the scroll.
   */
  const place = (instance: Rows): void => {
    const top = instance.scrollOffset ?? scrollY;
    const height = instance.scrollRect?.height ?? innerHeight;
    atEnd.current = instance.getTotalSize() + margin - (top + height) < AT_END_PX;
    if (!isPlaced.current) return;
    const item = instance.getVirtualItemForOffset(top + inset + 1);
    if (!item) return;
    if (instance.isScrolling) {
      reader.current.value = indexAt(item.index);
      return;
    }
    const isAtBottom = scrollY > 0 && document.documentElement.scrollHeight - scrollY - innerHeight < 2;
    const index = isAtBottom ? Math.max(reader.current.peek(), indexAt(item.index)) : indexAt(item.index);
    reader.current.value = index;
    const offset = isAtBottom ? 0 : Math.max(0, scrollY + inset - item.start);
    remember("message", { index, offset } satisfies Position);
    rewriteAddress(scrollY < margin - inset ? conversationHref(transcript.id) : conversationHref(transcript.id, index));
  };
  reader.goTo = (index, { focus = true } = {}) => {
    if (focus) wantsFocus.current = index;
    // A key may come before the list stands where it was opened: it counts, and not the start.
    stopPlacing.current?.();
    isPlaced.current = true;
    rows.scrollToIndex(rowOf(index), { align: "start" });
    reader.current.value = index;
  };

  useLayoutEffect(() => {
    const measure = (): void => setMargin(Math.round((box.current?.getBoundingClientRect().top ?? 0) + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    const head = box.current?.parentElement?.querySelector(".reader-head");
    if (head) observer.observe(head);
    return () => observer.disconnect();
  }, [inset]);
  useLayoutEffect(() => {
    if (margin === 0 || isPlaced.current) return;
    if (!start) {
      isPlaced.current = true;
      return;
    }
    rows.scrollToIndex(rowOf(start.index), { align: "start" });
    const landed = (): void => {
      if (start.offset > 0) rows.scrollBy(start.offset);
      isPlaced.current = true;
      reader.current.value = start.index;
    };
    stopPlacing.current = whenStill(() => box.current?.querySelector(`[data-message="${start.index}"]`), landed);
    return stopPlacing.current;
  }, [margin]);
  const items = rows.getVirtualItems();
  const first = indexAt(items[0]?.index ?? 0);
  const last = indexAt(items.at(-1)?.index ?? 0);
  useEffect(() => transcript.need(first - AHEAD, Math.min(last + AHEAD, total - 1)), [first, last, total]);
  useEffect(() => {
    const index = wantsFocus.current;
    if (index === undefined) return;
    const article = box.current?.querySelector<HTMLElement>(`[data-message="${index}"]`);
    if (!article) return;
    article.focus({ preventScroll: true });
    wantsFocus.current = undefined;
  });
  const { unread, follow } = useGrowth(rows, count, atEnd);
  const isFound = reader.finding.value?.hits[reader.finding.value.at]?.index;
  return (
    <>
      <div ref={box} role="feed" aria-label="Messages" class="messages" style={{ height: `${rows.getTotalSize()}px` }}>
        {items.map((item) => {
          const index = indexAt(item.index);
          const message = transcript.message(index);
          return (
            <article
              key={item.key}
              ref={rows.measureElement}
              data-index={item.index}
              data-message={index}
              class={index === isFound ? "row row-found" : "row"}
              style={{ transform: `translateY(${item.start - margin}px)` }}
              aria-posinset={item.index + 1}
              aria-setsize={count}
              aria-label={`Message ${index}`}
              aria-busy={message === undefined}
              tabIndex={-1}
            >
              {message ? drawn(message, source) : <div class="row-empty" />}
            </article>
          );
        })}
      </div>
      {unread > 0 && (
        <button type="button" class="follow primary" onClick={follow}>
          {plural(unread, "new message")} ↓
        </button>
      )}
    </>
  );
}

const views = new WeakMap<Message, VNode>();

/** The same element for the same message: scrolling then compares the rows, not the messages in them. */
function drawn(message: Message, source: string): VNode {
  const known = views.get(message);
  if (known) return known;
  const view = <MessageView message={message} source={source} />;
  views.set(message, view);
  return view;
}

/** Follows the end of a conversation that grows; elsewhere it counts the new messages. */
function useGrowth(rows: Rows, count: number, atEnd: { readonly current: boolean }) {
  const seen = useRef(count);
  const [unread, setUnread] = useState(0);
  useLayoutEffect(() => {
    const added = count - seen.current;
    seen.current = count;
    if (added <= 0) return;
    if (atEnd.current) rows.scrollToIndex(count - 1, { align: "end" });
    else setUnread((n) => n + added);
  }, [count]);
  useEffect(() => {
    const clear = (): void => {
      if (atEnd.current) setUnread(0);
    };
    addEventListener("scroll", clear, { passive: true });
    return () => removeEventListener("scroll", clear);
  }, []);
  const follow = (): void => {
    setUnread(0);
    rows.scrollToIndex(count - 1, { align: "end" });
  };
  return { unread, follow };
}

function rowAtOrAfter(order: readonly number[], index: number): number {
  let low = 0;
  let high = order.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((order[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low);
}

/** Runs when the element has not moved for a few frames. */
function whenStill(find: () => Element | null | undefined, run: () => void): () => void {
  let frame = 0;
  let still = 0;
  let last = Number.NaN;
  let id = 0;
  const look = (): void => {
    const top = find()?.getBoundingClientRect().top ?? Number.NaN;
    still = Math.abs(top - last) < 1 ? still + 1 : 0;
    last = top;
    frame += 1;
    if (still >= SETTLED_FRAMES || frame >= MAX_FRAMES) run();
    else id = requestAnimationFrame(look);
  };
  id = requestAnimationFrame(look);
  return () => cancelAnimationFrame(id);
}

/** Where this entry of the history was left. */
export function leftAt(): Position | undefined {
  return remembered<Position>("message");
}
