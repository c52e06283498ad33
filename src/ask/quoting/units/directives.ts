/** reStructuredText: the text below a directive is prose, which starts with the directive's argument. */
import { dedented } from "../../../text/indent.ts";
import { directiveText, speaksAlone } from "../markup/directives.ts";
import type { Unit } from "./unit.ts";

/** Any directive but a listing: its name and argument. */
const DIRECTIVE = /^\.\. ([\w:-]{1,60})::(?:\s+(.*))?$/;
const OPTION = /^\s*:[\w-]+:/;
/** A directive that describes an option, a function or the like: the text below it needs its name. */
const DESCRIBES =
  /^(?:\w+:)?(?:attribute|class|confval|cmdoption|data|decorator|describe|envvar|exception|function|macro|method|object|option|property|setting|type|var)$/;
const DESCRIBED_INDENT = 4;

export const isDirective = (line: string): boolean => DIRECTIVE.test(line);

/** `split` divides a text into units. */
export function directive(lines: readonly string[], block: number, split: (text: string) => Unit[]): Unit[] {
  const [, name = "", argument = ""] = DIRECTIVE.exec(lines[0] ?? "") ?? [];
  const below = lines.slice(1);
  const options = below.findIndex((line) => !OPTION.test(line));
  const body = dedented(options < 0 ? [] : below.slice(options));
  const units = split(body.join("\n")).map((unit) => ({ ...unit, block: block + unit.block }));
  const [opening, ...rest] = units;
  const named = argument.trim();
  if (named === "" || (!opening && !speaksAlone(name))) return units;
  const isProse = opening?.kind === "sentence";
  const text = isProse ? directiveText(name, named, opening.text) : directiveText(name, named, undefined);
  if (speaksAlone(name) && !isProse) return [{ kind: "sentence", text, block, indent: 0 }, ...units];
  if (!DESCRIBES.test(name)) return isProse ? [{ ...opening, text }, ...rest] : units;
  const described = (isProse ? rest : units).map((unit) => ({
    ...unit,
    indent: (unit.indent ?? 0) + DESCRIBED_INDENT,
  }));
  return [{ kind: "item", text, block, indent: 0 }, ...described];
}
