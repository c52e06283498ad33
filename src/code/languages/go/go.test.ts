import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, callEdgesOf, testCalls } from "../../../../test/support/code.ts";
import { goBuild } from "./build.ts";

const LIBRARY = `package app
import "sync"

type Node interface { Len() int; Split() (int, Node) }
type Item struct { Value Node }
func (i *Item) Len() int { return 1 }
type Result int
func (r Result) Len() int { return 1 }
type Equal func(a, b int) Result
type List []Item
type Names map[string]*Item
type Pair [2]*Item
type Stream chan *Item
type Stack[T any] struct { top T }
func (s *Stack[T]) Pop() T { return s.top }
type Base struct { items Names }
func (b *Base) Draw() {}
type View struct { sync.Mutex; *Base; equal Equal; inner interface { Node } }
func two() (*Item, Result) { return nil, 0 }
`;

/** A file of the same package, and the definitions of the library that it is known to call. */
const CASES: CallCases = {
  "elements of a named list": ["func f(l List, p *List) { l[0].Len(); for _, x := range l { x.Len() } }", ["Item.Len"]],
  "an element through a pointer, and of a part": ["func f(p *List) { (*p)[0].Len(); (*p)[1:][0].Len() }", ["Item.Len"]],
  "values of a named map": ["func f(n Names) { n[`a`].Len(); v, ok := n[`b`]; _ = ok; v.Len() }", ["Item.Len"]],
  "elements of an array": ["func f(p Pair, q [2]Result) { p[0].Len(); q[1].Len() }", ["Item.Len", "Result.Len"]],
  "a channel": ["func f(s Stream) { (<-s).Len(); for x := range s { x.Len() } }", ["Item.Len"]],
  "keys of a map": ["func f(m map[Result]int) { for k := range m { k.Len() } }", ["Result.Len"]],
  "the result of a function type": ["func f(e Equal, v *View) { e(1, 2).Len(); v.equal(1, 2).Len() }", ["Result.Len"]],
  "each of several results": ["func f() { i, r := two(); i.Len(); r.Len() }", ["Item.Len", "Result.Len", "two"]],
  "the second result only": [
    "func f(n Node) { var _, r = two(); r.Len(); _, m := n.Split(); m.Len() }",
    ["Node.Len", "Node.Split", "Result.Len", "two"],
  ],
  "several values": ["func f() { i, r := &Item{}, Result(1); i.Len(); r.Len() }", ["Item.Len", "Result.Len"]],
  "the language's own functions": [
    "func f() { new(Item).Len(); l := make([]*Item, 1); l = append(l, nil); l[0].Len() }",
    ["Item.Len"],
  ],
  "lists and maps in place": [
    "func f() { a := []Item{{}}; a[0].Len(); b := map[string]Result{}; b[`x`].Len() }",
    ["Item.Len", "Result.Len"],
  ],
  "a conversion": ["func f() { Result(3).Len(); List(nil)[0].Len() }", ["Item.Len", "Result.Len"]],
  "the argument of a generic type": [
    "func f(s *Stack[*Item]) { s.Pop().Len(); s.top.Len() }",
    ["Item.Len", "Stack.Pop"],
  ],
  "a type without a name": ["func f() { for _, t := range []struct{ r Result }{} { t.r.Len() } }", ["Result.Len"]],
  "an embedded type, also by its name": [
    "func f(v *View) { v.Draw(); v.Base.Draw(); v.items[`a`].Len() }",
    ["Base.Draw", "Item.Len"],
  ],
  "an interface without a name": ["func f(v *View) { v.inner.Len() }", ["Node.Len"]],
  "the parameters of a function type are not those of the function": [
    "func f(v *View, done func(v Result)) { v.Draw() }",
    ["Base.Draw"],
  ],
};

describe("Go", () => {
  testCalls(CASES, "main.go", (text) => ({
    "go.mod": "module example.com/app\n",
    "library.go": LIBRARY,
    "main.go": `package app\n${text}\n`,
  }));

  test("of two definitions for different builds, the usual one and the one of the same build are chosen", async () => {
    const files = {
      "go.mod": "module example.com/app\n",
      "a_windows.go": "package app\nfunc open() {}\nfunc g() { read() }\n",
      "b.go": "//go:build !windows\n\npackage app\nfunc open() {}\nfunc read() {}\n",
      "c_windows.go": "package app\nfunc read() {}\n",
      "main.go": "package app\nfunc f() { open() }\n",
    };
    const called = async (path: string) => (await callEdgesOf(files, path)).map(({ entity }) => entity.path);
    assert.deepEqual(await called("main.go"), ["b.go"]);
    assert.deepEqual(await called("a_windows.go"), ["c_windows.go"]);
  });

  test("a package has the name that its files state, whatever its folder is called", async () => {
    const files = {
      "go.mod": "module example.com/go-shop\n",
      "shop.go": "package shop\nfunc Open() {}\n",
      "v2/shop.go": "package shop2\nfunc Open() {}\ntype Box struct{}\nfunc (b Box) Run() {}\n",
      "cart-store/a.go": "package store\nfunc Open() {}\n",
      "cart-store/a_gen.go": "//go:build ignore\n\npackage main\nfunc Save() {}\n",
      "list.v3/a.go": "package list\nfunc Open() {}\n",
      "other/a.go": `package other
import (
  "example.com/go-shop"
  "example.com/go-shop/v2"
  "example.com/go-shop/cart-store"
  "example.com/go-shop/list.v3"
)
func F(b shop2.Box) { shop.Open(); shop2.Open(); b.Run(); store.Open(); list.Open(); store.Save() }
`,
    };
    const called = (await callEdgesOf(files, "other/a.go")).map(({ entity }) => `${entity.path} ${entity.qualified}`);
    const wanted = [
      "cart-store/a.go Open",
      "list.v3/a.go Open",
      "shop.go Open",
      "v2/shop.go Box.Run",
      "v2/shop.go Open",
    ];
    assert.deepEqual(called.sort(), wanted);
  });

  test("the condition of a build", () => {
    const usual = (head: string, path = "a.go") => goBuild(`${head}\npackage a\n`, path) === undefined;
    assert.ok(usual(""));
    assert.ok(usual("", "a_linux.go") && usual("", "a_linux_amd64.go") && usual("", "linux.go"));
    assert.ok(!usual("", "a_windows.go") && !usual("", "a_linux_arm64.go") && !usual("", "a_arm64_test.go"));
    assert.ok(usual("// Copyright\n/* a\n b */\n//go:build (linux || darwin) && !race"));
    assert.ok(!usual("//go:build !(linux || darwin)") && !usual("//go:build ignore") && !usual("//go:build !go1.18"));
    assert.ok(usual("// +build linux,amd64 darwin\n// +build !race") && !usual("// +build windows darwin"));
    assert.ok(usual("x\n//go:build windows"), "only the comments before the package state a condition");
    assert.ok(!usual("//go:build (((("), "a condition that cannot be read does not hold");
  });
});
