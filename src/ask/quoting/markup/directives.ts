/** The names of directives of reStructuredText as text: `.. deprecated:: 3.0` is shown as "Deprecated since version 3.0". */
import { ownMember } from "../../../kernel/own_member.ts";

const VERSIONS: Readonly<Record<string, string>> = {
  versionadded: "Added in version",
  "version-added": "Added in version",
  versionchanged: "Changed in version",
  "version-changed": "Changed in version",
  deprecated: "Deprecated since version",
  versionremoved: "Removed in version",
};
const BOX = /^(?:attention|caution|danger|error|hint|important|note|seealso|tip|todo|warning)$/;

/** The directive's argument, continued by the first sentence below it, if there is one. */
export function directiveText(name: string, argument: string, opening: string | undefined): string {
  const version = ownMember(VERSIONS, name);
  if (version !== undefined) {
    const [, number = argument, rest = ""] = /^(\S+)(?:\s+(.*))?$/.exec(argument) ?? [];
    const said = [rest, opening ?? ""].filter((text) => text !== "").join(" ");
    return `${version} ${number}${said === "" ? "." : `: ${said}`}`;
  }
  if (opening === undefined) return argument;
  // The text of a box may start on the line of its name and continue below.
  const goesOn = BOX.test(name) && (/^[^\p{Lu}]/u.test(opening) || /[.,;!?]$/.test(argument));
  return `${argument}${goesOn ? "" : ":"} ${opening}`;
}

/** Whether a directive has a meaning without text below it. */
export function speaksAlone(name: string): boolean {
  return ownMember(VERSIONS, name) !== undefined || BOX.test(name);
}
