/** Content wider than the page scrolls by itself. A region that scrolls must take the focus, or no key could scroll it. */
import type { ComponentChildren } from "preact";

export function ScrollRegion({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="scroll-x" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
