/** The budget lens, loaded when the first message is picked. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { say } from "../../shell/say.ts";
import { useReader } from "./reader_state.ts";

export function Picked() {
  const [Lens, setLens] = useState<ComponentType>();
  const isPicking = useReader().isPicking.value;
  useEffect(() => {
    if (!isPicking || Lens) return;
    import("./lens.tsx").then(
      (loaded) => setLens(() => loaded.Lens),
      () => say("The page could not load this part of it."),
    );
  }, [isPicking]);
  return isPicking && Lens ? <Lens /> : null;
}
