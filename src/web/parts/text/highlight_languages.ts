/** highlight.js with the languages that conversations contain most. Loaded on demand. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

export interface TokenNode {
  scope?: string;
  children: (TokenNode | string)[];
}

const LANGUAGES = { bash, cpp, csharp, css, diff, go, java, json, python, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.registerAliases(["javascript", "js", "jsx", "ts", "tsx"], { languageName: "typescript" });

/** The tree of tokens; undefined for an unknown language. */
export function highlight(code: string, language: string): TokenNode | undefined {
  const name = language.toLowerCase();
  if (!hljs.getLanguage(name)) return undefined;
  const result = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return (result._emitter as unknown as { rootNode: TokenNode }).rootNode;
}
