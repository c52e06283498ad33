"""Lists where the names of called functions stand, by Python's own parser.

Usage: python3 bench/code/oracles/python_call_sites.py ROOT < paths (one a line) > JSON

Lines and columns count from 0; columns are in UTF-16 units, as language servers count them.
"""

import ast
import json
import os
import sys

root = sys.argv[1]
sites = []
for path in (line.rstrip("\n") for line in sys.stdin if line.strip()):
    with open(os.path.join(root, path), "rb") as file:
        source = file.read()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        continue
    lines = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        line = node.func.end_lineno - 1
        before = lines[line][: node.func.end_col_offset - len(name.encode())].decode("utf-8", "replace")
        sites.append({"path": path, "line": line, "column": len(before.encode("utf-16-le")) // 2, "name": name})
json.dump(sites, sys.stdout)
