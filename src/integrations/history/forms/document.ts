/**
 * Agents that rewrite a file at every turn, or whose records can only be understood together: dex reads the file whole
 * whenever it changed. The recorder then writes only from the first message that differs.
 */
import { asObject, isObject, type Json, type JsonObject } from "../../../kernel/json.ts";
import { fileContainer } from "../reading/files.ts";
import { readRecords } from "../reading/jsonl.ts";
import { isReadable } from "../reading/tail.ts";
import { readWholeJson } from "../reading/whole_json.ts";
import type { Container, ReadRequest, Source } from "../source.ts";
import { type SourceForm, type WholeConversation, writeConversation } from "./conversation.ts";

interface DocumentForm extends SourceForm {
  /** Undefined: the file is being written right now, so the next sync tries again. */
  read(request: ReadRequest): Iterable<WholeConversation> | undefined;
}

export function documentSource({ id, places, discover, read }: DocumentForm): Source {
  return {
    id,
    places,
    discover,
    read(request): Json | undefined {
      const { container, sink, state } = request;
      const { stamp } = container;
      if (asObject(state).stamp === stamp) return state;
      if (!isReadable(container.path, sink)) return state;
      const conversations = read(request);
      if (!conversations) return state;
      let refused = false;
      for (const conversation of conversations) refused = !writeConversation(sink, id, conversation) || refused;
      return refused ? undefined : { stamp };
    },
  };
}

/** A container for a file whose content depends on the files beside it, too: they belong to its stamp. */
export function withSideFiles(source: string, path: string, beside: readonly string[]): Container[] {
  const container = fileContainer(source, path);
  if (!container) return [];
  const stamps = beside.map((each) => fileContainer(source, each)?.stamp ?? "");
  return [{ ...container, stamp: [container.stamp, ...stamps].join("+") }];
}

/** All records of a JSON Lines file. A line that is being written is left for the next sync. */
export function allRecords({ container, sink }: ReadRequest): JsonObject[] {
  return Array.from(readRecords(container.path, { sink }), ({ value }) => value);
}

/** The object in a JSON file; undefined while the file is being written, and empty if it holds anything else. */
export function wholeObject({ container, sink }: ReadRequest): JsonObject | undefined {
  const document = readWholeJson(container.path, sink);
  if (document.kind === "torn") return undefined;
  if (document.kind === "read" && isObject(document.value)) return document.value;
  if (document.kind === "read") sink.malformed(container.path, "not a session document");
  return {};
}
