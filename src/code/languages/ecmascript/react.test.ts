import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

/** Several types have these methods, so that no guess by name can be right. */
const LIBRARY = `export class Item { run() {} tag: Tag | null = null; }
export class Tag { run() {} }
export interface Props { item: Item; tag?: Tag; onChange(item: Item): void; }
export interface Other { onChange(): void; }
export function makeTag() { return new Tag(); }
export function reduce(state: Tag, action: Item) { return state; }
`;

const CASES: CallCases = {
  references: [
    "function f(r: RefObject<Tag | null>, s: React.MutableRefObject<Item>) { r.current?.run(); s.current.run(); }",
    ["Item.run", "Tag.run"],
  ],
  "a reference to an object type": [
    "function f() { const r = useRef<{ tag: Tag } | null>(null); r.current?.tag.run(); }",
    ["Tag.run"],
  ],
  "a function that makes the first state": ["function f() { const [t] = useState(makeTag); t.run(); }", ["Tag.run"]],
  "a reducer's state": [
    "function f() { const [t] = React.useReducer(reduce, null); t.run(); const [i] = useReducer((s) => s, new Item()); i.run(); }",
    ["Item", "Item.run", "Tag.run"],
  ],
  "a store outside": [
    "function f() { useSyncExternalStore(() => () => {}, () => makeTag()).run(); }",
    ["Tag.run", "makeTag"],
  ],
  "a context of an object type": [
    "const C = createContext<{ tag: Tag; go: () => void } | undefined>(undefined); function f() { const { tag, go } = useContext(C)!; tag.run(); go(); }",
    ["C.go", "Tag.run"],
  ],
  "a component's type": [
    "const C: FC<Props> = ({ tag, onChange, item }) => { tag?.run(); onChange(item); return null; };",
    ["Props.onChange", "Tag.run"],
  ],
  "what a component is given by a call's types": [
    "const A = forwardRef<Item, Props>(({ tag, onChange }, ref) => { tag?.run(); return null; }); const B = React.memo<Props>(({ item }) => { item.run(); return null; });",
    ["Item.run", "Tag.run"],
  ],
  "properties with children": ["function f({ tag }: React.PropsWithChildren<Props>) { tag?.run(); }", ["Tag.run"]],
  "a component that is a class": [
    "class C extends React.Component<Props, { tag: Tag }> { f() { this.props.onChange(this.props.item); this.state.tag.run(); } }",
    ["Props.onChange", "Tag.run"],
  ],
  "a class of the project with the name of one of React's": [
    "class Component<T> { props!: Item; } class C extends Component<Tag> { f() { this.props.run(); } }",
    ["Item.run"],
  ],
};

describe("TypeScript: React", () => {
  testCalls(CASES, "main.tsx", (text) => ({
    "library.ts": LIBRARY,
    "main.tsx": `import * as React from "react";
import { type FC, type RefObject, createContext, forwardRef, useContext, useReducer, useRef, useState, useSyncExternalStore } from "react";
import { Item, Tag, type Props, makeTag, reduce } from "./library";
${text}
`,
  }));
});
