/** Creates the deliverer, which reads the allowed hosts from the settings at the time of each send. */
import { loadSettings } from "../../config/settings.ts";
import type { Dex } from "../../dex.ts";
import { Deliverer } from "./deliverer.ts";

export function delivererOf(
  { paths, vars, now }: Pick<Dex, "paths" | "vars" | "now">,
  report?: (error: unknown) => void,
): Deliverer {
  return new Deliverer({
    path: paths.state,
    now,
    allowHosts: async () => (await loadSettings(paths.config, vars)).webhooks.allowHosts,
    ...(report ? { report } : {}),
  });
}
