/** Recognises test files, and the name that a test file shares with the file it tests. */

/** By the conventions of the languages: `x.test.ts`, `test_x.py`, `x_test.go`, `FooTest.java`, anything under `tests/`. */
export function isTestPath(path: string): boolean {
  // Every convention has one of these, and most paths have neither.
  if (!path.includes("est") && !path.includes("spec")) return false;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/(^|\/)(tests?|__tests__|spec)\//.test(path)) return true;
  return /[._-](test|spec)s?\.[a-z]+$|^test_.*\.py$|_test\.(go|py|rb|c|cc|cpp)$|_spec\.rb$|Tests?\.(java|kt|cs|php)$/.test(
    name,
  );
}

/** A file's name without its extension and test marker. */
export function stem(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return name.replace(/^test_|_(test|spec)$|(Tests?|Spec)$/, "").toLowerCase();
}

/** Names that files and folders have because of their role. */
const ROLE_NAMES = new Set(["index", "__init__", "main", "mod", "types", "utils", "src", "lib", "test", "tests"]);

/** The words of a file's name without its test marker; those of its folder if the file is named after its role. */
export function nameParts(path: string): string[] {
  const [name = "", folder = ""] = path.split("/").reverse();
  const own = stem(name);
  if (!ROLE_NAMES.has(own)) return partsOf(name.replace(/\..*$/, "")).filter((part) => !TEST_MARKS.has(part));
  return ROLE_NAMES.has(folder.toLowerCase()) ? [] : partsOf(folder);
}

const TEST_MARKS = new Set(["test", "tests", "spec"]);

function partsOf(name: string): string[] {
  return name
    .split(/[-_.]+|(?<=[a-z\d])(?=[A-Z])/)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
}
