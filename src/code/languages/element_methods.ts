/** Methods of the languages' own collections that call a function with each element. */
const PASS_ELEMENT: ReadonlySet<string> = new Set(
  "map filter forEach flatMap find findIndex findLast some every sort toSorted each select reject".split(" "),
);

/** Whether the method passes an element as this parameter of its callback. */
export function receivesElement(method: string, parameter: number): boolean {
  if (method === "reduce") return parameter === 1;
  return PASS_ELEMENT.has(method) && (parameter === 0 || method === "sort" || method === "toSorted");
}
