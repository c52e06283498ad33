/** Finds passages of documents, for answers without a model. */
import { nameOf } from "../../collections/citation.ts";
import type { Dex } from "../../dex.ts";
import { builtInPassageQuery, findPassages } from "../../search/documents.ts";
import type { ChunkHit, DocumentReader, SectionRow } from "../../store/documents.ts";
import type { Passage } from "../passage.ts";
import { joinedIn } from "../question/neighbours.ts";
import { isUnderline } from "../quoting/markup/fences.ts";
import { completed } from "../quoting/parts.ts";
import { solutionOf } from "./solutions.ts";

/**
 * A longer section is not read whole, but only its opening, the best part, and up to MAX_OTHER_PARTS others that reach
 * MIN_PART_SHARE of the best part's score.
 */
const MAX_SECTION_TOKENS = 1500;
const MAX_OTHER_PARTS = 2;
const MIN_PART_SHARE = 0.5;
/**
 * A section with less text of its own, such as the title of a document, is read together with its subsections, up to
 * MAX_OPENED_TOKENS.
 */
const MIN_SECTION_TOKENS = 40;
const MAX_OPENED_TOKENS = 600;

/** A line of a table of contents: an item that only links to a heading of the same document. */
const CONTENTS_LINE = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\*\*)?\[[^\]\n]*\]\(#[^)\n]*\)(?:\*\*)?[ \t]*$/gm;
/** A line that is not a heading. */
const SAYS_SOMETHING = /^(?!\s*#)\s*\S/m;

/** `collections`: names; empty for all visible ones. */
export async function findInDocuments(
  dex: Dex,
  query: string,
  limit: number,
  collections: readonly string[] = [],
): Promise<Passage[]> {
  const library = await dex.library();
  const { reader } = library;
  const ids = library.collections.filter(({ name }) => collections.includes(name)).map(({ id }) => id);
  const filter = ids.length > 0 ? { ...library.filter, collections: ids } : library.filter;
  const joined = joinedIn(query, (term) => (reader.countTerms([term], filter).having.get(term) ?? 0) > 0);
  const typed = [query, ...joined].join(" ");
  const { hits, others } = findPassages(library, builtInPassageQuery(dex, typed), filter, limit);
  return hits.flatMap((hit): Passage[] => {
    const row = reader.document(hit.no);
    const sections = reader.sections(hit.no);
    const stated = sections[hit.section];
    if (!row || !stated) return [];
    const solution = solutionOf(sections, hit.section);
    const isLong = Math.max(stated.tokens, sections[solution ?? 0]?.tokens ?? 0) > MAX_SECTION_TOKENS;
    const at = isLong ? hit.section : (solution ?? hit.section);
    const section = sections[at] ?? stated;
    const { lines, text: whole } =
      stated.tokens > MAX_SECTION_TOKENS
        ? partsOfSection(reader, hit, others)
        : sectionWith(reader, hit.no, sections, at);
    const text = whole.replace(CONTENTS_LINE, "");
    if (text !== whole && !SAYS_SOMETHING.test(text)) return [];
    return [
      {
        collection: nameOf(library, row.collection),
        document: row.path,
        title: row.title,
        section: sectionName(section.path, row.title),
        lines,
        text,
        ...(at === hit.section ? {} : { problem: wholeSection(reader, hit.no, stated).text }),
        score: hit.score,
      },
    ];
  });
}

type Read = Required<Pick<Passage, "lines" | "text">>;

type Lines = Pick<SectionRow, "first_line" | "last_line">;

/** A section. Its subsections are included if it has little text itself or ends by introducing them. */
function sectionWith(reader: DocumentReader, no: number, sections: readonly SectionRow[], at: number): Read {
  const section = sections[at] as SectionRow;
  const own = withoutHeading(wholeSection(reader, no, section), section.path.at(-1) ?? "");
  const isOpened = section.tokens < MIN_SECTION_TOKENS || /[:：][*_]{0,3}\s*$/.test(own.text);
  return isOpened ? wholeSection(reader, no, withSubsections(sections, at)) : own;
}

/** Removes the heading of a web page or a plain text: without a heading mark, it would be read as a sentence. */
function withoutHeading({ lines, text }: Read, heading: string): Read {
  const all = text.split("\n");
  if (heading === "" || all[0]?.trim() !== heading || isUnderline(all, 1)) return { lines, text };
  return { lines, text: ["", ...all.slice(1)].join("\n") };
}

function withSubsections(sections: readonly SectionRow[], at: number): Lines {
  const section = sections[at] as SectionRow;
  let { tokens, last_line } = section;
  for (const { path, tokens: more, last_line: end } of sections.slice(at + 1)) {
    const isBelow = path.length > section.path.length && section.path.every((heading, i) => path[i] === heading);
    tokens += more;
    if (!isBelow || tokens > MAX_OPENED_TOKENS) break;
    last_line = end;
  }
  return { first_line: section.first_line, last_line };
}

function wholeSection(reader: DocumentReader, no: number, { first_line, last_line }: Lines): Read {
  const lines = reader.text(no).split("\n");
  return { lines: [first_line, last_line], text: lines.slice(first_line - 1, last_line).join("\n") };
}

function partsOfSection(reader: DocumentReader, best: ChunkHit, others: readonly ChunkHit[]): Read {
  const found = others
    .filter(
      ({ no, section, score }) => no === best.no && section === best.section && score >= best.score * MIN_PART_SHARE,
    )
    .slice(0, MAX_OTHER_PARTS);
  const opening = reader.chunks(best.no).find(({ section }) => section === best.section) ?? best;
  const parts = new Map([opening, best, ...found].map((part) => [part.chunk, part]));
  const inOrder = [...parts.values()].sort((a, b) => a.chunk - b.chunk);
  const above = reader.text(best.no).split("\n");
  return {
    lines: [inOrder[0]?.first_line ?? best.first_line, inOrder.at(-1)?.last_line ?? best.last_line],
    text: inOrder
      .map(({ chunk, first_line }) =>
        completed(reader.chunkText(best.no, chunk), above.slice(opening.first_line - 1, first_line - 1)),
      )
      .join("\n\n"),
  };
}

/** The path of headings without a first one that repeats the title. Empty before the first heading. */
export function sectionName(headings: readonly string[], title: string): string {
  return (headings[0] === title ? headings.slice(1) : headings).join(" > ");
}
