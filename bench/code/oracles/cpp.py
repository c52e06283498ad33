"""Reads calls of C++ with libclang, as the reference for scores: the folder is the argument, paths of files come on
standard input. Prints JSON. Operators, conversions, and constructors that no text names count neither way, nor do calls in
a template that depend on its arguments; where such a call names a set of overloads, any of them is right."""
import ctypes
import json
import os
import re
import subprocess
import sys

from clang.cindex import Cursor, CursorKind, Index, TranslationUnit, conf

root = os.path.realpath(sys.argv[1])
paths = [line.strip() for line in sys.stdin if line.strip()]
known = set(paths)
SOURCE = re.compile(r"\.(cc|cpp|cxx)$")
folders = sorted({os.path.dirname(os.path.join(root, path)) for path in paths})
around = sorted({os.path.dirname(folder) for folder in folders if folder.startswith(root + "/")})
flags = ["-x", "c++", "-std=c++17", "-ferror-limit=0", "-I" + root] + ["-I" + each for each in folders + around]
said = subprocess.run(["g++", "-E", "-x", "c++", "-v", "/dev/null"], capture_output=True, text=True).stderr
flags += ["-isystem" + line.strip() for line in said.split("\n") if line.startswith(" /")]
flags += ["-D" + each for each in sys.argv[2:]]
texts = {path: open(os.path.join(root, path), errors="replace").read().split("\n") for path in paths}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR}
TYPES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE, CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION}
MACROS = {CursorKind.MACRO_DEFINITION, CursorKind.MACRO_INSTANTIATION, CursorKind.INCLUSION_DIRECTIVE}
lib = conf.lib
lib.clang_getNumOverloadedDecls.argtypes = [Cursor]
lib.clang_getNumOverloadedDecls.restype = ctypes.c_uint
lib.clang_getOverloadedDecl.argtypes = [Cursor, ctypes.c_uint]
lib.clang_getOverloadedDecl.restype = Cursor
definitions, declarations, types = {}, {}, {}
calls, seen, places = [], set(), {}


def place(cursor):
    file = cursor.location.file
    if file is None:
        return None
    name = file.name
    if name not in places:
        path = os.path.relpath(os.path.realpath(name), root)
        places[name] = path if path in known else None
    return (places[name], cursor.location.line) if places[name] else None


def template_of(cursor):
    """The template of an instance, or the function itself."""
    while True:
        made = lib.clang_getSpecializedCursorTemplate(cursor)
        if made is None or made.kind.is_invalid() or made == cursor:
            return cursor
        cursor = made


def name_of(cursor):
    return re.sub(r"<.*$", "", cursor.spelling)


def note(node, at):
    if node.kind in FUNCTIONS:
        into = definitions if node.is_definition() else declarations
        into.setdefault(node.get_usr(), {})[(*at, name_of(node))] = True
    elif node.kind in TYPES and node.is_definition():
        types.setdefault(node.get_usr(), (*at, name_of(node)))
    elif node.kind == CursorKind.MACRO_DEFINITION:
        definitions.setdefault(node.get_usr() + node.spelling, {})[(*at, node.spelling)] = True


def text_at(at, column=1):
    return texts[at[0]][at[1] - 1][column - 1:]


def overloads(node):
    """The functions that a call in a template may mean."""
    for each in node.get_children():
        if each.kind == CursorKind.OVERLOADED_DECL_REF:
            return [lib.clang_getOverloadedDecl(each, i) for i in range(lib.clang_getNumOverloadedDecls(each))]
        return overloads(each) if each.kind == CursorKind.MEMBER_REF_EXPR and each.referenced is None else []
    return []


def call(node, at):
    target = node.referenced
    if target is None:
        found = overloads(node)
        if found:
            name = name_of(found[0])
            line = named_line(node, at, name)
            if line:
                add(line, name, [template_of(each) for each in found], node.location.offset)
        return
    if target.kind not in FUNCTIONS:
        return
    is_constructor = target.kind == CursorKind.CONSTRUCTOR
    is_copy = is_constructor and (target.is_copy_constructor() or target.is_move_constructor() or target.is_default_method())
    target = template_of(target)
    name = name_of(target)
    if is_constructor:
        # `Type(…)`, `Type{…}`, `Type name(…)`: the text names the type.
        if not is_copy and re.search(r"\b" + re.escape(name) + r"\b(<[^;]*>)?\s*(\w+\s*)?[({]", text_at(at)):
            add(at, name, [target], node.location.offset, target.semantic_parent)
        return
    if not re.match(r"^\w+$", name):
        return
    line = named_line(node, at, name)
    if line:
        add(line, name, [target], node.location.offset)


def named_line(node, at, name):
    """The line on which the text names the called function, with a bracket after it."""
    first, last = node.extent.start.line, node.extent.end.line
    wanted = re.compile(r"\b" + re.escape(name) + r"\s*(<[^;]*>\s*)?\(")
    lines = texts[at[0]]
    for line in dict.fromkeys([at[1], *range(first, min(last, first + 40) + 1)]):
        if 0 < line <= len(lines) and wanted.search(lines[line - 1]):
            return (at[0], line)
    return None


def add(at, name, targets, offset, made=None):
    key = (*at, name, offset)
    if key in seen:
        return
    seen.add(key)
    usrs = [each.get_usr() for each in targets]
    calls.append((at, usrs, [made.get_usr()] if made else [], name))


def visit(cursor, is_top):
    for node in cursor.get_children():
        at = place(node)
        if at is None and (is_top or node.kind in MACROS):
            # A namespace of the project may begin in another file.
            continue
        if at:
            note(node, at)
            if node.kind == CursorKind.MACRO_INSTANTIATION and node.referenced:
                after = text_at(at, node.location.column + len(node.spelling))
                if after.startswith("("):
                    key = (*at, node.spelling, node.location.offset)
                    if key not in seen:
                        seen.add(key)
                        calls.append((at, [node.referenced.get_usr() + node.spelling], [], node.spelling))
            elif node.kind == CursorKind.CALL_EXPR:
                call(node, at)
        visit(node, False)


sys.setrecursionlimit(20000)
index = Index.create()
covered_files, broken = set(), 0


def read(path):
    global broken
    unit = index.parse(os.path.join(root, path), args=flags, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    broken += sum(each.severity >= 3 for each in unit.diagnostics)
    covered_files.add(path)
    for each in unit.get_includes():
        covered_files.add(os.path.relpath(os.path.realpath(each.include.name), root))
    visit(unit.cursor, True)


for path in paths:
    if SOURCE.search(path):
        read(path)
# Headers that no source includes.
for path in paths:
    if path not in covered_files:
        read(path)
print(f"{broken} errors", file=sys.stderr)
found, covered = [], {}
for (path, line), usrs, owners, name in calls:
    covered.setdefault((path, line), set()).add(name)
    targets = []
    for usr in usrs:
        targets += definitions.get(usr) or declarations.get(usr) or {}
    targets += [types[each] for each in owners if each in types]
    if targets:
        found.append({"path": path, "line": line, "targets": [{"path": to, "name": called, "line": at} for to, at, called in targets]})
# Code that the preprocessor leaves out, and calls that depend on the arguments of a template, are not judged.
undecided = []
for path, lines in texts.items():
    for number, text in enumerate(lines, 1):
        for name in set(re.findall(r"\w+", text)):
            if name not in covered.get((path, number), ()):
                undecided.append(f"{path}:{number}:{name}")
print(json.dumps({"calls": found, "imports": [], "undecided": undecided}))
