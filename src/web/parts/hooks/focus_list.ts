/**
 * A list of real links through which the focus moves: one of them is in the tab order, `j`/`k` and the arrow keys go to its
 * neighbours, and Enter follows it as any link.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { remember, remembered } from "../../router.ts";
import { type KeyBinding, useKeys } from "../../shell/keys.ts";

export interface FocusList {
  /** The row whose link is in the tab order. */
  current: number;
  /** Attributes for the link of a row. */
  linkProps(at: number): { "data-row": number; tabIndex: number; onFocus(): void };
  move(to: number): void;
}

/**
 * `name` identifies the list within the view, and `count` is the number of its rows. Returning to an entry of the history
 * returns to the row.
 */
export function useFocusList(name: string, count: number, title = "List"): FocusList {
  const [current, setCurrent] = useState(() => remembered<number>(`row-${name}`) ?? 0);
  // A reader who comes back finds the focus on the same row.
  const wanted = useRef<number | undefined>(remembered<number>(`row-${name}`));
  const isBack = useRef(wanted.current !== undefined);
  const row = Math.min(current, Math.max(0, count - 1));
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = document.querySelector<HTMLElement>(`[data-list="${name}"] [data-row="${wanted.current}"]`);
    if (!link) return;
    link.focus({ preventScroll: isBack.current });
    if (!isBack.current) link.scrollIntoView({ block: "nearest" });
    isBack.current = false;
    wanted.current = undefined;
  });
  const move = (to: number): void => {
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, to));
    wanted.current = next;
    remember(`row-${name}`, next);
    setCurrent(next);
    // Without a change of state nothing is drawn, but the focus may be elsewhere.
    document.querySelector<HTMLElement>(`[data-list="${name}"] [data-row="${next}"]`)?.focus();
  };
  const hasFocus = (): boolean => document.activeElement?.closest(`[data-list="${name}"]`) != null;
  const step = (by: number): void => move(hasFocus() ? row + by : row);
  const bindings: KeyBinding[] = [
    { keys: "j", does: "Next", run: () => step(1) },
    { keys: "k", does: "Previous", run: () => step(-1) },
    { keys: "ArrowDown", does: "Next", run: () => step(1) },
    { keys: "ArrowUp", does: "Previous", run: () => step(-1) },
  ];
  useKeys(title, bindings);
  return {
    current: row,
    linkProps: (at) => ({
      "data-row": at,
      tabIndex: at === row ? 0 : -1,
      onFocus: () => {
        remember(`row-${name}`, at);
        if (at !== current) setCurrent(at);
      },
    }),
    move,
  };
}
