/** Starts the page. */
import { render } from "preact";
import { startRouter } from "./router.ts";
import { App } from "./shell/app.tsx";
import { listen } from "./shell/events.ts";
import { startKeys } from "./shell/keys.ts";
import { followIndex } from "./shell/sync.ts";
import { takeToken } from "./token.ts";

takeToken();
startRouter();
startKeys();
followIndex();
void listen();
const root = document.getElementById("app");
if (root) render(<App />, root);
