/** Renders the results of a search, how many there are, and why they rank as they do. */
import type * as z from "zod";
import { agentName } from "../../integrations/registry.ts";
import { distinctNames, lastName } from "../../kernel/files/paths.ts";
import { formatCount, plural } from "../../kernel/text.ts";
import type { search } from "../../operations/conversations/search.ts";
import { matchesIn } from "../../search/results/snippet.ts";
import { cleanText } from "../../text/clean.ts";
import { emptyPage, paint, type Terminal, tokens, when } from "../terminal/terminal.ts";
import { fit, textWidth, wrap } from "../terminal/width.ts";
import { evidenceText } from "./evidence.ts";
import { ownerInWords } from "./origin.ts";
import { parentInWords } from "./parents.ts";
import { tooSmall } from "./past_work.ts";
import { teamNoteLines } from "./team_notes.ts";

type Found = z.output<typeof search.output>;

export function renderSearch(output: Found, terminal: Terminal): string {
  const saved = teamNoteLines(output.team_notes, terminal).join("\n");
  const meant = output.did_you_mean === undefined ? "" : `Did you mean: ${output.did_you_mean.join(", ")}?`;
  if (output.results.length === 0) {
    const nothing = output.note ? `Nothing found. ${output.note}` : "Nothing found.";
    if (saved !== "") return saved;
    if (output.left_out !== undefined) return tooSmall(plural(output.left_out, "result"));
    if (output.total > 0) return emptyPage(output.total);
    return meant === "" ? nothing : `${nothing} ${meant}`;
  }
  const notes = [output.note ?? "", meant].filter(Boolean).join(" ");
  const note = notes === "" ? "" : `${paint(terminal, "yellow", notes)}\n\n`;
  const blocks = output.results.map((hit) => {
    const address = hit.kind !== "conversation" ? cleanText(hit.id) : `${hit.address ?? hit.id}#${hit.message_index}`;
    const about = [
      hit.definition ?? "",
      hit.kind !== "conversation" ? `lines ${hit.first_line}-${hit.last_line}` : agentName(hit.source),
      when(terminal, hit.date),
      // Before what a narrow terminal may cut off.
      ownerInWords(hit),
      tokens(hit.estimated_tokens),
      hit.changed_since
        ? `${hit.changed_since.files} of ${plural(hit.changed_since.of, "edited file")} changed since`
        : "",
      terminal.compact || terminal.width >= WIDE_COLUMNS ? hit.project : lastName(hit.project ?? ""),
      hit.parent === undefined ? "" : parentInWords(hit.parent, hit.parent_kind),
      hit.children === undefined ? "" : plural(hit.children, "related conversation"),
    ].filter(Boolean);
    const snippet = cleanText(hit.snippet);
    return [
      paint(terminal, "bold", fit(cleanText(hit.title), terminal.width)),
      ...aboutLines(address, cleanText(about.join(" · ")), terminal),
      highlighted(terminal.compact ? `  ${snippet}` : wrap(snippet, terminal.width, "  "), output.words, terminal),
      ...(hit.explain ? explainLines(hit.explain, hit, terminal) : []),
    ].join("\n");
  });
  const below = saved === "" ? "" : `${saved}\n\n`;
  return `${note}${blocks.join("\n\n")}\n\n${below}${found(output, terminal)}${facetLines(output, terminal)}`;
}

/** The address and its details, on one line if both fit. */
function aboutLines(address: string, about: string, terminal: Terminal): string[] {
  const room = terminal.width - textWidth(address) - 4;
  const painted = paint(terminal, "cyan", fit(address, terminal.width - 2));
  if (room >= MIN_DETAIL_COLUMNS) return [`  ${painted}  ${paint(terminal, "dim", fit(about, room))}`];
  return [`  ${painted}`, `  ${paint(terminal, "dim", fit(about, terminal.width - 2))}`];
}

const MIN_DETAIL_COLUMNS = 20;
/** Terminals at least this wide show a project's whole path. */
const WIDE_COLUMNS = 110;

/** Highlights the words of the query. */
function highlighted(text: string, words: readonly string[] | undefined, terminal: Terminal): string {
  if (!terminal.color || !words) return text;
  return text
    .split("\n")
    .map((line) => {
      let painted = "";
      let from = 0;
      for (const { start, end } of matchesIn(line, words)) {
        painted += line.slice(from, start) + paint(terminal, "bold", line.slice(start, end));
        from = end;
      }
      return painted + line.slice(from);
    })
    .join("\n");
}

function found(output: Found, terminal: Terminal): string {
  const text = foundText(output);
  return paint(terminal, "dim", terminal.compact ? text : wrap(text, terminal.width, ""));
}

/** Says what the numbers count, because most results of a long list have only one of the words. */
function foundText(output: Found): string {
  const { results, total, totals, total_complete = true } = output;
  const least = total_complete ? "" : "at least ";
  if (totals) {
    const { conversations, passages, definitions } = totals;
    const parts = [conversationsText({ ...output, total: conversations })];
    if (passages > 0) parts.push(plural(passages, "passage"));
    if (definitions > 0) parts.push(plural(definitions, "definition"));
    return `${results.length} of ${least}${parts.join("; ")}`;
  }
  if (!results.every(({ kind }) => kind === "conversation")) {
    return `${results.length} of ${least}${plural(total, "result")}`;
  }
  return `${results.length < total ? `best ${results.length} of ` : ""}${least}${conversationsText(output)}`;
}

function conversationsText({ total, total_any = total, matches, words = [], mode }: Found): string {
  const likeness = mode === "hybrid" ? " or a similar meaning" : "";
  const any = `${words.length === 1 ? "with parts of the word" : "with any of the words"}${likeness}`;
  const count = plural(total, "conversation");
  if (mode === "vector") return `${count} with a similar meaning`;
  if (matches === "exact") return `${count} with exactly this`;
  if (matches !== "all") return `${count} ${any}`;
  const all = `${count} ${words.length === 1 ? "with the word" : "with all of the words"}`;
  return total_any === total ? all : `${all}, ${formatCount(total_any)} with any${likeness}`;
}

/** One line for each way of counting. */
function facetLines({ facets }: Found, terminal: Terminal): string {
  if (!facets) return "";
  const lines = Object.entries(facets).map(([name, values]) => {
    const names = distinctNames(values.map((each) => each.name));
    const counts = values.map(({ conversations }, i) => `${names[i] || "(none)"} ${conversations}`);
    return fit(cleanText(`${name}: ${counts.join(", ")}`), terminal.width);
  });
  return `\n${lines.map((line) => paint(terminal, "dim", line)).join("\n")}`;
}

function explainLines(
  explain: NonNullable<Found["results"][number]["explain"]>,
  { kind, score_final: score }: Pick<Found["results"][number], "kind" | "score_final">,
  terminal: Terminal,
): string[] {
  const unit = kind === "document" ? "passage" : "message";
  const sum = explain.best_messages.map(({ part }) => part.toFixed(2)).join(" + ");
  const boosted = explain.file_boost === 1 ? sum : `${explain.file_boost} (touched a named file) × (${sum})`;
  const evidence = evidenceText(explain.evidence);
  const messages = explain.best_messages.map(
    ({ index, words, likeness, part }) =>
      `${index === null ? "title" : `#${index}`} ${part.toFixed(2)} (words ${words.toFixed(2)}, likeness ${likeness === null ? "none" : likeness.toFixed(2)})`,
  );
  const terms = explain.terms.map(
    ({ term, messages, weight, share }) =>
      `${term} ${share.toFixed(2)} (in ${plural(messages, unit)}, weight ${weight})`,
  );
  return [
    paint(
      terminal,
      "dim",
      `  score ${score.toFixed(2)} = ${boosted} of its best ${unit}${kind === "document" ? "" : "s"}${evidence}`,
    ),
    ...messages.map((line) => paint(terminal, "dim", `    ${line}`)),
    ...terms.map((line) => paint(terminal, "dim", `    ${line}`)),
  ];
}
