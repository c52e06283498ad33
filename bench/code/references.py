"""Prints path:line of every reference that jedi finds: references.py ROOT PATH LINE COLUMN."""
import sys

import jedi

root, path, line, column = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
project = jedi.Project(root, added_sys_path=[root + "/src"])
script = jedi.Script(path=root + "/" + path, project=project)
for name in script.get_references(line, column, include_builtins=False):
    if name.module_path is None:
        continue
    file = str(name.module_path)
    if file.startswith(root + "/"):
        print(f"{file[len(root) + 1:]}:{name.line}")
