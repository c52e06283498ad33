/**
 * Find within the conversation. The server searches all of it, also what is folded or not loaded; the page opens the
 * message and marks the text there, without changing the elements.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { longCount } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { quoted } from "../../parts/text/words.ts";
import { param, setQuery } from "../../router.ts";
import { useKeys } from "../../shell/keys.ts";
import { type FindHit, type Finding, toggleFold, useReader } from "./reader_state.ts";
import type { Transcript } from "./transcript.ts";

const MAX_HITS = 10_000;
const ADDRESS_REST_MS = 250;
const MARK = "found";
const HERE = "found-here";
const SHOWN_FRAMES = 40;
/** Marks are drawn in the messages on the page only. */
const MAX_MARKS = 2000;

/** `asked` changes with every request for the bar, also while it is shown. */
export function FindBar({ asked, close }: { asked: number; close(): void }) {
  const reader = useReader();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(param("find"));
  const { data } = useCall("find", text === "" ? undefined : { id: reader.transcript.id, text, limit: MAX_HITS }, {
    draft: true,
  });
  const cancel = useRef<() => void>(() => undefined);
  const isCurrent = data?.text === text;
  // Before the next key: an effect would come after it, and the key would be a command.
  useLayoutEffect(() => field.current?.select(), [asked]);
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ find: text }, { replace: true }), ADDRESS_REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    if (text === "") reader.finding.value = undefined;
    if (!data || !isCurrent) return;
    const from = reader.current.peek();
    const at = data.hits.findIndex(({ index }) => index >= from);
    reader.finding.value = { text, total: data.total, hits: data.hits, at: Math.max(at, 0) };
    show(reader.finding.peek()?.at ?? 0);
  }, [data, text]);
  useEffect(
    () => () => {
      cancel.current();
      CSS.highlights?.delete(HERE);
      reader.finding.value = undefined;
    },
    [],
  );
  const show = (at: number): void => {
    const finding = reader.finding.peek();
    const hit = finding?.hits[at];
    if (!finding || !hit) return;
    reader.finding.value = { ...finding, at };
    toggleFold(reader, `${hit.index}/${hit.part}`, true);
    reader.goTo(hit.index, { focus: false });
    cancel.current();
    cancel.current = showInside(reader.transcript, finding, at);
  };
  const step = (by: number): void => {
    const finding = reader.finding.peek();
    if (finding && finding.hits.length > 0) show((finding.at + by + finding.hits.length) % finding.hits.length);
  };
  useKeys("Find", [
    { keys: "n", does: "Next hit", run: () => step(1) },
    { keys: "N", does: "Previous hit", run: () => step(-1) },
    { keys: "Escape", does: "Close find", run: close },
    { keys: "mod+g", does: "Next hit, also while typing", run: () => step(1), whileTyping: true },
  ]);
  useMarks();
  const finding = reader.finding.value;
  void reader.transcript.version.value;
  const isCut = finding !== undefined && isHitCut(reader.transcript, finding, finding.at);
  return (
    <search class="find">
      <input
        ref={field}
        type="search"
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        value={text}
        maxLength={1000}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            close();
          }
          if (event.key !== "Enter") return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <span class="find-count" role="status">
        {finding && isCurrent && text !== ""
          ? finding.total === 0
            ? "not found"
            : `${longCount(finding.at + 1)} of ${longCount(finding.total)}${isCut ? ", in text that is not shown" : ""}`
          : ""}
      </span>
      <button type="button" class="plain" aria-label="Previous hit" onClick={() => step(-1)}>
        ↑
      </button>
      <button type="button" class="plain" aria-label="Next hit" onClick={() => step(1)}>
        ↓
      </button>
      <button type="button" class="plain" aria-label="Close find" onClick={close}>
        ×
      </button>
    </search>
  );
}

/** Marks the hit itself and scrolls to it, once its message is drawn; a few frames long, as the list settles meanwhile. */
function showInside(transcript: Transcript, finding: Finding, at: number): () => void {
  const { hits, text } = finding;
  const hit = hits[at];
  CSS.highlights?.delete(HERE);
  if (!hit || !("highlights" in CSS)) return () => undefined;
  const before = hitsBefore(hits, at);
  let frame = 0;
  let id = 0;
  const look = (): void => {
    const part = document.querySelector(`[data-message="${hit.index}"] [data-part="${hit.index}/${hit.part}"]`);
    const ranges = part ? rangesOf(part, text, before + 1) : [];
    // Markdown shows fewer words than were written: then the last mark is the nearest.
    const range = ranges[before] ?? ranges.at(-1);
    if (range && !isHitCut(transcript, finding, at)) {
      CSS.highlights.set(HERE, new Highlight(range));
      reveal(range);
    }
    frame += 1;
    if (frame < SHOWN_FRAMES) id = requestAnimationFrame(look);
  };
  id = requestAnimationFrame(look);
  return () => cancelAnimationFrame(id);
}

/** The hits before this one in the same part of the same message. */
function hitsBefore(hits: readonly FindHit[], at: number): number {
  const hit = hits[at];
  let before = 0;
  while (hits[at - before - 1]?.index === hit?.index && hits[at - before - 1]?.part === hit?.part) before += 1;
  return before;
}

/** The server searches the whole text of a part, but sends only the beginning of a very long one. */
function isHitCut(transcript: Transcript, { hits, text }: Finding, at: number): boolean {
  const hit = hits[at];
  const part = hit && transcript.message(hit.index)?.parts[hit.part];
  if (!part?.chars || part.chars <= part.text.length) return false;
  return (part.text.match(new RegExp(quoted(text), "gi"))?.length ?? 0) <= hitsBefore(hits, at);
}

/** Scrolls a box inside the message, and the page, if the range is out of sight. */
function reveal(range: Range): void {
  const box = range.startContainer.parentElement?.closest("pre");
  if (box) {
    const offset = range.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (offset < 0 || offset > box.clientHeight - 24) box.scrollTop += offset - box.clientHeight / 3;
  }
  const { top, bottom } = range.getBoundingClientRect();
  const inset = document.querySelector(".reader-bar")?.getBoundingClientRect().bottom ?? 0;
  if (top < inset + 8 || bottom > innerHeight - 8) scrollBy(0, top - innerHeight / 3);
}

/** Draws the marks again whenever the messages on the page change. */
function useMarks(): void {
  const { finding } = useReader();
  const text = finding.value?.text ?? "";
  useEffect(() => {
    const box = document.querySelector(".messages");
    if (!box || text === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const draw = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => CSS.highlights.set(MARK, new Highlight(...rangesOf(box, text))));
    };
    draw();
    const observer = new MutationObserver(draw);
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(MARK);
    };
  }, [text]);
}

function rangesOf(box: Element, text: string, most = MAX_MARKS): Range[] {
  const pattern = new RegExp(quoted(text), "gi");
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  for (let node = walker.nextNode(); node && ranges.length < most; node = walker.nextNode()) {
    for (const match of (node.nodeValue ?? "").matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  return ranges;
}
