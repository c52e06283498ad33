/**
 * Every state of the page is an address. A place is the address as the views read it; links are ordinary links, which this
 * file follows without loading the page again. Per history entry, the page remembers where it was scrolled to.
 */
import { signal } from "@preact/signals";

export interface Place {
  path: string;
  query: URLSearchParams;
  /** Identifies the entry of the history. */
  entry: string;
}

const MEMORY = "dex-entries";
const MAX_ENTRIES = 200;

/** Views keep a few values for each entry of the history: the scroll offset, the message at the top. */
const memory = new Map<string, unknown>(readMemory());

export const place = signal<Place>(readPlace());

function readPlace(): Place {
  const state = history.state as { entry?: string } | null;
  const entry = state?.entry ?? newEntry();
  if (!state?.entry) history.replaceState({ entry }, "");
  return { path: location.pathname, query: new URLSearchParams(location.search), entry };
}

function newEntry(): string {
  return Math.random().toString(36).slice(2, 10);
}

function readMemory(): [string, unknown][] {
  try {
    return JSON.parse(sessionStorage.getItem(MEMORY) ?? "[]") as [string, unknown][];
  } catch {
    return [];
  }
}

export interface NavigateOptions {
  /** The address changes, and "back" leads to where it led before. */
  replace?: boolean;
}

/** Goes to an address of the page. */
export function navigate(href: string, { replace = false }: NavigateOptions = {}): void {
  const url = new URL(href, location.href);
  if (url.href === location.href) return;
  const entry = replace ? place.value.entry : newEntry();
  history[replace ? "replaceState" : "pushState"]({ entry }, "", url.pathname + url.search);
  place.value = readPlace();
}

/** Changes some parameters of the query; an empty value removes one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, options: NavigateOptions = {}): void {
  navigate(hrefWith(changes), options);
}

/** The address of this view with some parameters changed. */
export function hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return location.pathname + (text === "" ? "" : `?${text}`);
}

/** A parameter of the query; empty when it is absent. */
export function param(name: string): string {
  return place.value.query.get(name) ?? "";
}

/** Changes the address without telling any view: the reader does so while it is scrolled. */
export function rewriteAddress(path: string): void {
  if (location.pathname !== path) history.replaceState(history.state, "", path + location.search);
}

export function remember(name: string, value: unknown): void {
  const key = `${place.peek().entry}/${name}`;
  memory.delete(key);
  memory.set(key, value);
}

export function remembered<T>(name: string): T | undefined {
  return memory.get(`${place.peek().entry}/${name}`) as T | undefined;
}

/** Follows links inside the page, except those that are to open elsewhere. */
function followLinks(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return;
  }
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.href);
}

/** Starts to follow links and the history. */
export function startRouter(): void {
  history.scrollRestoration = "manual";
  document.addEventListener("click", followLinks);
  addEventListener("popstate", () => {
    place.value = readPlace();
  });
  addEventListener("scroll", () => remember("y", scrollY), { passive: true });
  addEventListener("pagehide", () => {
    sessionStorage.setItem(MEMORY, JSON.stringify([...memory].slice(-MAX_ENTRIES)));
  });
}
