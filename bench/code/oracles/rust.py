"""Reads calls of a Rust crate from the compiler's intermediate form, as the reference for scores: the folder of the crate
is the argument, paths of files come on standard input. Prints JSON. Lines without any call that the compiler kept (other
configurations, macros) are listed as undecided. A crate that depends on others is built by cargo, offline, from the
folder of crates that CRATES names."""
import json
import os
import re
import subprocess
import sys
import tempfile

root = os.path.realpath(sys.argv[1])
paths = [line.strip() for line in sys.stdin if line.strip().endswith(".rs")]
texts = {path: open(os.path.join(root, path), errors="replace").read().split("\n") for path in paths}
out = os.path.join(tempfile.mkdtemp(), "out.mir")
options = "-Zmir-opt-level=0 -Zmir-include-spans=on -Ztrim-diagnostic-paths=no --cap-lints=allow --edition=2021".split()
vendored = os.environ.get("CRATES")
if vendored:
    config = ['source.crates-io.replace-with="local"', f'source.local.directory="{vendored}"']
    command = ["cargo", "rustc", "--lib", "--offline", "--target-dir", os.path.dirname(out), "--manifest-path", "Cargo.toml"]
    command += [part for each in config for part in ("--config", each)]
    command += ["--", f"--emit=mir={out}", "-Ccodegen-units=1", *options[:-1]]
else:
    features = [f'--cfg=feature="{name}"' for name in sys.argv[2:]]
    command = ["rustc", "--crate-type=lib", "--crate-name=c", "--emit=mir", "-o", out, "src/lib.rs", *options, *features]
run = subprocess.run(command, cwd=root, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True, text=True)
if run.returncode != 0:
    sys.exit(run.stderr)


def plain(path):
    """Without type arguments and lifetimes."""
    while True:
        shorter = re.sub(r"(::)?<[^<>]*>", "", path.replace("->", ""))
        if shorter == path:
            return path
        path = shorter


def trait_function(path):
    """The type, the trait and the name in `<Type as Trait>::name`; each may have such a path in its arguments."""
    depth, cut, text = 0, None, path.replace("->", "  ")
    for at, char in enumerate(text):
        depth += {"<": 1, ">": -1}.get(char, 0)
        if depth == 1 and cut is None and text.startswith(" as ", at):
            cut = at
        if depth == 0:
            name = re.match(r">::(\w+)(::<.*>)?$", path[at:])
            return (path[1:cut], path[cut + 4 : at], name[1]) if cut and name else None
    return None


def impl_type(file, line, column):
    """The type in `impl … for Type` or `impl Type`."""
    text = " ".join(texts[file][line - 1 : line + 4])[column - 1 :].split("{")[0]
    head = re.sub(r"\bwhere\b.*", "", plain(text))
    return re.split(r"::|\s", re.sub(r"^impl\s*", "", head).split(" for ")[-1].strip("& "))[-1].split()[-1]


# The functions of traits: those without a body have no intermediate form.
of_traits = {}
for file, lines in texts.items():
    trait = None
    for number, text in enumerate(lines, 1):
        head = re.match(r"(\s*)(?:pub(?:\(.*?\))?\s+)?(?:unsafe\s+)?trait\s+(\w+)", text)
        if head:
            trait = (head[1], head[2])
        elif trait and text.startswith(trait[0] + "}"):
            trait = None
        elif trait and (own := re.match(r"\s*(?:unsafe\s+|async\s+)*fn\s+(\w+)", text)):
            of_traits.setdefault((trait[1], own[1]), []).append((file, number, own[1]))
manifest = os.path.join(root, "Cargo.toml")
needed = re.findall(r"^\[dependencies\.([\w-]+)\]", open(manifest).read() if os.path.exists(manifest) else "", re.M)
outside = {"core", "std", "alloc", *(each.replace("-", "_") for each in needed)}


# At the root of the crate the compiler writes a name without a path.
own = {name for lines in texts.values() for text in lines for name in re.findall(r"\b(?:struct|enum|union|trait) (\w+)", text)}


def is_outside(path):
    """A path of another crate, or a type of the language."""
    head = path.strip("&*' ").removeprefix("mut ").removeprefix("dyn ")
    return head.split("::")[0] in outside or not re.match(r"\w+::", head) and plain(head) not in own


definitions, calls, lines_with_calls = {}, [], set()
span = function = None
for text in open(out):
    head = re.match(r"fn (.*?)\(.*\{$", text)
    if head:
        function = head[1]
        continue
    if function is not None:
        place = re.search(r"// return place in scope 0 at (\S+?):(\d+):", text)
        if place:
            file, line = place[1], int(place[2])
            impl = re.match(r"(?:.*::)?<impl at (\S+?):(\d+):(\d+):.*?>::(\w+)$", function)
            name = function.split("::")[-1]
            # The place of the result may be some lines below the name. A macro can make functions that no text defines.
            head = " ".join(texts[file][max(0, line - 16) : line]) if file in texts else ""
            if "{closure" not in function and re.search(rf"\bfn {name}\b", head):
                if impl and impl[1] in texts:
                    owner = impl_type(impl[1], int(impl[2]), int(impl[3]))
                else:
                    owner = function.split("::")[-2] if "::" in function else ""
                definitions.setdefault((owner, name), []).append((file, line, name))
            function = None
    place = re.search(r"\+ span: (\S+?):(\d+):(\d+): (\d+):(\d+)", text)
    if place:
        span = (place[1], int(place[4]))
    called = re.search(r"\+ const_: Const \{ ty: .*val: Value\((.*)\) \}", text)
    if called and span and span[0] in texts:
        known = called[1]
        of_trait = trait_function(known)
        if re.search(r"::call(_mut|_once)?$", known):
            pass
        elif not of_trait and known.split("::")[0] in outside or of_trait and is_outside(of_trait[0]) and is_outside(of_trait[1]):
            lines_with_calls.add(span)
            continue
        if of_trait:
            names = [plain(of_trait[0]).strip("&' ").split("::")[-1], plain(of_trait[1]).split("::")[-1]]
            keys = [(owner, of_trait[2]) for owner in names]
        elif inherent := re.match(r".*<impl (?:.* for )?&?([\w:]+).*>::(\w+)(?:::<.*>)?$", known):
            # An implementation in another module than the type's.
            keys = [(inherent[1].split("::")[-1], inherent[2])]
        else:
            parts = plain(known).split("::")
            keys = [(parts[-2] if len(parts) > 1 else "", parts[-1])]
        lines_with_calls.add(span)
        calls.append((span, keys))
found, seen, abstract = [], {}, []
for (file, line), keys in calls:
    name = keys[0][1]
    targets = [place for key in keys for place in definitions.get(key, []) + of_traits.get(key, [])]
    # Generic code is checked once, but drops and unwinding repeat a call: the text says how often it is there.
    times = len(re.findall(rf"\b{re.escape(name)}\b", texts[file][line - 1]))
    seen[(file, line, name)] = seen.get((file, line, name), 0) + 1
    if name in ("call", "call_mut", "call_once"):
        # A closure: the form does not say which variable holds it.
        abstract += [f"{file}:{line}:{each}" for each in set(re.findall(r"\w+", texts[file][line - 1]))]
    if not targets and len(keys) > 1:
        # A function of a trait without a body has no intermediate form.
        abstract.append(f"{file}:{line}:{name}")
    if not targets or seen[(file, line, name)] > times:
        continue
    # A function that is passed on, not called, or whose body a macro makes.
    if not re.search(rf"(?<!\bfn )\b{re.escape(name)}(::<.*>)?\(", texts[file][line - 1]):
        continue
    found.append({"path": file, "line": line, "targets": [{"path": p, "name": n, "line": at} for p, at, n in targets]})
undecided = abstract
for path, lines in texts.items():
    for number, text in enumerate(lines, 1):
        # A struct, or one form of an enumeration, is made without a call.
        if re.search(r"\b[A-Z]\w*\(", text):
            undecided += [f"{path}:{number}:{name}" for name in own]
        undecided += [f"{path}:{number}:{name}" for name in set(re.findall(r"\b[A-Z]\w*(?=\()", text))]
        if (path, number) not in lines_with_calls:
            undecided.append(f"{path}:{number}:*")
print(json.dumps({"calls": found, "imports": [], "undecided": undecided}))
