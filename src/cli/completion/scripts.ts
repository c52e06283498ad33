/**
 * The completion scripts. They contain the commands, options and fixed words, so completing these starts no process.
 * Values of the index are queried with `dex completion --values`, which never syncs.
 */
import type { Command, Option, Values } from "./commands.ts";

export function bash(commands: readonly Command[]): string {
  return `# bash completion for dex: source <(dex completion bash)
_dex_words() { local IFS=$' \\t\\n'; COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_dex_files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); }
_dex_ask() {
  local line
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    [ -n "$line" ] && COMPREPLY+=("$(printf '%q' "$line")")
  done < <("\${COMP_WORDS[0]}" completion --values "$1" -- "$cur" 2>/dev/null)
}
_dex() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb="" at=2
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then _dex_words "${firstWords(commands).join(" ")}"; return; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
    ${pattern(twoWords(commands), '"')}) [ "$COMP_CWORD" -gt 2 ] && verb="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" at=3 ;;
  esac
  [ -z "$verb" ] && verb="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 2 ]; then
    case "$verb" in
${subcommands(commands)
  .map(
    ([word, rest]) =>
      `      ${word}) case "$cur" in -*) ;; *) _dex_words "${rest.join(" ")}"; [ \${#COMPREPLY[@]} -gt 0 ] && return ;; esac ;;`,
  )
  .join("\n")}
    esac
  fi
  case "$verb" in
${commands.map((command) => bashCommand(command)).join("\n")}
  esac
}
complete -F _dex dex
`;
}

function bashCommand({ verb, options, positionals }: Command): string {
  const valued = options.filter(({ values }) => values !== undefined);
  const names = options.flatMap(({ names: [long = ""] }) => long);
  const action = (values: Values): string => {
    if (values.kind === "words") return `_dex_words "${values.words.join(" ")}"; return`;
    if (values.kind === "ask") return `_dex_ask ${values.what}; return`;
    return values.kind === "files" ? "_dex_files; return" : "return";
  };
  const lines = [
    ...(valued.length > 0
      ? [
          `      case "$prev" in`,
          ...valued.map((option) => `        ${option.names.join("|")}) ${action(option.values as Values)} ;;`),
          `      esac`,
        ]
      : []),
    `      case "$cur" in -*) _dex_words "${names.join(" ")}"; return ;; esac`,
    ...positionalCases(positionals, (values) => action(values).replace(/; return$/, "")).map((line) => `      ${line}`),
  ];
  return [`    "${verb}")`, ...lines, "      ;;"].join("\n");
}

/** Distinguishes only the first argument from the later ones, because options may come between them. */
function positionalCases(positionals: readonly Values[], action: (values: Values) => string): string[] {
  const [first, second] = positionals;
  if (!first) return [];
  const then = second ?? first;
  const one = action(first);
  const two = action(then);
  if (one === two) return one === "return" ? [] : [one];
  return [`if [ "$COMP_CWORD" -eq "$at" ]; then ${one}; else ${two}; fi`];
}

export function zsh(commands: readonly Command[]): string {
  return `#compdef dex
# zsh completion for dex: dex completion zsh > a folder of your $fpath, as _dex
_dex_ask() {
  local -a found
  local value text
  while IFS=$'\\t' read -r value text; do
    [[ -n $value ]] && found+=("\${value//:/\\\\:}:$text")
  done < <($words[1] completion --values $1 -- "$PREFIX" 2>/dev/null)
  _describe -t $1 $1 found
}
_dex() {
  local verb=""
  local -a list
  local prev=$words[CURRENT-1]
  if (( CURRENT == 2 )); then
    list=(${firstWords(commands)
      .map((word) => zshWord(word, summaryOf(commands, word)))
      .join(" ")})
    _describe -t commands command list
    return
  fi
  case "$words[2] $words[3]" in
    ${pattern(twoWords(commands), '"')}) (( CURRENT > 3 )) && verb="$words[2] $words[3]" ;;
  esac
  [[ -z $verb ]] && verb=$words[2]
  if (( CURRENT == 3 )) && [[ $PREFIX != -* ]]; then
    case $verb in
${subcommands(commands)
  .map(
    ([word, rest]) =>
      `      ${word}) list=(${rest.map((second) => zshWord(second, summaryOf(commands, `${word} ${second}`))).join(" ")}); _describe -t commands command list && return ;;`,
  )
  .join("\n")}
    esac
  fi
  case $verb in
${commands.map(zshCommand).join("\n")}
  esac
}
if [[ $funcstack[1] == _dex ]]; then _dex "$@"; else compdef _dex dex; fi
`;
}

function zshCommand({ verb, options, positionals }: Command): string {
  const action = (values: Values): string => {
    if (values.kind === "words") return `compadd -- ${values.words.map(quoted).join(" ")}`;
    if (values.kind === "ask") return `_dex_ask ${values.what}`;
    return values.kind === "files" ? "_files" : "true";
  };
  const valued = options.filter(({ values }) => values !== undefined);
  const [first, second] = positionals;
  const then = second ?? first;
  const at = verb.includes(" ") ? 4 : 3;
  const rest =
    first && then && action(first) !== action(then)
      ? `if (( CURRENT == ${at} )); then ${action(first)}; else ${action(then)}; fi`
      : first
        ? action(first)
        : "true";
  return [
    `    "${verb}")`,
    "      case $prev in",
    ...valued.map((option) => `        ${option.names.join("|")}) ${action(option.values as Values)}; return ;;`),
    "      esac",
    "      if [[ $PREFIX == -* ]]; then",
    `        list=(${options.map(({ names: [long = ""], description }) => zshWord(long, description)).join(" ")})`,
    "        _describe -o options list",
    `      else ${rest}; fi`,
    "      ;;",
  ].join("\n");
}

export function fish(commands: readonly Command[]): string {
  const lines = [
    "# fish completion for dex: dex completion fish > ~/.config/fish/completions/dex.fish",
    "function __dex_verb",
    "  set -l typed (commandline -opc)",
    `  switch "$typed[2] $typed[3]"`,
    `    case ${twoWords(commands).map(quoted).join(" ")}`,
    `      echo "$typed[2] $typed[3]"`,
    "    case '*'",
    "      echo $typed[2]",
    "  end",
    "end",
    'function __dex_is; test (__dex_verb) = "$argv"; end',
    "function __dex_ask; set -l typed (commandline -opc); $typed[1] completion --values $argv[1] -- (commandline -ct) 2>/dev/null; end",
    "complete -c dex -f",
    ...firstWords(commands).map(
      (word) =>
        `complete -c dex -n 'test (count (commandline -opc)) -eq 1' -a ${quoted(word)} -d ${quoted(summaryOf(commands, word))}`,
    ),
    ...subcommands(commands).flatMap(([word, rest]) =>
      rest.map(
        (second) =>
          `complete -c dex -n 'test (count (commandline -opc)) -eq 2; and __dex_is ${word}' -a ${quoted(second)} -d ${quoted(summaryOf(commands, `${word} ${second}`))}`,
      ),
    ),
    ...commands.flatMap(fishCommand),
  ];
  return `${lines.join("\n")}\n`;
}

function fishCommand({ verb, options, positionals }: Command): string[] {
  const when = `-n '__dex_is ${verb}'`;
  const source = (values: Values): string => {
    if (values.kind === "words") return `-a ${quoted(values.words.join(" "))}`;
    if (values.kind === "ask") return `-a '(__dex_ask ${values.what})'`;
    return values.kind === "files" ? "-F" : "";
  };
  const [first] = positionals;
  const arguments_ = first && first.kind !== "any" ? [`complete -c dex ${when} ${source(first)}`] : [];
  return [
    ...options.map((option) =>
      `complete -c dex ${when} ${fishNames(option)}${option.values ? ` -x ${source(option.values)}`.replace("-x -F", "-r -F") : ""} -d ${quoted(option.description)}`.replace(
        / {2,}/g,
        " ",
      ),
    ),
    ...arguments_,
  ];
}

function fishNames({ names }: Option): string {
  return names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
}

function firstWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ verb }) => verb.split(" ")[0] ?? ""))];
}

function twoWords(commands: readonly Command[]): string[] {
  return commands.map(({ verb }) => verb).filter((verb) => verb.includes(" "));
}

/** First words with their second words. */
function subcommands(commands: readonly Command[]): [string, string[]][] {
  const found = new Map<string, string[]>();
  for (const verb of twoWords(commands)) {
    const [first = "", second = ""] = verb.split(" ");
    found.set(first, [...(found.get(first) ?? []), second]);
  }
  return [...found];
}

function summaryOf(commands: readonly Command[], verb: string): string {
  const own = commands.find((command) => command.verb === verb)?.summary;
  return (
    own ??
    subcommands(commands)
      .find(([word]) => word === verb)?.[1]
      .join(", ") ??
    ""
  );
}

function pattern(verbs: readonly string[], quote: string): string {
  return verbs.map((verb) => `${quote}${verb}${quote}`).join("|");
}

function zshWord(word: string, text: string): string {
  return quoted(`${word}:${text}`);
}

/** Single quotes work in all three shells; inside them only the quote itself must be replaced. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "").replaceAll("'", "’")}'`;
}
