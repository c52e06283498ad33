import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, callEdgesOf, testCalls } from "../../../../test/support/code.ts";
import { builtText } from "./conditions.ts";

const LIBRARY = `using System; using System.Collections.Generic; using System.Threading.Tasks;
namespace App;
public interface INode { int Len(); }
public class Item : INode { public int Len() => 1; public Rec Rec { get; } public Rec this[int i] => null; public event Action<Rec> Done; public Task<Rec> Load() => null; }
public class Rec : INode { public int Len() => 2; public Item Item { get; } public List<Item> Items { get; } public (Item item, Rec rec) Pair() => default; public bool Try(out Item found) { found = null; return true; } }
public class Box<T> { public T Value { get; } public T Get() => Value; public Box<U> Map<U>(Func<T, U> f) => null; public void Each(Action<T> a) {} public static Box<T> Of(T t) => null; }
public class Sub : Box<Rec> {}
public class Recs : List<Rec> {}
public record Point(Rec First, Item Second);
public static class Added { public static T Also<T>(this T t, Action<T> a) => t; public static Item ToItem(this Rec r) => null; }
public static class Factory { public static T Create<T>() where T : new() => new T(); public static T Id<T>(T t) => t; public static Rec Make() => null; }
public delegate Rec Maker(Item i);
public class Options { public Action<Rec> OnDone { get; set; } public Lazy<Item> Late; }
`;

const within = (body: string) =>
  `class Main { void F(Rec r, Item i, List<Rec> l, Dictionary<string, Rec> d, object o) { ${body} } }`;

/** A file of the same namespace, and the definitions of the library that it is known to call. */
const CASES: CallCases = {
  "elements of a list": [within("l[0].Len(); foreach (var x in l) x.Len(); l.ForEach(x => x.Len());"), ["Rec.Len"]],
  "values of a dictionary": [
    within("d[``].Len(); foreach (var e in d) e.Value.Len();".replaceAll("`", '"')),
    ["Rec.Len"],
  ],
  "a dictionary taken apart": [
    within("foreach (var (k, v) in d) v.Len(); if (d.TryGetValue(null, out var x)) x.Len();"),
    ["Rec.Len"],
  ],
  "what functions make of a list": [within("l.Where(x => x != null).Select(x => x.Item).First().Len();"), ["Item.Len"]],
  "lists in lists": [within("l.SelectMany(x => x.Items).ToList()[0].Len();"), ["Item.Len"]],
  "groups and dictionaries of a list": [
    within("foreach (var g in l.GroupBy(x => x.Item)) { g.Key.Len(); } l.ToDictionary(x => x.Item, x => x)[i].Len();"),
    ["Item.Len", "Rec.Len"],
  ],
  "a list of the project": [
    within("new Recs().First().Len(); foreach (var x in new Recs()) x.Len();"),
    ["Rec.Len", "Recs"],
  ],
  "a task": [
    "class Main { async void F(Item i) { (await i.Load()).Len(); i.Load().Result.Len(); } }",
    ["Item.Load", "Rec.Len"],
  ],
  "a value that is made late": [within("new Options().Late.Value.Len();"), ["Item.Len", "Options"]],
  "the argument of a generic type": [
    "class Main { void F(Box<Rec> b) { b.Get().Len(); b.Value.Len(); b.Each(x => x.Len()); } }",
    ["Box.Each", "Box.Get", "Rec.Len"],
  ],
  "a static member of a generic type": [within("Box<Rec>.Of(null).Get().Len();"), ["Box.Get", "Box.Of", "Rec.Len"]],
  "the argument of a base": [within("new Sub().Get().Len();"), ["Box.Get", "Rec.Len", "Sub"]],
  "a type parameter that a function tells": [
    "class Main { void F(Box<Rec> b) { b.Map(x => x.Item).Get().Len(); } }",
    ["Box.Get", "Box.Map", "Item.Len"],
  ],
  "a type parameter that a call states": [within("Factory.Create<Item>().Len();"), ["Factory.Create", "Item.Len"]],
  "a type parameter that an argument tells": [within("Factory.Id(r).Len();"), ["Factory.Id", "Rec.Len"]],
  "the bound of a type parameter": [
    "class Main<T> where T : Rec { T held; void F<U>(U u) where U : Item { held.Len(); u.Len(); } }",
    ["Item.Len", "Rec.Len"],
  ],
  "an extension method": [
    within("r.ToItem().Len(); r.Also(x => x.Len());"),
    ["Added.Also", "Added.ToItem", "Item.Len", "Rec.Len"],
  ],
  tuples: [
    within("r.Pair().item.Len(); var (a, b) = r.Pair(); b.Len(); var t = (r, i); t.Item2.Len();"),
    ["Item.Len", "Rec.Len", "Rec.Pair"],
  ],
  "an object without a type": [
    within("var a = new { r.Item, Other = r }; a.Item.Len(); a.Other.Len();"),
    ["Item.Len", "Rec.Len"],
  ],
  "a record": ["class Main { void F(Point p) { p.First.Len(); var (a, b) = p; b.Len(); } }", ["Item.Len", "Rec.Len"]],
  "what a method writes": [within("r.Try(out var found); found.Len();"), ["Item.Len", "Rec.Try"]],
  "parts of a pattern": [
    within("if (o is Rec { Item: var x }) x.Len(); if (o is Item { Rec: { } y }) y.Len();"),
    ["Item.Len", "Rec.Len"],
  ],
  "cases with the same name": [
    within("switch (o) { case Rec x: x.Len(); break; case Item x: x.Len(); break; }"),
    ["Item.Len", "Rec.Len"],
  ],
  "a variable of another case": [
    within("switch (0) { case 0: Rec x = null; break; case 1: x = r; x.Len(); break; }"),
    ["Rec.Len"],
  ],
  "the value of a switch": [within("var x = o switch { null => r, _ => null }; x.Len();"), ["Rec.Len"]],
  delegates: [
    "class Main { Func<Item> make; void F(Maker m, Func<Rec, Item> f) { m(null).Len(); f(null).Len(); make?.Invoke().Len(); } }",
    ["Item.Len", "Rec.Len"],
  ],
  "a function where a delegate is expected": [
    within("Maker m = x => { x.Len(); return null; }; i.Done += x => x.Len();"),
    ["Item.Len", "Rec.Len"],
  ],
  "a member that is set in place": [within("new Options { OnDone = x => x.Len() };"), ["Options", "Rec.Len"]],
  "an indexer": [within("i[0].Len(); i?[0].Len();"), ["Rec.Len"]],
  "a query": [within("var q = from x in l from y in x.Items select y.Len();"), ["Item.Len"]],
  "a method that is passed on": ["class Main { void G(Rec r) { } void F(List<Rec> l) { l.ForEach(G); } }", ["Main.G"]],
  "a type that has the name of a property": [
    "class Main { Rec Rec { get; } void F() { new Rec().Len(); } }",
    ["Rec", "Rec.Len"],
  ],
  "the type of a value": [
    "class Main { void GetType(int a) {} void F() { this.GetType(); GetType(1); } }",
    ["Main.GetType"],
  ],
};

describe("C#", () => {
  testCalls(CASES, "Main.cs", (text) => ({
    "Library.cs": LIBRARY,
    "Main.cs": `using System; using System.Collections.Generic; using System.Linq;\nnamespace App;\n${text}\n`,
  }));

  test("aliases and static imports", async () => {
    const edges = await callEdgesOf(
      {
        "Library.cs": LIBRARY,
        "Main.cs": "using static App.Factory;\nusing R = App.Rec;\nclass Main { void F(R r) { r.Len(); Make(); } }\n",
      },
      "Main.cs",
    );
    assert.deepEqual(edges.map(({ entity }) => entity.qualified).sort(), ["Factory.Make", "Rec.Len"]);
  });

  test("the own namespace comes before an imported one", async () => {
    const type = (module: string) => `namespace ${module};\npublic class Table { public void Add() {} }\n`;
    const main = "using App.Reading;\nnamespace App.Writing;\nclass Main { void F(Table t) { t.Add(); } }\n";
    const files = { "A.cs": type("App.Reading"), "B.cs": type("App.Writing"), "Main.cs": main };
    assert.deepEqual(
      (await callEdgesOf(files, "Main.cs")).map(({ entity }) => entity.path),
      ["B.cs"],
    );
  });

  test("a condition in the middle of a definition", async () => {
    const main =
      "class Main : Base\n#if !OLD\n, IOther\n#endif\n{\n  void G() {}\n  void F() {\n#if SAFE\n    try {\n#endif\n    G();\n#if SAFE\n    } finally { }\n#endif\n  }\n}\n";
    const edges = await callEdgesOf({ "Main.cs": main }, "Main.cs");
    assert.deepEqual(
      edges.map(({ entity }) => entity.qualified),
      ["Main.G"],
    );
  });

  test("an overload that only a base has", async () => {
    const files = {
      "Base.cs":
        "namespace App; public abstract class Base { public class Part { public Part Next() => this; } protected void Run(int a, int b = 0) {} }",
      "Main.cs":
        "namespace App; partial class Main : Base { void Run() {} bool Equals(Main o) => true; void F(Part p) { Run(1); Run(); Equals(1, 2); p.Next(); More(1); } void More() {} }",
      "Main.More.cs": "namespace App; partial class Main { void More(int a) {} }",
    };
    const edges = await callEdgesOf(files, "Main.cs");
    assert.deepEqual(edges.map(({ entity }) => `${entity.path} ${entity.qualified}`).sort(), [
      "Base.cs Base.Part.Next",
      "Base.cs Base.Run",
      "Main.More.cs Main.More",
      "Main.cs Main.Run",
    ]);
  });

  test("the text of a usual build", () => {
    const kept = (text: string) => builtText(text)?.replaceAll(/\s+/g, "");
    assert.equal(builtText("class A {}\n"), undefined);
    assert.equal(kept("#if NET35\na\n#elif NET6_0_OR_GREATER // new\nb\n#else\nc\n#endif\nd"), "bd");
    assert.equal(kept("#if !(A || B) && (true)\na\n#if C\nb\n#else\nc\n#endif\n#else\nd\n#endif"), "ac");
    assert.equal(kept("#if A\n#if true\na\n#endif\n#else\nb\n#endif\n#endif\nc"), "bc");
    assert.equal(kept("#define A\n#if A\na\n#undef A\n#endif\n#if A\nb\n#endif"), "#defineAa#undefA");
    assert.equal(builtText("#if A\r\nb\r\n#endif\r\nc")?.length, "#if A\r\nb\r\n#endif\r\nc".length);
  });
});
