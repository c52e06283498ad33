/**
 * Antigravity's conversations: `antigravity…/conversations/<session>.db`, a database per session whose steps are
 * Protocol Buffers. dex reads one only if the session has no transcript, because only the transcript names tools and
 * their arguments plainly; of the steps here it knows the prompts, the answers and the title.
 */
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage, withRequests } from "../../../history/building/usage.ts";
import { isHousekeeping, titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { databaseSource, hasTables } from "../../../history/forms/database.ts";
import { listDir } from "../../../history/reading/files.ts";
import { ProtoMessage } from "../../../history/reading/protobuf.ts";
import type { ForeignDatabase, Row } from "../../../history/reading/sqlite.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { antigravityHomes, projectOfSession, transcriptOf } from "./antigravity.ts";

const STEP = { userInput: 14, plannerResponse: 15, checkpoint: 23 } as const;
/** Fields of a step's payload. */
const METADATA = 5;
const USER_INPUT = 19;
const PLANNER = 20;
const CHECKPOINT = 30;

/** Databases of sessions without a transcript. */
export function antigravityDatabases(gemini: string): string[] {
  return antigravityHomes(gemini).flatMap((home) => {
    const folder = join(home, "conversations");
    return listDir(folder)
      .filter(({ name }) => name.endsWith(".db") && transcriptOf(home, basename(name, ".db")) === undefined)
      .map(({ name }) => join(folder, name));
  });
}

export function isAntigravityDatabase(path: string): boolean {
  return path.endsWith(".db") && basename(dirname(path)) === "conversations";
}

/** Each database has one session: the whole file. */
export const antigravityDatabase: Pick<Source, "read"> = databaseSource({
  id: "gemini",
  places: () => [],
  discover: () => [],
  sessions(db) {
    if (!hasTables(db, "steps")) return undefined;
    const row = db.get("SELECT count(*) AS steps, max(idx) AS last, sum(length(step_payload)) AS size FROM steps");
    return [{ id: basename(db.path, ".db"), mark: `${row?.steps} ${row?.last} ${row?.size}` }];
  },
  load,
});

function load(db: ForeignDatabase, id: string, { container }: ReadRequest): WholeConversation {
  const rows = db.all("SELECT idx, step_type, step_payload FROM steps ORDER BY idx");
  const steps = rows.flatMap((row) => asList(stepOf(row)));
  const model = modelOf(db);
  const title = steps
    .filter(({ type }) => type === STEP.checkpoint)
    .map(({ payload }) => payload.textAt(CHECKPOINT, 4));
  return {
    meta: {
      id,
      title: titleFrom(title.find((each) => each !== undefined)),
      project: projectOfSession(dirname(dirname(container.path)), id),
      ...(model === undefined ? {} : { model }),
    },
    messages: withRequests(
      steps.flatMap((step) => messagesOf(step)),
      steps.flatMap(usageOf),
    ),
  };
}

/** Of a step's request. The input excludes the cache, and the output includes the thoughts. */
const USAGE = { input: 2, output: 3, cacheRead: 5, thoughts: 9, response: 11 } as const;

function usageOf({ payload }: Step): Usage[] {
  const used = payload.messageAt(METADATA, 9);
  if (!used) return [];
  const { input, output, cacheRead, thoughts, response } = USAGE;
  const counts = defined({
    input: used.number(input),
    output: used.number(output),
    cacheRead: used.number(cacheRead),
    thoughts: used.number(thoughts),
  });
  return requestUsage(counts, {}, defined({ id: requestId(used.text(response)), time: timeOf(payload) })) ?? [];
}

function timeOf(payload: ProtoMessage): string | undefined {
  const created = payload.messageAt(METADATA, 1);
  const seconds = created?.number(1);
  return seconds === undefined ? undefined : toIso(seconds * 1000 + Math.floor((created?.number(2) ?? 0) / 1e6));
}

interface Step {
  id: string;
  type: number;
  payload: ProtoMessage;
}

function stepOf(row: Row): Step | undefined {
  const payload = row.step_payload instanceof Uint8Array ? ProtoMessage.read(row.step_payload) : undefined;
  return payload && { id: String(row.idx), type: Number(row.step_type), payload };
}

function messagesOf({ id, type, payload }: Step): Message[] {
  const time = timeOf(payload);
  if (type === STEP.userInput) {
    const typed = payload.textAt(USER_INPUT, 2) ?? "";
    return isHousekeeping(typed)
      ? []
      : unlessEmpty({ role: "user", time, uid: id, parts: asList(textPart("text", typed)) });
  }
  if (type !== STEP.plannerResponse) return [];
  const parts = [
    ...asList(textPart("thinking", payload.textAt(PLANNER, 3))),
    ...asList(textPart("text", payload.textAt(PLANNER, 1) ?? payload.textAt(PLANNER, 8))),
  ];
  return unlessEmpty({ role: "assistant", time, uid: id, parts });
}

function modelOf(db: ForeignDatabase): string | undefined {
  if (!hasTables(db, "gen_metadata")) return undefined;
  const row = db.get("SELECT data FROM gen_metadata ORDER BY idx DESC LIMIT 1");
  const data = row?.data instanceof Uint8Array ? ProtoMessage.read(row.data) : undefined;
  return data?.textAt(1, 21) ?? data?.textAt(1, 19);
}
