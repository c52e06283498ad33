/**
 * The views. Each is a folder under `views`, loaded when it is first opened: `view.tsx` exports `View`, and `sheet` if it
 * has a style sheet of its own.
 */
import type { ComponentType } from "preact";
import { chosenPeriod } from "./parts/period.ts";

export interface ViewProps {
  /** The parts of the path that the pattern names. The query is in `place` of the router. */
  params: Readonly<Record<string, string>>;
}

export interface ViewModule {
  View: ComponentType<ViewProps>;
  sheet?: string;
}

export interface Route {
  name: string;
  path: string;
  /** The title of the tab, until the view sets a better one. */
  title: string;
  /** In the navigation: its group, and the key after `g` that opens it. Without it the view is reached from others. */
  nav?: { group: "Read" | "Project" | "dex"; key: string };
  /** The view can be limited to the days that a person chose. */
  hasPeriod?: boolean;
  /** The view scrolls by itself when it is opened. */
  ownScroll?: boolean;
  load(): Promise<ViewModule>;
}

export const ROUTES: readonly Route[] = [
  {
    name: "search",
    path: "/",
    title: "Search",
    nav: { group: "Read", key: "s" },
    hasPeriod: true,
    load: () => import("./views/search/view.tsx"),
  },
  {
    name: "conversations",
    path: "/conversations",
    title: "Conversations",
    nav: { group: "Read", key: "c" },
    hasPeriod: true,
    load: () => import("./views/conversations/view.tsx"),
  },
  {
    name: "reader",
    path: "/c/:id/:index?",
    title: "Conversation",
    ownScroll: true,
    load: () => import("./views/reader/view.tsx"),
  },
  {
    name: "activity",
    path: "/activity",
    title: "Activity",
    nav: { group: "Read", key: "a" },
    hasPeriod: true,
    load: () => import("./views/activity/view.tsx"),
  },
  {
    name: "docs",
    path: "/docs",
    title: "Documents",
    nav: { group: "Read", key: "o" },
    load: () => import("./views/docs/view.tsx"),
  },
  {
    name: "timeline",
    path: "/timeline",
    title: "Timeline",
    nav: { group: "Project", key: "t" },
    hasPeriod: true,
    load: () => import("./views/timeline/view.tsx"),
  },
  {
    name: "code",
    path: "/code/:path*",
    title: "Code",
    nav: { group: "Project", key: "f" },
    load: () => import("./views/code/view.tsx"),
  },
  {
    name: "decisions",
    path: "/decisions",
    title: "Decisions",
    nav: { group: "Project", key: "d" },
    hasPeriod: true,
    load: () => import("./views/decisions/view.tsx"),
  },
  {
    name: "memory",
    path: "/memory",
    title: "Memory",
    nav: { group: "Project", key: "m" },
    load: () => import("./views/memory/view.tsx"),
  },
  {
    name: "suggestions",
    path: "/suggestions",
    title: "Suggestions",
    nav: { group: "dex", key: "u" },
    load: () => import("./views/suggestions/view.tsx"),
  },
  {
    name: "traces",
    path: "/traces/:id?",
    title: "Traces",
    nav: { group: "dex", key: "r" },
    hasPeriod: true,
    load: () => import("./views/traces/view.tsx"),
  },
  {
    name: "settings",
    path: "/settings",
    title: "Settings",
    nav: { group: "dex", key: "e" },
    load: () => import("./views/settings/view.tsx"),
  },
  {
    name: "doctor",
    path: "/doctor",
    title: "Health",
    nav: { group: "dex", key: "h" },
    load: () => import("./views/doctor/view.tsx"),
  },
];

/** The address of a view from the navigation: without its parameters, with the chosen days. */
export function routeHref({ path, hasPeriod }: Route): string {
  const bare = path.replace(/\/:.*$/, "") || "/";
  const query = hasPeriod ? new URLSearchParams({ ...chosenPeriod() }).toString() : "";
  return query === "" ? bare : `${bare}?${query}`;
}
