"""What Python's own parser can say for certain about calls and imports, to hold dex's answers against.

Usage: python3 bench/code/oracles/python.py ROOT < paths (one a line) > JSON

A call is decided when its name is bound once in its scope, or leads through imports, `self`, a class name or `super()` to
a definition of the given files. What depends on values is undecided and is listed as such.
"""

import ast
import builtins
import json
import os
import sys

ROOT = sys.argv[1]
PATHS = [line.rstrip("\n") for line in sys.stdin if line.strip()]
BUILTINS = set(dir(builtins))
UNKNOWN = object()


class Scope:
    """Names bound in a module, class or function, each with all that binds it."""

    def __init__(self, module, node, parent):
        self.module, self.node, self.parent = module, node, parent
        self.names, self.stars, self.globals = {}, [], set()

    def bind(self, name, what):
        self.names.setdefault(name, []).append(what)


class Module:
    def __init__(self, path, name, is_package):
        self.path, self.name, self.is_package = path, name, is_package
        self.tree = self.top = None


def collect(scope, nodes):
    """Binds what these statements bind in this scope, without going into inner ones."""
    stack = list(nodes)
    while stack:
        node = stack.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            scope.bind(node.name, ("def", scope.module, node, scope))
            stack.extend(node.decorator_list)
            continue
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                scope.bind(name, ("module", alias.name if alias.asname else name))
        elif isinstance(node, ast.ImportFrom):
            source = absolute(scope.module, node)
            for alias in node.names:
                if alias.name == "*":
                    scope.stars.append(source)
                else:
                    scope.bind(alias.asname or alias.name, ("from", source, alias.name))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            scope.globals.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            scope.bind(node.id, UNKNOWN)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name, UNKNOWN)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            scope.bind(node.name, UNKNOWN)
        stack[:0] = list(ast.iter_child_nodes(node))


def absolute(module, node):
    if not node.level:
        return node.module
    parts = module.name.split(".")
    parts = parts if module.is_package else parts[:-1]
    base = parts[: len(parts) - (node.level - 1)] if node.level > 1 else parts
    return ".".join(base + ([node.module] if node.module else []))


MODULES = {}
for path in PATHS:
    name = path[: -len(".py")].replace("/", ".")
    package = name == "__init__" or name.endswith(".__init__")
    MODULES[name[: -len(".__init__")] if package else name] = Module(path, name[: -len(".__init__")] if package else name, package)
for module in MODULES.values():
    with open(os.path.join(ROOT, module.path), "rb") as file:
        try:
            module.tree = ast.parse(file.read())
        except (SyntaxError, ValueError):
            module.tree = ast.Module(body=[], type_ignores=[])
    module.top = Scope(module, module.tree, None)
    collect(module.top, module.tree.body)


def in_module(name, attribute, depth=0):
    """What `name.attribute` is: definitions, a module, nothing known to be there (None), or unknown."""
    module = MODULES.get(name)
    if module is None or depth > 12:
        return UNKNOWN
    if attribute in module.top.names:
        return follow(module.top.names[attribute], depth + 1)
    inner = f"{name}.{attribute}"
    if inner in MODULES:
        return ("module", inner)
    for star in module.top.stars:
        found = in_module(star, attribute, depth + 1)
        if found is not None:
            return found
    return None


def follow(binders, depth=0):
    """All binders of a name together: definitions count, what cannot be followed makes it unknown."""
    found = []
    for binder in binders:
        if binder is UNKNOWN:
            return UNKNOWN
        if binder[0] == "def":
            found.append(binder)
        elif binder[0] == "module":
            if len(binders) > 1:
                return UNKNOWN
            return binder if binder[1] in MODULES else UNKNOWN
        else:
            value = in_module(binder[1], binder[2], depth + 1)
            if value is None or value is UNKNOWN:
                return UNKNOWN
            if value[0] == "module":
                return value if len(binders) == 1 else UNKNOWN
            found.extend(value[1])
    return ("defs", found)


def look_up(scope, name):
    at = scope
    inner = True
    while at is not None:
        visible = inner or not isinstance(at.node, ast.ClassDef)
        inner = False
        if visible and name in at.names:
            if name in at.globals:
                return UNKNOWN
            return follow(at.names[name])
        if visible and at.stars:
            for star in at.stars:
                found = in_module(star, name)
                if found is not None:
                    return found
        at = at.parent
    return None if name in BUILTINS else UNKNOWN


def class_member(binder, name, seen, skip_own=False):
    """A method by the order of bases; unknown as soon as a base is."""
    _, module, node, scope = binder
    if not isinstance(node, ast.ClassDef) or id(node) in seen:
        return UNKNOWN
    seen.add(id(node))
    if not skip_own:
        inner = SCOPES[id(node)]
        if name in inner.names:
            return follow(inner.names[name])
    for base in node.bases:
        value = evaluate(base, scope)
        if value is UNKNOWN or value is None or value[0] != "defs" or len(value[1]) != 1:
            if value is None and isinstance(base, ast.Name) and base.id == "object":
                continue
            return UNKNOWN
        found = class_member(value[1][0], name, seen)
        if found is not None:
            return found
    return None


def evaluate(node, scope):
    if isinstance(node, ast.Name):
        owner = self_class(node.id, scope)
        return ("self", owner) if owner else look_up(scope, node.id)
    if isinstance(node, ast.Attribute):
        of = evaluate(node.value, scope)
        if of is UNKNOWN or of is None:
            return UNKNOWN
        if of[0] == "module":
            found = in_module(of[1], node.attr)
            return UNKNOWN if found is None else found
        if of[0] in ("self", "super"):
            found = class_member(of[1], node.attr, set(), of[0] == "super")
            return UNKNOWN if found is None else found
        if of[0] == "defs" and len(of[1]) == 1 and isinstance(of[1][0][2], ast.ClassDef):
            found = class_member(of[1][0], node.attr, set())
            return UNKNOWN if found is None else found
        return UNKNOWN
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        at = scope
        while at is not None:
            if at.parent is not None and isinstance(at.parent.node, ast.ClassDef):
                return ("super", CLASSES[id(at.parent.node)])
            at = at.parent
    return UNKNOWN


def self_class(name, scope):
    """The class whose instance a first parameter is."""
    at = scope
    while at is not None:
        node = at.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and name in at.names:
            args = node.args.posonlyargs + node.args.args
            method = at.parent is not None and isinstance(at.parent.node, ast.ClassDef)
            plain = not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
            if method and plain and args and args[0].arg == name and len(at.names[name]) == 1:
                return CLASSES[id(at.parent.node)]
            return None
        if name in at.names and not isinstance(node, ast.ClassDef):
            return None
        at = at.parent
    return None


SCOPES, CLASSES, WORK = {}, {}, []


def enter(node, scope):
    """Makes the scopes of everything inside, and notes the calls."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = Scope(scope.module, child, scope)
            for arg in ast.walk(child.args):
                if isinstance(arg, ast.arg):
                    inner.bind(arg.arg, UNKNOWN)
            collect(inner, child.body if isinstance(child.body, list) else [child.body])
            for outside in (child.decorator_list if not isinstance(child, ast.Lambda) else []):
                enter_one(outside, scope)
            for default in child.args.defaults + [d for d in child.args.kw_defaults if d]:
                enter_one(default, scope)
            body = ast.Module(body=child.body, type_ignores=[]) if isinstance(child.body, list) else ast.Expr(child.body)
            enter(body, inner)
        elif isinstance(child, ast.ClassDef):
            inner = Scope(scope.module, child, scope)
            collect(inner, child.body)
            SCOPES[id(child)] = inner
            CLASSES[id(child)] = ("def", scope.module, child, scope)
            for outside in child.decorator_list + child.bases + [k.value for k in child.keywords]:
                enter_one(outside, scope)
            enter(ast.Module(body=child.body, type_ignores=[]), inner)
        elif isinstance(child, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            inner = Scope(scope.module, child, scope)
            for generator in child.generators:
                collect(inner, [generator.target])
            enter(child, inner)
        else:
            if isinstance(child, ast.Call):
                WORK.append((child, scope))
            enter(child, scope)


def enter_one(node, scope):
    if isinstance(node, ast.Call):
        WORK.append((node, scope))
    enter(node, scope)


for module in MODULES.values():
    enter(module.tree, module.top)

calls, undecided = [], []
for node, scope in WORK:
    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
    value = evaluate(node.func, scope)
    line, path = node.func.end_lineno, scope.module.path
    if value is UNKNOWN or (value is not None and value[0] in ("self", "super")):
        undecided.append(f"{path}:{line}:{name}")
    elif value is not None and value[0] == "defs":
        targets = [{"path": m.path, "name": d.name, "line": d.lineno} for _, m, d, _ in value[1]]
        calls.append({"path": path, "line": line, "targets": targets})

imports = set()
for module in MODULES.values():
    for node in ast.walk(module.tree):
        wanted = []
        if isinstance(node, ast.Import):
            for alias in node.names:
                wanted += [alias.name] if alias.asname else [alias.name, alias.name.split(".")[0]]
        elif isinstance(node, ast.ImportFrom):
            source = absolute(module, node)
            wanted.append(source)
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                known = MODULES.get(source)
                if inner in MODULES and not (known and alias.name in known.top.names):
                    wanted.append(inner)
        for name in wanted:
            target = MODULES.get(name)
            if target and target.path != module.path:
                imports.add(f"{module.path}>{target.path}")

json.dump({"calls": calls, "imports": sorted(imports), "undecided": undecided}, sys.stdout)
