/** Splits a Markdown page into code blocks and prose, each with its line. */

/** A problem with a page, shown as `path:line: text`. */
export interface Problem {
  path: string;
  line: number;
  text: string;
}

export interface Page {
  path: string;
  text: string;
}

export interface CodeBlock {
  language: string;
  text: string;
  /** The line of its first line of code. */
  line: number;
}

interface Split {
  blocks: CodeBlock[];
  /** The lines of the page; those of code blocks are empty. */
  prose: string[];
}

export function splitPage(text: string): Split {
  const blocks: CodeBlock[] = [];
  const prose: string[] = [];
  let open: { block: CodeBlock; lines: string[]; fence: string } | undefined;
  for (const [i, line] of text.split("\n").entries()) {
    const fence = /^\s*(```+)\s*(\S*)/.exec(line);
    if (open && line.trim() === open.fence) {
      open.block.text = open.lines.join("\n");
      blocks.push(open.block);
      open = undefined;
    } else if (open) {
      open.lines.push(line);
    } else if (fence) {
      open = { block: { language: fence[2] ?? "", text: "", line: i + 2 }, lines: [], fence: fence[1] ?? "" };
    } else {
      prose.push(line);
      continue;
    }
    prose.push("");
  }
  return { blocks, prose };
}

/** The anchors of a page's headings, as GitHub generates them. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const line of splitPage(text).prose) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    anchors.add(before === 0 ? slug : `${slug}-${before}`);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}
