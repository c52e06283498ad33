/** An entry of the audit log as a person says it: the log has numbers where people have names. */
import { plural } from "../../kernel/text.ts";

export interface AuditNames {
  /** Of members and of projects, by their numbers. */
  members: ReadonlyMap<number, string>;
  scopes: ReadonlyMap<number, string>;
}

type Detail = Readonly<Record<string, unknown>>;

export function auditWords(what: string, detail: Detail, names: AuditNames): string {
  const scope = names.scopes.get(Number(detail.scope)) ?? `project ${detail.scope}`;
  switch (what) {
    case "create":
      return "created the team";
    case "invite": {
      const member = names.members.get(Number(detail.member)) ?? `member ${detail.member}`;
      return `invited ${member} as ${detail.role}${detail.gateway === true ? ", through the gateway" : ""}`;
    }
    case "join":
      return `joined with the machine ${detail.machine}`;
    case "role":
      return `made ${detail.name} ${detail.role}`;
    case "revoke":
      return `ended the access of ${detail.name}${detail.device == null ? "" : ` on machine ${detail.device}`}`;
    case "remove":
      return `removed what ${detail.name} pushed: ${plural(Number(detail.removed), "conversation")}`;
    case "setting":
      return `changed the setting ${detail.key}`;
    case "share":
      return `shared ${scope} with ${Array.isArray(detail.with) ? detail.with.join(", ") : "all members"}`;
    case "withdraw":
      return `withdrew ${plural(Number(detail.removed), "conversation")} of ${scope}`;
    case "forget":
      return `forgot ${plural(Number(detail.removed), "conversation")} of ${detail.source}`;
    case "epoch":
      return "restored the server from a backup";
    default:
      return `${what} ${JSON.stringify(detail)}`;
  }
}
