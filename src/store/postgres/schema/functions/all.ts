/** The functions through which members write: one call, one transaction. Errors have codes that begin with DX. */
import { ADMINISTRATION } from "./administration.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { INDEX } from "./index.ts";
import { PEOPLE } from "./people.ts";
import { SCOPES } from "./scopes.ts";

/** Functions that members and the gateway may call. */
export const FOR_MEMBERS: readonly string[] = [
  "me()",
  "visible()",
  "visible_scopes()",
  "hello()",
  "members()",
  "machines()",
  "invite(text, text, text, text, bytea, int)",
  "activate(text, text, bytea)",
  "set_role(text, text)",
  "revoke_member(text, int)",
  "set_setting(text, jsonb)",
  "audit_log(int)",
  "device_of(bytea)",
  "share_scope(text, text[])",
  "scopes()",
  "append(text, text, text, text, int, bigint, bytea, boolean, int, jsonb)",
  "append_all(jsonb, bytea)",
  "state()",
  "forget(text, text)",
  "remember(text, text)",
  "withdraw(text, text, text)",
  "put_note(text, text, text, jsonb)",
  "index_claim(int, int)",
  "segment_begin(int, int)",
  "segment_blocks(int, bigint, text, jsonb, bytea)",
  "put_segment(int, bigint, bigint, jsonb, int, bigint, bigint, bytea, bytea, bytea, jsonb, jsonb)",
  "put_activity(int, jsonb, jsonb)",
  "index_drop(int)",
  "purge_partition(text, int)",
  "new_epoch()",
];

export const FUNCTIONS: string = [PEOPLE, SCOPES, CONVERSATIONS, INDEX, ADMINISTRATION].join("\n");
