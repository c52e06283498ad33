/** The page around the views. */
import { useEffect, useState } from "preact/hooks";
import { connection } from "../api.ts";
import { navigate } from "../router.ts";
import { ROUTES, routeHref } from "../routes.ts";
import { type KeyBinding, useKeys } from "./keys.ts";
import { Navigation } from "./navigation.tsx";
import { Outlet } from "./outlet.tsx";
import { Status } from "./status.tsx";
import { nextTheme } from "./theme.ts";

/** `/` goes to the search field; on another view it opens the search. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-search]");
  if (field) field.select();
  else navigate("/");
}

type Dialogs = typeof import("./dialogs.tsx");

export function App() {
  const [keysShown, setKeysShown] = useState(false);
  const [dialogs, setDialogs] = useState<Dialogs>();
  const state = connection.value;
  const [isHidden, setHidden] = useState(false);
  // Before they are needed: without the server they could not be loaded. The status line says the most important, too.
  useEffect(() => void import("./dialogs.tsx").then(setDialogs, () => undefined), []);
  useEffect(() => {
    if (state === "up") setHidden(false);
  }, [state]);
  useKeys("Everywhere", [
    { keys: "/", does: "Search", run: focusSearch },
    { keys: "mod+k", does: "Search, also while typing", run: focusSearch, whileTyping: true },
    { keys: "?", does: "These keys", run: () => setKeysShown(true) },
    { keys: "t", does: "Next theme", run: nextTheme },
    ...ROUTES.flatMap((route): KeyBinding[] =>
      route.nav
        ? [
            {
              keys: `g ${route.nav.key}`,
              does: route.title,
              run: () => navigate(routeHref(route)),
            },
          ]
        : [],
    ),
  ]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation showKeys={() => setKeysShown(true)} />
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Status />
      {dialogs && state === "denied" && !isHidden && <dialogs.Denied close={() => setHidden(true)} />}
      {dialogs && keysShown && <dialogs.KeySheet close={() => setKeysShown(false)} />}
    </>
  );
}
