/** Decisions and memories that members of a team share. */
import type { Json } from "../../kernel/json.ts";

export interface SharedNote {
  owner: string;
  /** Of the member that this home belongs to. */
  own: boolean;
  kind: string;
  id: string;
  /** Its fields, as the author's machine wrote them: not to be trusted. */
  body: Json | undefined;
  at: number;
}

export interface CachedNote extends Omit<SharedNote, "own"> {
  /** The project. */
  scope: string;
}
