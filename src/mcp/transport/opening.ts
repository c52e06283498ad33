/**
 * The opening of a session over stdio, answered before the protocol library is loaded: the greeting and the lists that
 * every client asks for first. Some agents put their first question to the model without the tools of a server that is
 * not ready by then. The library gets the greeting, too, and its own answer to it is dropped; everything that is not
 * plainly one of these requests goes to the library alone.
 */
import { isObject, type JsonObject, parseJson } from "../../kernel/json.ts";
import { INITIALIZED_VERSIONS, type Offer } from "../offer.ts";

type Id = string | number;

/** A greeting is kept until the library is loaded; a longer one would fill the stream that keeps it. */
const MAX_GREETING_CHARS = 8192;

const INITIALIZED = /^\{[^{]*"method"\s*:\s*"notifications\/initialized"/;

export class Opening {
  readonly #offer: Offer;
  /** The id of the greeting, whose second answer, by the library, is dropped. */
  #greeted: Id | undefined;
  #isFirst = true;

  constructor(offer: Offer) {
    this.#offer = offer;
  }

  /** The answer to a line that is a valid message. Undefined: the library answers it. */
  answer(line: string): { response: object; alsoForLibrary: boolean; isToolList: boolean } | undefined {
    const message = parseJson(line);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isObject(message) || !isId(message.id) || typeof message.method !== "string") return undefined;
    const { id, method } = message;
    const params = message.params ?? {};
    if (!isObject(params) || "_meta" in params) return undefined;
    if (method === "initialize") {
      if (!isFirst || line.length > MAX_GREETING_CHARS || !isPlainGreeting(params)) return undefined;
      this.#greeted = id;
      const { lists: _, ...greeting } = this.#offer;
      const result = { protocolVersion: params.protocolVersion, ...greeting };
      return { response: responseTo(id, result), alsoForLibrary: true, isToolList: false };
    }
    const lists: Readonly<Record<string, object | undefined>> = { ...this.#offer.lists, ping: {} };
    const result = this.#greeted !== undefined && Object.hasOwn(lists, method) ? lists[method] : undefined;
    if (result === undefined) return undefined;
    return { response: responseTo(id, result), alsoForLibrary: false, isToolList: method === "tools/list" };
  }

  /** True for the client's notification that it is ready, which needs no answer. */
  canWait(line: string): boolean {
    return this.#greeted !== undefined && line.length <= MAX_GREETING_CHARS && INITIALIZED.test(line);
  }

  /** True, once, for the library's answer to the greeting. */
  drops(message: object): boolean {
    const isDropped = this.#greeted !== undefined && "id" in message && message.id === this.#greeted;
    if (isDropped && !("method" in message)) this.#greeted = undefined;
    return isDropped && !("method" in message);
  }
}

function responseTo(id: Id, result: object): object {
  return { jsonrpc: "2.0", id, result };
}

function isId(id: unknown): id is Id {
  return typeof id === "string" || typeof id === "number";
}

/** A greeting that the library would accept. */
function isPlainGreeting({ protocolVersion, capabilities, clientInfo }: JsonObject): boolean {
  return (
    typeof protocolVersion === "string" &&
    INITIALIZED_VERSIONS.includes(protocolVersion) &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    isObject(clientInfo) &&
    typeof clientInfo.name === "string" &&
    typeof clientInfo.version === "string"
  );
}
