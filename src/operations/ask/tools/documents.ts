/**
 * The verbs about documentation and conversations that a model may call while it answers a question. They only read, and
 * only within the scope of the caller. Each returns passages, which can be cited, and text, which cannot.
 */
import { sectionName } from "../../../ask/finding/documents.ts";
import type { AskTool } from "../../../ask/model/tools.ts";
import type { Passage } from "../../../ask/passage.ts";
import type { Dex } from "../../../dex.ts";
import type { PassageResult } from "../../../search/results/passage_schema.ts";
import { read } from "../../conversations/read.ts";
import { search } from "../../conversations/search.ts";
import { show } from "../../conversations/show.ts";
import { timeline } from "../../conversations/timeline.ts";
import { docsList } from "../../docs/collections/list.ts";
import { docsDocuments } from "../../docs/documents.ts";
import { docsOutline } from "../../docs/outline.ts";
import { docsRelated } from "../../docs/related.ts";
import { docsSearch } from "../../docs/search.ts";
import { docsSearchBatch } from "../../docs/search_batch.ts";
import { docsSection } from "../../docs/section.ts";
import { docsShow } from "../../docs/show.ts";
import { MAX_RESULT_TOKENS, tool } from "./tool.ts";

export function documentTools(dex: Dex): AskTool[] {
  const searchShape = { fixed: { full: true, max_tokens: MAX_RESULT_TOKENS } };
  return [
    tool(
      dex,
      docsSearch,
      ({ results, note }) => ({ passages: results.map(fromResult), text: note ?? "" }),
      searchShape,
    ),
    tool(dex, docsSearchBatch, ({ results }) => ({ passages: results.map(fromResult), text: "" }), searchShape),
    tool(dex, docsSection, (output) => ({
      passages: [{ ...placeOf(output), section: sectionName(output.headings, output.title), text: output.text }],
      text: output.truncated ? `It continues at line ${output.truncated.next_line}.` : "",
    })),
    tool(dex, docsShow, (output) => ({
      passages: [{ ...placeOf(output), text: output.text }],
      text: output.truncated ? `It continues at line ${output.truncated.next_line}.` : "",
    })),
    tool(dex, docsOutline, ({ sections, document, title }) => ({
      passages: [],
      text: [`${document}: ${title}`, ...sections.map(({ section, tokens }) => `${section} (${tokens} tokens)`)].join(
        "\n",
      ),
    })),
    tool(dex, docsRelated, ({ results }) => ({ passages: results.map(fromResult), text: "" }), searchShape),
    tool(dex, docsDocuments, ({ documents }) => ({
      passages: [],
      text: documents.map(({ collection, document, title }) => `${collection}: ${document}: ${title}`).join("\n"),
    })),
    tool(dex, docsList, ({ collections }) => ({
      passages: [],
      text: collections.map(({ name, documents }) => `${name}: ${documents} documents`).join("\n"),
    })),
  ];
}

export function conversationTools(dex: Dex): AskTool[] {
  return [
    tool(
      dex,
      search,
      ({ results }) => ({
        passages: results.map(({ id, source, title, message_index, snippet, score_final }) => ({
          ...messagePlace(source, id, message_index),
          title,
          text: snippet,
          score: score_final,
        })),
        text: "",
      }),
      { fixed: { in: "conversations" } },
    ),
    tool(dex, timeline, ({ messages }) => ({
      passages: [],
      text: messages.map(({ index, role, head }) => `#${index} ${role}: ${head}`).join("\n"),
    })),
    tool(dex, read, ({ id, source, title, messages }) => ({
      passages: messages.map(({ index, content }) => ({ ...messagePlace(source, id, index), title, text: content })),
      text: "",
    })),
    tool(dex, show, ({ conversations }) => ({
      passages: conversations.flatMap(({ id, source, title, messages }) =>
        messages.map(({ index, content }) => ({ ...messagePlace(source, id, index), title, text: content })),
      ),
      text: "",
    })),
  ];
}

export function messagePlace(
  source: string,
  id: string,
  index: number,
): Pick<Passage, "collection" | "document" | "section"> {
  return { collection: "conversations", document: `${source}:${id}`, section: `#${index}` };
}

function fromResult(result: PassageResult): Passage {
  const { title, headings, snippet, score_final } = result;
  return { ...placeOf(result), section: sectionName(headings, title), text: snippet, score: score_final };
}

function placeOf(found: {
  collection: string;
  document: string;
  title: string;
  first_line: number;
  last_line: number;
}): Omit<Passage, "text"> {
  const { collection, document, title, first_line, last_line } = found;
  return { collection, document, title, lines: [first_line, last_line] };
}
