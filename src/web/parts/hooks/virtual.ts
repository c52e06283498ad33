/** TanStack's virtual core for preact: only the rows near the visible ones are in the page. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  type VirtualizerOptions,
  windowScroll,
} from "@tanstack/virtual-core";
import { options as preact } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

type Given<S extends Element | Window> = Partial<VirtualizerOptions<S, HTMLElement>> &
  Pick<VirtualizerOptions<S, HTMLElement>, "count" | "estimateSize">;

/** Draws at once, so that rows and the scroll offset change in the same frame. */
export function drawNow(run: () => void): void {
  const before = preact.debounceRendering;
  preact.debounceRendering = (draw) => draw();
  try {
    run();
  } finally {
    if (before) preact.debounceRendering = before;
    else delete preact.debounceRendering;
  }
}

function useVirtualizer<S extends Element | Window>(
  given: VirtualizerOptions<S, HTMLElement>,
): Virtualizer<S, HTMLElement> {
  const [, redraw] = useState(0);
  const options: VirtualizerOptions<S, HTMLElement> = {
    ...given,
    onChange: (instance, sync) => {
      if (sync) drawNow(() => redraw((n) => n + 1));
      else redraw((n) => n + 1);
      given.onChange?.(instance, sync);
    },
  };
  const [virtual] = useState(() => new Virtualizer<S, HTMLElement>(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  return virtual;
}

/** Rows of a list that scrolls with the page. */
export function useWindowRows(given: Given<Window>): Virtualizer<Window, HTMLElement> {
  return useVirtualizer<Window>({
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    getScrollElement: () => window,
    initialOffset: () => scrollY,
    initialRect: { width: innerWidth, height: innerHeight },
    ...given,
  });
}

/** Rows of a list in an element that scrolls by itself. */
export function useElementRows(
  element: { readonly current: HTMLElement | null },
  given: Given<HTMLElement>,
): Virtualizer<HTMLElement, HTMLElement> {
  return useVirtualizer<HTMLElement>({
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    getScrollElement: () => element.current,
    ...given,
  });
}
