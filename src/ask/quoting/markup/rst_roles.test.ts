import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutRstMarkup } from "./rst_roles.ts";

test("roles, links and literals of reStructuredText read as on the page", () => {
  const cases: [string, string][] = [
    [":meth:`~.Flask.after_request` runs", "`after_request()` runs"],
    ["see :class:`.Request`", "see `Request`"],
    ["call :py:func:`os.path.join`", "call `os.path.join()`"],
    ["the :doc:`app context <appcontext>` and :ref:`here <x>`", "the app context and here"],
    [":pep:`8` and :envvar:`HOME`", "PEP 8 and `HOME`"],
    ["set ``DEBUG`` to ``1``", "set `DEBUG` to `1`"],
    [
      "see `the site <https://example.com/a>`_ or `EOL calendar`_.",
      "see [the site](https://example.com/a) or EOL calendar.",
    ],
  ];
  for (const [given, expected] of cases) assert.equal(withoutRstMarkup(given), expected);
});

test("Markdown stays as it is", () => {
  for (const text of ["run `npm test` and `a`", "`a_b` `c`d", "[x](y) ``a`b``", "smile :tada: `x`", "no markup"])
    assert.equal(withoutRstMarkup(text), text);
});
