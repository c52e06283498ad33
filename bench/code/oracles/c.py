"""Reads calls of C with libclang, as the reference for scores: the folder is the argument, paths of files come on
standard input. Prints JSON. A function-like macro counts as a function, as it does for a reader."""
import json
import os
import re
import sys

from clang.cindex import CursorKind, Index, LinkageKind, TranslationUnit

root = os.path.realpath(sys.argv[1])
paths = [line.strip() for line in sys.stdin if line.strip().endswith((".c", ".h"))]
folders = sorted({os.path.dirname(os.path.join(root, path)) for path in paths})
flags = ["-I" + folder for folder in folders] + ["-I" + root, "-D_GNU_SOURCE", "-ferror-limit=0"]
flags += ["-D" + each for each in sys.argv[2:]]
texts = {path: open(os.path.join(root, path), errors="replace").read().split("\n") for path in paths}
index = Index.create()
definitions, calls, seen = {}, [], set()
# Functions that a macro gives another name than their text has: a call of the macro may lead to either.
renamed = {}
NAME = re.compile(r"\w+")
known = set(paths)
undecided_files = set(paths)


def place(cursor):
    file = cursor.location.file
    if file is None:
        return None
    path = os.path.relpath(os.path.realpath(file.name), root)
    return (path, cursor.location.line) if path in known else None


def visit(cursor):
    for node in cursor.get_children():
        at = place(node)
        if at is None:
            if node.kind not in (CursorKind.MACRO_INSTANTIATION, CursorKind.MACRO_DEFINITION, CursorKind.INCLUSION_DIRECTIVE):
                if node.location.file is not None and cursor.kind == CursorKind.TRANSLATION_UNIT:
                    continue
            else:
                continue
        if node.kind == CursorKind.FUNCTION_DECL and node.is_definition():
            definitions.setdefault(key_of(node), (*at, node.spelling))
            written = NAME.match(texts[at[0]][at[1] - 1], node.location.column - 1)
            if written and written[0] != node.spelling:
                renamed.setdefault(written[0], at)
        elif at and node.kind == CursorKind.MACRO_DEFINITION:
            definitions.setdefault(node.get_usr() + node.spelling, (*at, node.spelling))
        elif at and node.kind == CursorKind.MACRO_INSTANTIATION and node.referenced:
            line = texts[at[0]][at[1] - 1]
            after = line[node.location.column - 1 + len(node.spelling):]
            if after.lstrip().startswith("("):
                add(at, node.spelling, node.referenced.get_usr() + node.spelling)
        elif at and node.kind == CursorKind.CALL_EXPR and node.referenced and node.referenced.kind == CursorKind.FUNCTION_DECL:
            callee = next(iter(node.get_children()), node)
            where = place(callee) or at
            if node.spelling + "(" in texts[where[0]][where[1] - 1].replace(" (", "("):
                add(where, node.spelling, key_of(node.referenced), node.location.column)
        visit(node)


def key_of(function):
    """Static functions of files of the same name have the same USR."""
    if function.linkage == LinkageKind.EXTERNAL:
        return function.get_usr()
    written = function.get_definition() or function
    return f"{function.get_usr()} {place(written)}"


def add(at, name, usr, column=0):
    key = (*at, name, column)
    if key not in seen:
        seen.add(key)
        calls.append((at, usr, name))


sys.setrecursionlimit(20000)
for path in paths:
    if not path.endswith(".c"):
        continue
    unit = index.parse(os.path.join(root, path), args=flags, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    undecided_files.discard(path)
    for each in unit.get_includes():
        undecided_files.discard(os.path.relpath(os.path.realpath(each.include.name), root))
    visit(unit.cursor)
found = []
covered = {}
for (path, line), usr, name in calls:
    covered.setdefault((path, line), set()).add(name)
    if usr in definitions:
        to, at, _ = definitions[usr]
        targets = [{"path": to, "name": name, "line": at}]
        if name in renamed:
            targets.append({"path": renamed[name][0], "name": name, "line": renamed[name][1]})
        found.append({"path": path, "line": line, "targets": targets})
# Code that the preprocessor leaves out is not judged.
undecided = []
for path, lines in texts.items():
    for number, text in enumerate(lines, 1):
        for name in {each.strip() for each in re.findall(r"(\w+)\s*\(", text)}:
            if path in undecided_files or name not in covered.get((path, number), ()):
                undecided.append(f"{path}:{number}:{name}")
print(json.dumps({"calls": found, "imports": [], "undecided": undecided}))
