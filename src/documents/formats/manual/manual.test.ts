import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { formatOfName, parseDocument } from "../../parse.ts";
import { isManual, parseManual } from "./manual.ts";

const textOf = (lines: readonly string[]): string => parseManual(lines.join("\n")).text;

describe("manual pages", () => {
  test("with the macros of man: sections, options, code, nested lists, tables", () => {
    const page = [
      '.\\" A comment',
      '.TH SAIL 1 "2024"',
      ".SH NAME",
      "sail \\- hoist \\fIsails\\fP",
      ".SH OPTIONS",
      ".TP",
      "\\fB\\-j\\fR, \\fB\\-\\-jib\\fR=\\fINAME\\fR",
      "The sail in front.",
      ".RS",
      ".IP \\(bu 2",
      "Small.",
      ".IP \\(bu 2",
      "White.",
      ".RE",
      ".TP",
      '.B "\\-\\-reef"',
      "Reduces it.",
      ".SS Example",
      ".nf",
      "sail --jib",
      ".fi",
      ".if t .ds X y",
      ".de Hidden",
      "not shown",
      "..",
      ".TS",
      "l l.",
      "jib\tfront",
      ".TE",
    ];
    assert.equal(
      textOf(page),
      [
        "# NAME",
        "",
        "sail - hoist sails",
        "",
        "# OPTIONS",
        "",
        "- -j, --jib=NAME: The sail in front.",
        "  - Small.",
        "  - White.",
        "- --reef: Reduces it.",
        "",
        "## Example",
        "",
        "```",
        "sail --jib",
        "```",
        "",
        "| jib | front |",
      ].join("\n"),
    );
  });

  test("with the macros of mdoc", () => {
    const page = [
      ".Dd May 1, 2024",
      ".Dt SAIL 1",
      ".Sh NAME",
      ".Nm sail",
      ".Nd hoists sails",
      ".Sh DESCRIPTION",
      ".Nm",
      "hoists, see",
      ".Xr reef 8 .",
      ".Bl -tag -width Ds",
      ".It Fl j Ar name",
      "The jib, which is",
      ".Pq small .",
      ".El",
    ];
    assert.equal(
      textOf(page),
      "# NAME\n\nsail - hoists sails\n\n# DESCRIPTION\n\nsail hoists, see reef(8).\n\n- -j name: The jib, which is (small).",
    );
  });

  test("by name and content: a release, a library or a log is none", async () => {
    assert.deepEqual(
      ["man/sail.1", "sail.conf.5", "SAIL_read.3ssl", "v1.2", "libsail.so.1", "access.log.1", "notes-2.1"].map(
        formatOfName,
      ),
      ["manual", "manual", "manual", undefined, undefined, undefined, undefined],
    );
    assert.equal(isManual("Sails.\n.TH is a macro\n"), false);
    const read = await parseDocument("sail.1", Buffer.from("# Sails\n\n## Jib\n\nText."));
    assert.equal("document" in read && read.document.format, "markdown");
  });
});
