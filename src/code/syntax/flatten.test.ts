import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tree } from "web-tree-sitter";
import { loadLanguage } from "../languages/registry.ts";
import { loadGrammar } from "../parsing/parser.ts";
import type { SyntaxTree } from "./tree.ts";

/** Texts with fields, nodes that have another name in some places, comments between, errors, and missing parts. */
const TEXTS: Record<string, string> = {
  typescript: `/** a */ export class A<T> extends B<T> { #x?: number = 1; get y(): string { return \`é\${this.#x}𝒳\`; } }\nfor (const [a, { b = 2 }] of c) if (a?.b) d(...e); // end\nenum E { A = 1, B }`,
  tsx: "const a = <B c={d} {...e}><F.G>é {/* x */ h}</F.G></B>;",
  javascript: "const { a, b: [c = 1] } = require('x'), f = async (x) => { await x; };\nlabel: while (1) break label;",
  python: "@a.b\nasync def f(x: int = 1, *y, **z) -> str:\n    '''doc'''\n    return [i async for i in x if i]  # é\n",
  go: 'package a\n\nimport b "c"\n\nfunc (s *S[T]) F(a, b int, c ...string) (x error) { defer s.f(); return nil }\n',
  rust: "impl<'a, T: A> B for &'a C<T> { type D = E; fn f(&mut self, (a, b): (u8, u8)) -> F { g!(a + b); x?.y } }",
  java: "@A package b; class C<D extends E> implements F { int x = 1, y[] = {2}; void f(G... g) throws H { i.<J>k(); } }",
  kotlin: "data class A(val b: Int = 1) : C(b), D { fun <T> T.f() = when (b) { 1 -> 2; else -> 3 } }",
  c: "#include <a.h>\n#define B(c) c + 1\nstatic struct d { int e : 2; } *f(int g, ...) { return (struct d *)g->h[1]; }",
  cpp: "template <class T> class A : public B<T> { virtual ~A() = default; auto f() const -> T { return [&](int x) { return x; }; } };",
  csharp: "namespace A; class B<T> : C where T : new() { public int D { get; set; } = 1; E F => g?.H(out var i); }",
  ruby: 'module A\n  class B < C::D\n    def f(a, *b, c: 1, &d)\n      yield a unless b\n      @x ||= "é#{c}"\n    end\n  end\nend\n__END__\nrest',
  php: "<p><?php namespace A; class B extends C { use D; private ?E $f = null; function g(int ...$h): static { return $this?->i[1]; } } ?></p>",
  scala:
    "object A { case class B[T](c: Int = 1) extends D; def f(x: Int)(implicit y: E): F = x match { case 1 => y } }",
  lua: "local a, b = 1, 'c'\nfunction t.u:v(w, ...) for k, x in pairs(w) do return k .. x end end -- é",
};
const BROKEN = ["", "  \n\n", "é", "((((", "class {", "} } )", "\u0000 a b c = = ="];

for (const [name, text] of Object.entries(TEXTS)) {
  test(`${name}: nodes in the parser's memory are those of its cursor`, async () => {
    const { parse, read } = await loadGrammar(await loadLanguage(name));
    const cut = [0.3, 0.5, 0.8].map((part) => text.slice(0, Math.floor(text.length * part)));
    const many = `${text}\n`.repeat(200);
    for (const each of [text, many, ...cut, ...BROKEN, ...BROKEN.map((broken) => `${text}\n${broken}\n${text}`)]) {
      const parsed = parse(each);
      assert.ok(parsed);
      const expected = withCursor(parsed);
      parsed.delete();
      const found = read(each);
      assert.ok(found);
      assert.deepEqual(inArrays(found.tree), expected);
    }
  });
}

function inArrays({ size, types, fields, starts, ends, parents, nexts }: SyntaxTree): number[][] {
  return [types, fields, starts, ends, parents, nexts].map((array) => [...array.subarray(0, size)]);
}

function withCursor(parsed: Tree): number[][] {
  const [types, fields, starts, ends]: [number[], number[], number[], number[]] = [[], [], [], []];
  const [parents, nexts]: [number[], number[]] = [[], []];
  const cursor = parsed.walk();
  const visit = (parent: number): void => {
    const at = types.length;
    types.push(cursor.nodeTypeId);
    fields.push(cursor.currentFieldId);
    starts.push(cursor.startIndex);
    ends.push(cursor.endIndex);
    parents.push(parent);
    nexts.push(0);
    if (cursor.gotoFirstChild()) {
      do visit(at);
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    nexts[at] = types.length;
  };
  visit(-1);
  cursor.delete();
  return [types, fields, starts, ends, parents, nexts];
}
