/** Recognises the furniture of a page: navigation, search, buttons, permalink signs beside headings and code, hidden text. */

export type Attributes = Record<string, string>;
export type MainTag = "main" | "article" | undefined;

const DROPPED = new Set(
  "script style noscript template svg math nav footer iframe object canvas audio video select textarea button dialog input".split(
    " ",
  ),
);
/** Permalink signs next to headings, line numbers next to code, copy buttons, menus, links to the pages before and after. */
const NOISE =
  /(?:^|[\s_-])(?:nav-?(?:header|footer|bar|panel)|bread-?crumbs?|headerlink|header-anchor|anchor-?link|hash-?link|permalink|heading-anchor|linenos?|gutter|sr-only|visually-hidden|copy-?(?:button|btn)|skip-?(?:link|to-?(?:main-?)?content)|dropdown-(?:menu|content)|sphinxsidebar|side-?nav|sidebar-?(?:wrapper|nav|menu|container|scrollbox))(?:$|[\s_-])/i;
const NOISE_CLASS = /(?:^|\s)(?:test-arrow|src-?link|listing_lines|method-click-advice)(?:$|\s)/;
/** Parts of pages that doxygen and javadoc make. */
const NOISE_ID =
  /^(?:nav-path|titlearea|main-nav|main-menu|side-nav|nav-tree|MSearch\w*|toggle-all-docs|render-detail)$/;
const ROLES = new Set(["navigation", "search", "tablist", "tooltip", "menu"]);
/** A line of its own. */
const FURNITURE =
  /^(?:skip to (?:the )?(?:main )?(?:content|navigation|search)|expand description|edit (?:this page|on github)|on this page|(?:back to )?top|logo|\[ ?(?:<<?|>>?|up|top|contents|index|\?) ?\])[.!]?$/i;
/** Links to other pages, as Texinfo writes them. */
const TEXINFO_LINKS = /^(?:Next|Previous|Prev|Up|Top): .{1,500}(?:\[Contents\]|\b(?:Next|Previous|Up): )/;
/** `[ << ] | [ Up ] | [Contents]` */
const LINK_CELL = /^(?:\[[^\]]{1,20}\])?$/;
const MIN_LINK_CELLS = 3;

export function isMain(name: string, attributes: Attributes, main: "main" | "article"): boolean {
  return name === main || (main === "main" && attributes.role === "main");
}

export function isDropped(name: string, attributes: Attributes, inMain: boolean): boolean {
  if (DROPPED.has(name) || name === "head") return true;
  // Outside the main content it is a side bar; inside it a note.
  if (name === "aside" && !inMain) return true;
  if ((attributes.style !== undefined || attributes.hidden !== undefined) && isHidden(name, attributes)) return true;
  if (attributes.role !== undefined && ROLES.has(attributes.role)) return true;
  if (attributes.id !== undefined && NOISE_ID.test(attributes.id)) return true;
  return attributes.class !== undefined && isNoise(attributes.class);
}

/** `opacity: 0` and `font-size: 0px`, but not `font-size: 0.9em`; positions far outside the page. */
const HIDDEN_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?:\.0+)?(?:[a-z]{2,3}|%)?\s*(?:[;!]|$)|(?:left|top|text-indent)\s*:\s*-\d{4,})/i;
const TEXT_ELEMENTS = new Set("p span a b i u em strong small big font label li mark q cite".split(" "));
const MAX_STYLE_CHARS = 500;

/**
 * Text that no reader sees. A script may show a hidden part of a page later (a tab, a page that fades in), but it needs a
 * handle for that.
 */
function isHidden(name: string, { hidden, style = "", ...others }: Attributes): boolean {
  const isOff = hidden !== undefined || HIDDEN_STYLE.test(style.slice(0, MAX_STYLE_CHARS));
  if (!isOff || name === "html" || name === "body" || name === "main" || name === "article") return false;
  return TEXT_ELEMENTS.has(name) ? others.role !== "tabpanel" : Object.keys(others).length === 0;
}

/** Pages repeat few classes. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 2000;
const MAX_CLASS_CHARS = 500;

function isNoise(names: string): boolean {
  if (names.length > MAX_CLASS_CHARS) return false;
  const known = judged.get(names);
  if (known !== undefined) return known;
  const noise = NOISE.test(names) || NOISE_CLASS.test(names);
  if (judged.size >= MAX_JUDGED) judged.clear();
  judged.set(names, noise);
  return noise;
}

const MAX_FURNITURE_CHARS = 600;

export function isFurniture(text: string): boolean {
  if (text.length > MAX_FURNITURE_CHARS) return false;
  return FURNITURE.test(text) || TEXINFO_LINKS.test(text);
}

export function isLinkRow(cells: readonly string[]): boolean {
  return cells.filter((cell) => cell !== "").length >= MIN_LINK_CELLS && cells.every((cell) => LINK_CELL.test(cell));
}
