/** The navigation: a column on wide screens, a drawer on narrow ones. */
import { useEffect, useRef, useState } from "preact/hooks";
import { place } from "../router.ts";
import { ROUTES, type Route, routeHref } from "../routes.ts";
import { useKeys } from "./keys.ts";
import { nextTheme, theme } from "./theme.ts";

const GROUPS = ["Read", "Project", "dex"] as const;
const THEMES = { system: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" } as const;

function isCurrent(route: Route): boolean {
  const { path } = place.value;
  const start = route.path.replace(/\/:.*$/, "");
  if (route.path === "/") return path === "/";
  return path === start || path.startsWith(`${start}/`) || (start === "/conversations" && path.startsWith("/c/"));
}

export function Navigation({ showKeys }: { showKeys(): void }) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  const { path } = place.value;
  useEffect(() => setOpen(false), [path]);
  const close = (): void => {
    setOpen(false);
    menu.current?.focus();
  };
  useKeys("Menu", open ? [{ keys: "Escape", does: "Close the menu", whileTyping: true, run: close }] : []);
  return (
    <header class={`nav ${open ? "nav-open" : ""}`}>
      <div class="nav-head">
        <a class="wordmark" href="/" aria-label="dex: search">
          dex
        </a>
        <button
          ref={menu}
          type="button"
          class="plain menu"
          aria-expanded={open}
          aria-controls="nav-views"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
      </div>
      <nav id="nav-views" aria-label="Views">
        {GROUPS.map((group) => {
          const routes = ROUTES.filter(({ nav }) => nav?.group === group);
          return (
            routes.length > 0 && (
              <ul key={group}>
                {routes.map((route) => (
                  <li key={route.name}>
                    <a href={routeHref(route)} aria-current={isCurrent(route) ? "page" : undefined}>
                      {route.title}
                    </a>
                  </li>
                ))}
              </ul>
            )
          );
        })}
        <div class="nav-foot">
          <button type="button" class="plain" onClick={nextTheme}>
            {THEMES[theme.value]}
          </button>
          <button type="button" class="plain" onClick={showKeys}>
            Keys <kbd>?</kbd>
          </button>
        </div>
      </nav>
    </header>
  );
}
