/** robots.txt (RFC 9309): rules of a site for crawlers. */

export interface Robots {
  allows(path: string): boolean;
  /** Seconds between requests, if the site states them. */
  delay: number;
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
  delay: number;
}

const MAX_RULES = 2000;
const MAX_DELAY_SECONDS = 10;

export const ALLOWS_ALL: Robots = { allows: () => true, delay: 0, sitemaps: [] };
export const FORBIDS_ALL: Robots = { allows: () => false, delay: 0, sitemaps: [] };

export function parseRobots(text: string, agent = "dex"): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let open: Group | undefined;
  let naming = false;
  for (const line of text.slice(0, 512_000).split(/\r\n|\r|\n/)) {
    const [, key = "", rest = ""] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const value = rest.trim();
    const name = key.toLowerCase();
    if (name === "sitemap" && sitemaps.length < 20) sitemaps.push(value);
    if (name === "user-agent") {
      if (!naming || !open) {
        open = { agents: [], rules: [], delay: 0 };
        groups.push(open);
      }
      naming = true;
      open.agents.push(value.toLowerCase());
      continue;
    }
    if (!open || !["allow", "disallow", "crawl-delay"].includes(name)) continue;
    naming = false;
    if (name === "crawl-delay") open.delay = Math.min(MAX_DELAY_SECONDS, Math.max(0, Number(value) || 0));
    else if (value !== "" && open.rules.length < MAX_RULES)
      open.rules.push({ allow: name === "allow", pattern: value });
  }
  const own = groups.filter(({ agents }) => agents.includes(agent));
  const meant = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = meant.flatMap((group) => group.rules);
  return {
    allows: (path) => decide(rules, path),
    delay: Math.max(0, ...meant.map(({ delay }) => delay)),
    sitemaps,
  };
}

/** The longest matching pattern decides; on a tie, the one that allows. */
function decide(rules: readonly Rule[], path: string): boolean {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (!fits(rule.pattern, path)) continue;
    const longer = rule.pattern.length - (best?.pattern.length ?? -1);
    if (longer > 0 || (longer === 0 && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

/** `*` matches any run of characters, a final `$` the end. Not a regular expression: a foreign pattern could be slow. */
export function fits(pattern: string, path: string): boolean {
  const ends = pattern.endsWith("$");
  const [first = "", ...rest] = (ends ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of rest.entries()) {
    if (ends && i === rest.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !ends || rest.length > 0 || at === path.length;
}
