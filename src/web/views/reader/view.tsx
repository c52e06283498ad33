/** The reader of a conversation of any length. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { longCount } from "../../parts/format.tsx";
import { dataVersion, useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { param, place, setQuery } from "../../router.ts";
import type { ViewProps } from "../../routes.ts";
import { onEvent } from "../../shell/events.ts";
import { useKeys } from "../../shell/keys.ts";
import { say } from "../../shell/say.ts";
import { copyText } from "./copy.ts";
import { FindBar } from "./find.tsx";
import { ReaderHeader } from "./header.tsx";
import { leftAt, MessageList, type Position } from "./message_list.tsx";
import { Picked } from "./picked.tsx";
import { Printed, usePrinting } from "./printed.tsx";
import { PromptList, promptAt } from "./prompts.tsx";
import sheet from "./reader.css";
import { makeReader, type Reader, ReaderContext, toggleFold, togglePick } from "./reader_state.ts";
import { Transcript } from "./transcript.ts";

export { sheet };

/** Near the end of a conversation, the messages before the one that is opened are in sight, too. */
const AROUND = 40;
const MAX_FONT_MS = 400;

/** Text that changes its font after it was placed would move what is below it. */
async function fontsLoaded(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, MAX_FONT_MS));
  await Promise.race([late, document.fonts.load('16px "Source Serif"')]).catch(() => undefined);
}

export function View({ params }: ViewProps) {
  const { id = "", index = "" } = params;
  // A click on a link to another message of the same conversation changes the entry, not the reader.
  const { entry } = place.value;
  const reader = useMemo(() => makeReader(new Transcript(id)), [id]);
  const [start, setStart] = useState<{ entry: string; at: Position | undefined }>();
  useEffect(() => () => reader.transcript.close(), [reader]);
  useEffect(() => {
    const left = leftAt();
    const asked = /^\d+$/.test(index) ? Number(index) : undefined;
    const at = left ?? (asked === undefined ? undefined : { index: asked, offset: 0 });
    const first = at?.index ?? 0;
    let isGone = false;
    Promise.all([reader.transcript.load(first - AROUND, first), fontsLoaded()]).then(() => {
      if (isGone) return;
      const last = reader.transcript.count - 1;
      reader.current.value = Math.min(first, Math.max(0, last));
      setStart({ entry, at: at && { ...at, index: Math.min(at.index, Math.max(0, last)) } });
    });
    return () => {
      isGone = true;
    };
  }, [reader, entry]);
  const head = reader.transcript.head.value;
  const error = reader.transcript.error.value;
  if (error !== undefined && !head) {
    return (
      <div class="page">
        <header>
          <h1>Conversation</h1>
        </header>
        <Problem error={error} />
        <p class="state">
          <a href="/conversations">All conversations</a>
        </p>
      </div>
    );
  }
  if (!head || !start) {
    return (
      <div class="page">
        <Loading />
      </div>
    );
  }
  return (
    <ReaderContext.Provider value={reader}>
      <OpenReader key={start.entry} reader={reader} start={start.at} />
    </ReaderContext.Provider>
  );
}

function OpenReader({ reader, start }: { reader: Reader; start: Position | undefined }) {
  const { transcript, focused, current } = reader;
  const head = transcript.head.value;
  const bar = useRef<HTMLDivElement>(null);
  const [inset, setInset] = useState(0);
  const [finding, setFinding] = useState(param("find") === "" ? 0 : 1);
  const isFinding = finding > 0;
  const find = (): void => setFinding((asked) => asked + 1);
  const [isListing, setListing] = useState(false);
  const isPrinting = usePrinting();
  const positions = useCall("prompts", { id: transcript.id, positions: true, limit: 0 }, { draft: true }).data;
  const indices = positions?.indices ?? [];
  const answers = positions?.answers;
  const isFocused = focused.value;
  const order = useMemo(() => {
    if (!isFocused || !answers) return undefined;
    return indices.flatMap((index, at) => {
      const answer = answers[at];
      return answer == null ? [index] : [index, answer];
    });
  }, [isFocused, positions]);
  useLayoutEffect(() => {
    const top = Number.parseFloat(getComputedStyle(bar.current ?? document.body).top) || 0;
    setInset(top + (bar.current?.offsetHeight ?? 0));
  }, [isFinding]);
  useEffect(() => {
    document.title = `${head?.title ?? "Conversation"} · dex`;
  }, [head?.title]);
  useEffect(
    () =>
      onEvent((event) => {
        // An address may name a conversation by the beginning of its id.
        if (event.type === "conversation" && event.id === transcript.head.peek()?.id) void transcript.refresh();
        if (event.type === "hello") void transcript.refresh();
      }),
    [transcript],
  );
  // The conversation may have been forgotten, or have other messages now.
  const version = dataVersion.value;
  const [opened] = useState(version);
  useEffect(() => {
    if (version !== opened) void transcript.refresh();
  }, [version]);
  const closeFind = (): void => {
    setFinding(0);
    setQuery({ find: undefined }, { replace: true });
    reader.goTo(current.peek());
  };
  useReaderKeys(reader, positions?.indices, order, { find });
  if (!head) return null;
  return (
    <div class="reader">
      <div class="reader-main">
        <ReaderHeader head={head} address={transcript.id} />
        <div ref={bar} class="reader-bar">
          {isFinding ? (
            <FindBar asked={finding} close={closeFind} />
          ) : (
            <>
              <p class="bar-place">
                <span class="one-line" dir="auto">
                  {visible(head.title)}
                </span>
                <span class="quiet">
                  {/* The signal itself: scrolling changes this text alone. */}#{current}
                  <span class="bar-count"> of {longCount(head.message_count)}</span>
                </span>
              </p>
              <button type="button" class="plain" onClick={find}>
                Find
              </button>
              <button
                type="button"
                class="plain"
                aria-pressed={isFocused}
                onClick={() => {
                  focused.value = !isFocused;
                }}
              >
                Focused
              </button>
              <button
                type="button"
                class="plain"
                aria-pressed={reader.isPicking.value}
                onClick={() => {
                  reader.isPicking.value = !reader.isPicking.peek();
                }}
              >
                Pick
              </button>
              <button type="button" class="plain bar-prompts" onClick={() => setListing(true)}>
                Prompts
              </button>
              <button type="button" class="plain" onClick={() => void copyLink(reader)}>
                Copy link
              </button>
            </>
          )}
        </div>
        {isPrinting && <Printed order={order} source={head.source} />}
        {inset > 0 && !isPrinting && (
          <MessageList
            key={String(isFocused && order !== undefined)}
            order={order}
            start={order || isFocused ? { index: current.peek(), offset: 0 } : (leftAt() ?? start)}
            inset={inset}
            source={head.source}
          />
        )}
      </div>
      <aside class="rail" aria-label="Prompts">
        <h2>
          Prompts <span class="quiet">{longCount(indices.length)}</span>
        </h2>
        {positions && <PromptList indices={indices} />}
      </aside>
      <Picked />
      {isListing && (
        <Dialog title="Prompts" close={() => setListing(false)}>
          <PromptList indices={indices} opened={() => setListing(false)} />
        </Dialog>
      )}
    </div>
  );
}

async function copyLink({ transcript, current }: Reader): Promise<void> {
  const head = transcript.head.peek();
  const id = head && head.origin !== "team" ? head.id : transcript.id;
  await copyText(location.origin + conversationHref(id, current.peek())).then(
    () => say("Link copied. It works on this machine."),
    () => say("The browser does not let this page copy. The address of the page is the link."),
  );
}

/** The message after or before one, among those shown. */
function neighbour(order: readonly number[] | undefined, count: number, index: number, by: 1 | -1): number {
  if (!order) return Math.max(0, Math.min(count - 1, index + by));
  const at = promptAt(order, index);
  return order[Math.max(0, Math.min(order.length - 1, at + by))] ?? index;
}

function useReaderKeys(
  reader: Reader,
  indices: readonly number[] | undefined,
  order: readonly number[] | undefined,
  { find }: { find(): void },
): void {
  const { current, transcript } = reader;
  const message = (by: 1 | -1): void => reader.goTo(neighbour(order, transcript.count, current.peek(), by));
  const early = useRef<1 | -1>(undefined);
  const prompt = (by: 1 | -1): void => {
    if (!indices) {
      early.current = by;
      return;
    }
    const at = promptAt(indices, current.peek());
    const isOnIt = indices[at] === current.peek();
    const next = indices[by > 0 ? at + 1 : isOnIt ? at - 1 : at];
    if (next !== undefined) reader.goTo(next);
  };
  // A key may come before the prompts are known.
  useEffect(() => {
    if (!indices || early.current === undefined) return;
    prompt(early.current);
    early.current = undefined;
  }, [indices !== undefined]);
  const unfold = (): void => {
    const index = current.peek();
    const parts = transcript.message(index)?.parts ?? [];
    const keys = parts.flatMap(({ type }, at) => (type === "text" ? [] : [`${index}/${at}`]));
    const open = !keys.some((key) => reader.unfolded.peek().has(key));
    for (const key of keys) toggleFold(reader, key, open);
  };
  useKeys("Reader", [
    { keys: "j", does: "Next message", run: () => message(1) },
    { keys: "k", does: "Previous message", run: () => message(-1) },
    { keys: "J", does: "Next prompt", run: () => prompt(1) },
    { keys: "K", does: "Previous prompt", run: () => prompt(-1) },
    { keys: "o", does: "Unfold or fold the message", run: unfold },
    { keys: "f", does: "Find in this conversation", run: find },
    { keys: "mod+f", does: "Find in this conversation", run: find, whileTyping: true },
    {
      keys: "F",
      does: "Only prompts and final answers",
      run: () => {
        reader.focused.value = !reader.focused.peek();
      },
    },
    {
      keys: "x",
      does: "Pick the message for a handoff",
      run: () => togglePick(reader, current.peek(), transcript.message(current.peek())?.tokens ?? 0),
    },
    { keys: "c", does: "Copy a link to the message", run: () => void copyLink(reader) },
    { keys: "G", does: "The end", run: () => reader.goTo(transcript.count - 1) },
    { keys: "g g", does: "The beginning", run: () => scrollTo(0, 0) },
  ]);
}
