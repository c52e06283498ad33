/**
 * Regular expressions with Unicode properties (`\p{L}`). V8 needs up to a millisecond to compile one, twice if it is used
 * more than once, and a hook would compile a dozen. Nearly all prompts, names and paths are ASCII: such text gets the
 * same expression with ASCII ranges, which compiles in a tenth of that. Neither is made before it is used.
 */

/** Returns the expression for a text. With the flag `g` the same object comes again: reset `lastIndex` after `test`. */
export type PatternFor = (text: string) => RegExp;

/** White space and the printable characters of ASCII; other controls are rare. */
const OTHER_THAN_ASCII = /[^\t\n\r -~]/;

const ASCII_RANGES: Readonly<Record<string, string>> = {
  L: "A-Za-z",
  Lu: "A-Z",
  Ll: "a-z",
  Lo: "",
  M: "",
  N: "0-9",
  P: "!-#%-*,-/:;?@[-\\]_{}",
  S: "$+<=>\\^`|~",
};

/** An expression that is made when it is first used. */
export function lazyPattern(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `source` and `flags` as those of a RegExp; the flag `u` is implied. */
export function patternFor(source: string, flags = ""): PatternFor {
  let ascii: RegExp | undefined;
  let whole: RegExp | undefined;
  return (text) => {
    if (OTHER_THAN_ASCII.test(text)) {
      whole ??= new RegExp(source, `${flags}u`);
      return whole;
    }
    ascii ??= new RegExp(asciiSource(source), flags);
    return ascii;
  };
}

/** The expression for text of ASCII. Properties without an ASCII character, such as those of scripts, match nothing. */
export function asciiSource(source: string): string {
  let inClass = false;
  return source.replace(/\\p\{([^}]+)\}|\\.|[[\]]/g, (part, property: string | undefined) => {
    if (property === undefined) {
      if (part === "[") inClass = true;
      if (part === "]") inClass = false;
      return part;
    }
    const ranges = ASCII_RANGES[property] ?? "";
    return inClass ? ranges : `[${ranges}]`;
  });
}
