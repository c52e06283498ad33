/** The accessibility checks of axe on a page of a real browser. */
import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

interface Axe {
  run(context: Document, options: object): Promise<{ violations: Violation[] }>;
}

/** `only`: the rules to check; all of them if it is empty. */
export async function violations(page: Page, only: readonly string[] = []): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (rules) => {
    const options = rules.length === 0 ? {} : { runOnly: { type: "rule", values: rules } };
    return (await (window as unknown as { axe: Axe }).axe.run(document, options)).violations;
  }, only);
  return found.map(({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html} ${nodes[0]?.failureSummary ?? ""}`);
}
