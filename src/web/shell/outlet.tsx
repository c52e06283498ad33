/** Shows the view of the current place: loads it when it is first opened, and returns to the offset it was left at. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { connection } from "../api.ts";
import { Loading, Problem } from "../parts/states.tsx";
import { matchRoute } from "../route_match.ts";
import { place, remembered } from "../router.ts";
import { ROUTES, type Route, type ViewModule } from "../routes.ts";

const NOT_LOADED = "The page could not load this view.";
const loaded = new Map<string, ViewModule>();
/** How long the page waits for content that reaches down to the remembered offset. */
const RESTORE_MS = 3000;

async function load(route: Route): Promise<ViewModule> {
  const module = await route.load();
  if (module.sheet) await linkSheet(module.sheet);
  loaded.set(route.name, module);
  return module;
}

function linkSheet(href: string): Promise<void> {
  if (document.querySelector(`link[href="${CSS.escape(href)}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    // A view without its style sheet is ugly, but works.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

export function Outlet() {
  const { path, entry } = place.value;
  const match = matchRoute(ROUTES, path);
  const [, shown] = useState(0);
  const [failed, setFailed] = useState<string>();
  const state = connection.value;
  const name = match?.route.name ?? "";
  const module = loaded.get(name);
  const isFailed = !module && failed === name;
  useEffect(() => {
    document.title = match ? `${match.route.title} · dex` : "Not found · dex";
    if (!match || loaded.has(name)) return;
    load(match.route).then(
      () => shown((n) => n + 1),
      () => setFailed(name),
    );
  }, [name]);
  // Browsers may remember that a file could not be loaded, so the page starts again when the server answers.
  useEffect(() => {
    if (state === "up" && isFailed) location.reload();
  }, [state]);
  useLayoutEffect(() => {
    if (module && !match?.route.ownScroll) return restoreScroll();
  }, [entry, name, module]);
  useFocusOnView(name === "" ? path : `${name} ${match?.params.id ?? match?.params.path ?? ""}`, module !== undefined);
  if (!match) return <NotFound />;
  if (isFailed) return <Problem error={NOT_LOADED} retry={() => location.reload()} />;
  if (!module) {
    return (
      <div class="page loading-view">
        <Loading />
      </div>
    );
  }
  return <module.View key={name} params={match.params} />;
}

/**
 * Another view has the focus as another page would: otherwise it stays on a link that led here, or is nowhere because that
 * link is gone. A view may give it to a field or a row of its own.
 */
function useFocusOnView(view: string, isShown: boolean): void {
  const focused = useRef(view);
  useEffect(() => {
    if (!isShown || focused.current === view) return;
    focused.current = view;
    const main = document.querySelector("main");
    const { activeElement } = document;
    if (activeElement === main || !main?.contains(activeElement)) main?.focus({ preventScroll: true });
  }, [view, isShown]);
}

function NotFound() {
  return (
    <div class="page">
      <h1>There is nothing at this address</h1>
      <p>
        <a href="/">Search</a> finds conversations, documents and code.
      </p>
    </div>
  );
}

/** Scrolls to the remembered offset as soon as the view is tall enough, unless the user scrolls first. */
function restoreScroll(): () => void {
  const y = remembered<number>("y") ?? 0;
  scrollTo(0, y);
  if (Math.abs(scrollY - y) < 1) return () => undefined;
  const stop = (): void => {
    observer.disconnect();
    clearTimeout(timer);
    for (const type of ["wheel", "touchstart", "keydown"]) removeEventListener(type, stop);
  };
  const observer = new ResizeObserver(() => {
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 1) stop();
  });
  observer.observe(document.body);
  const timer = setTimeout(stop, RESTORE_MS);
  for (const type of ["wheel", "touchstart", "keydown"]) addEventListener(type, stop, { passive: true });
  return stop;
}
