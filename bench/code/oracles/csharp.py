"""Reads calls of a C# project from the code that Mono's compiler makes of it, as the reference for scores: the folder is
the argument, paths of files come on standard input. A file `.defines` in the folder may list symbols for `#if`, and
`.references` further assemblies, one per line. Prints JSON. Text that was not compiled is undecided."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

root = os.path.realpath(sys.argv[1])
paths = [line.strip() for line in sys.stdin if line.strip().endswith(".cs")]
texts = {path: open(os.path.join(root, path), encoding="utf-8-sig", errors="replace").read().split("\n") for path in paths}
temp = tempfile.mkdtemp()


def listed(name):
    path = os.path.join(root, name)
    return open(path).read().split() if os.path.exists(path) else []


def run(command, folder=root):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit((done.stdout + done.stderr)[-4000:])
    return done.stdout


[cecil] = glob.glob("/usr/lib/mono/gac/Mono.Cecil/0.11*/Mono.Cecil.dll")
reader = os.path.join(temp, "reader.exe")
run(["mcs", "-out:" + reader, "-r:" + cecil, "-r:Mono.CompilerServices.SymbolWriter", os.path.join(os.path.dirname(os.path.realpath(__file__)), "CSharpCalls.cs")])
assembly = os.path.join(temp, "project.dll")
libraries = "System.Core System.Xml System.Xml.Linq System.Data System.Numerics System.Drawing System.Windows.Forms System.Runtime.Serialization Microsoft.CSharp System.Security System.Configuration".split()
command = ["mcs", "-target:library", "-debug", "-define:DEBUG;TRACE", "-unsafe", "-nowarn:0-9999", "-langversion:latest", "-out:" + assembly]
command += ["-r:" + name for name in libraries + listed(".references")]
command += ["-define:" + name for name in listed(".defines")]
# A generated file may state the lines of the file that it is made from (`#line`): it is compiled without them.
LINE = re.compile(r"^[ \t]*#[ \t]*line\b.*", re.M)
sources = glob.glob("**/*.cs", root_dir=root, recursive=True)
whole = {path: open(os.path.join(root, path), encoding="utf-8-sig", errors="replace").read() for path in sources}
built = root
if any(LINE.search(text) for text in whole.values()):
    built = os.path.join(os.path.realpath(temp), "text")
    for path, text in whole.items():
        os.makedirs(os.path.dirname(os.path.join(built, path)), exist_ok=True)
        with open(os.path.join(built, path), "w") as copy:
            copy.write(LINE.sub("", text))
run(command + sources, built)
os.environ["MONO_PATH"] = os.path.dirname(cecil)
methods = json.loads(run(["mono", reader, assembly]))["methods"]

declared, type_lines, structures = {}, {}, set()
for path, lines in texts.items():
    stack, depth = [], 0
    for number, text in enumerate(lines, 1):
        plain = re.sub(r'//.*|"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', "", text)
        opened = re.search(r"^[^=(]*\b(?:class|struct|interface)\s+(\w+)", plain)
        if opened:
            structures.update(re.findall(r"\bstruct\s+(\w+)", plain))
            stack.append((opened[1], depth))
            type_lines.setdefault(opened[1], []).append((path, number))
        elif stack:
            for name in re.findall(r"\b(\w+)\s*(?:<[\w\s,]*>)?\s*\(", plain):
                declared.setdefault((stack[-1][0], name), []).append((path, number))
        for char in plain:
            depth += (char == "{") - (char == "}")
        while stack and depth <= stack[-1][1] and "}" in plain:
            stack.pop()


def places(target):
    """A constructor counts as its class; a method without a body is where the text of its type has the name."""
    if target["made"]:
        return []
    name = target["name"]
    if name == ".ctor":
        own = [{"path": path, "name": target["type"], "line": line} for path, line in type_lines.get(target["type"], [])]
        if "file" in target:
            own.append({"path": os.path.relpath(target["file"], built), "name": target["type"], "line": target["line"]})
        return own
    if "file" in target:
        return [{"path": os.path.relpath(target["file"], built), "name": name, "line": target["line"]}]
    return [{"path": path, "name": name, "line": line} for path, line in declared.get((target["type"], name), [])]


calls, decided, judged = {}, set(), set()
unsure = set()
for method in methods:
    file = os.path.relpath(method["file"], built)
    if file not in texts:
        continue
    own = sorted(method["lines"])
    for number in range(own[0], own[-1] + 1):
        decided.add((file, number))
    for call in method["calls"]:
        name = call["name"].split(".")[-1]
        if call["special"] or name.startswith("op_") or name == "cctor":
            continue
        shown = call["type"] if call["name"] == ".ctor" else name
        # The name of an attribute may be written without its ending.
        written = re.sub(r"Attribute$", "(?:Attribute)?", re.escape(shown)) if call["name"] == ".ctor" else re.escape(shown)
        later = [line for line in own if line > call["line"]]
        end = min(later[0] if later else call["line"] + 20, call["line"] + 40)
        pattern = re.compile(rf"\b{written}\b\s*(<[^()]*>)?\s*\(") if call["kind"] != "ldftn" else re.compile(rf"\b{written}\b")
        if call["name"] == ".ctor":
            # Structures are made by a plain call, too.
            made = rf"\bnew\s+(?:[\w.:]|<[^()]*>)*\b{written}\b"
            pattern = re.compile(made + r"|\b(?:this|base)\s*\(" if call["kind"] == "call" else made)
        found = [number for number in range(call["line"], end + 1) if number <= len(texts[file]) and pattern.search(texts[file][number - 1])]
        line = found[0] if found else call["line"]
        judged.add((file, line, shown))
        targets = [place for target in call["targets"] for place in places(target)]
        if not found:
            continue
        if not targets:
            # The text may mean a method that overrides one of a library.
            if call["virtual"] or call["targets"]:
                unsure.add(f"{file}:{line}:{shown}")
            continue
        times = len(pattern.findall(texts[file][line - 1]))
        same = calls.setdefault((file, line, shown), [])
        if len(same) < times:
            same.append({"path": file, "line": line, "targets": targets})
undecided = list(unsure)
# Making an empty structure, or one from its fields, is not a call.
for path, lines in texts.items():
    for number, text in enumerate(lines, 1):
        made = re.findall(r"\bnew\s+(?:\w+\.)*(\w+)\s*(?:<[^(){};]*>)?\s*(?:\(\s*\)|\{|$)", text)
        undecided += [f"{path}:{number}:{name}" for name in made if name in structures]
for path, lines in texts.items():
    # A part that the compiler left out has no line with code.
    skipped, open_ifs = set(), []
    with_code = {number for method in methods if os.path.relpath(method["file"], built) == path for number in method["lines"]}
    for number, text in enumerate(lines, 1):
        if re.match(r"\s*#\s*(if|else|elif|endif)\b", text):
            if open_ifs and not re.match(r"\s*#\s*if\b", text):
                begin = open_ifs.pop()
                if not any(begin < each < number for each in with_code):
                    skipped.update(range(begin, number))
            if not re.match(r"\s*#\s*endif\b", text):
                open_ifs.append(number)
    for number, text in enumerate(lines, 1):
        if (path, number) not in decided or number in skipped:
            undecided += [f"{path}:{number}:{name}" for name in set(re.findall(r"\w+", text))]
print(json.dumps({"calls": [call for same in calls.values() for call in same], "imports": [], "undecided": undecided}))
