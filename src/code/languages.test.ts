import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../test/support/code.ts";
import type { Relation } from "../store/code.ts";

/** Each is a small project with its expected edges; there must be no other calls. */
const PROJECTS: Record<string, { files: Record<string, string>; edges: string[] }> = {
  "TypeScript: paths, workspaces, re-exports, types": {
    files: {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      "packages/lib/package.json": '{ "name": "@x/lib", "exports": { ".": "./dist/index.js" } }',
      "packages/lib/src/index.ts":
        "export class Box<T> { open(): Lid { return new Lid(); } }\nexport class Lid { lift() {} }\n",
      "src/util.ts": "export default function helper() {}\nexport function shadowed() {}\n",
      "src/barrel.ts": 'export { default as help } from "@/util";\nexport * from "./util.ts";\n',
      "src/main.ts":
        'import { Box } from "@x/lib";\nimport { help, shadowed } from "./barrel";\n' +
        "export function main(boxes: Box<string>[]) { help(); for (const box of boxes) box.open().lift(); }\n" +
        "export function other(shadowed: () => void) { shadowed(); }\n",
    },
    edges: [
      "src/main.ts#main CALLS src/util.ts#helper import",
      "src/main.ts#main CALLS packages/lib/src/index.ts#Box.open import",
      "src/main.ts#main CALLS packages/lib/src/index.ts#Lid.lift import",
      "packages/lib/src/index.ts#Box.open CALLS packages/lib/src/index.ts#Lid same-file",
    ],
  },
  "TypeScript: parameters of functions whose types only their context states": {
    files: {
      "src/context.ts":
        "export class Context { text() {}\n req: Req = new Req(); }\nexport class Req { header() {} }\n" +
        "export class Failure { tell() {} }\n",
      "src/types.ts":
        'import type { Context, Failure } from "./context";\n' +
        "export type Next = () => Promise<void>;\n" +
        "export type Handler<E = unknown> = (c: Context, next: Next) => void;\n" +
        "export type Middleware = (c: Context, next: Next) => Promise<void>;\n" +
        "export type Any = Handler | Middleware;\n" +
        "export type Passes<T> = (value: T, done: () => void) => void;\n" +
        "export interface Options { onError?: (e: Failure) => void; onEnd: Passes<Failure>; format(e: Failure): string }\n" +
        "export type More = Options & { onMore: (c: Context) => void };\n" +
        "export interface Route {\n" +
        "  <P extends string>(handler: Any): Router\n\n" +
        "  // with a path\n" +
        "  <P extends string, Q = P>(path: P, handler: Any): Router\n" +
        "  <P extends string>(path: P, ...handlers: Any[]): Router\n}\n" +
        "export class Router { get!: Route; on(name: string): void; on(name: string, handler: Handler): void; on() {} }\n",
      "src/run.ts":
        'import type { Context } from "./context";\nimport type { Any, Handler, More, Options } from "./types";\n' +
        "export function run(options: Options) {}\nexport function more(options: More) {}\n" +
        "export function inline(options: { each: (c: Context) => void; list: Handler[] }) {}\n" +
        "export const make = (handler: Handler): Handler => handler;\n" +
        "export function maker() { return function (handler: Any): void {}; }\n",
      "src/app.ts":
        'import { inline, make, maker, more, run } from "./run";\n' +
        'import { type Handler, type Middleware, type Options, Router } from "./types";\n' +
        "export const alias: Handler = (c) => c.text();\n" +
        "export function returned(): Middleware { return async (c, next) => { c.req.header(); }; }\n" +
        "export const curried = (): Handler<string> => (c) => c.text();\n" +
        "export const object: Options = { onError: (e) => e.tell(), onEnd: (e) => e.tell(), format(e) { e.tell(); return ''; } };\n" +
        "export class Holder { field: Handler = (c) => c.text(); }\n" +
        "export function passed() { run({ onEnd: (e) => e.tell() } as Options); more({ onMore: (c) => c.text() }); }\n" +
        "export function nested() { inline({ each: (c) => c.text(), list: [(c) => c.text()] }); make((c) => c.text()); }\n" +
        "export function routed() { new Router().get('/', (c) => c.text()).get('/a', make(alias), (c) => c.text()); }\n" +
        "export function overloaded(router: Router) { router.on('x', (c) => c.text()); maker()((c) => c.text()); }\n" +
        "export function shadowed(c: string) { const own: Handler = (d) => c.text(); }\n",
    },
    edges: [
      "src/context.ts#Context CALLS src/context.ts#Req same-file",
      "src/app.ts#alias CALLS src/context.ts#Context.text import",
      "src/app.ts#returned CALLS src/context.ts#Req.header import",
      "src/app.ts#curried CALLS src/context.ts#Context.text import",
      "src/app.ts#object.onError CALLS src/context.ts#Failure.tell import",
      "src/app.ts#object.onEnd CALLS src/context.ts#Failure.tell import",
      "src/app.ts#object.format CALLS src/context.ts#Failure.tell import",
      "src/app.ts#object.format IMPLEMENTS src/types.ts#Options.format import",
      "src/app.ts#object.onError IMPLEMENTS src/types.ts#Options.onError import",
      "src/app.ts#Holder.field CALLS src/context.ts#Context.text import",
      "src/app.ts#passed CALLS src/context.ts#Context.text import",
      "src/app.ts#passed CALLS src/context.ts#Failure.tell import",
      "src/app.ts#passed CALLS src/run.ts#run import",
      "src/app.ts#passed CALLS src/run.ts#more import",
      "src/app.ts#nested CALLS src/context.ts#Context.text import",
      "src/app.ts#nested CALLS src/run.ts#inline import",
      "src/app.ts#nested CALLS src/run.ts#make import",
      "src/app.ts#routed CALLS src/context.ts#Context.text import",
      "src/app.ts#routed CALLS src/run.ts#make import",
      "src/app.ts#routed CALLS src/types.ts#Router import",
      "src/app.ts#overloaded CALLS src/context.ts#Context.text import",
      "src/app.ts#overloaded CALLS src/run.ts#maker import",
      "src/app.ts#overloaded CALLS src/types.ts#Router.on import",
    ],
  },
  "TypeScript: merged declarations, members of sides, objects that name functions, returns of functions in functions": {
    files: {
      "src/parts.ts":
        "export function sign() {}\nexport const Jwt = { sign };\n" +
        "export interface Core { extra: string }\nexport class Core { go() {} }\n" +
        "export type Auth = { name: string } | { verify: () => void };\n" +
        "export class Last { end() {} }\n" +
        "export function build(list: string[]) { list.map((each) => { return new Core(); }); return new Last(); }\n",
      "src/main.ts":
        'import { type Auth, build, type Core, Jwt } from "./parts";\n' +
        "export function main(core: Core, auth: Auth) { core.go(); auth.verify(); Jwt.sign(); build([]).end(); }\n",
    },
    edges: [
      "src/parts.ts#build CALLS src/parts.ts#Core same-file",
      "src/parts.ts#build CALLS src/parts.ts#Last same-file",
      "src/main.ts#main CALLS src/parts.ts#Core.go import",
      "src/main.ts#main CALLS src/parts.ts#Auth.verify import",
      "src/main.ts#main CALLS src/parts.ts#sign import",
      "src/main.ts#main CALLS src/parts.ts#build import",
      "src/main.ts#main CALLS src/parts.ts#Last.end import",
    ],
  },
  "CommonJS: exports, prototypes, objects": {
    files: {
      "lib/shape.js":
        "function area(s) { return side(s); }\nconst side = (s) => s;\nmodule.exports = { area, edge: side, turn() { return area(1); } };\n",
      "lib/one.js":
        "exports.first = function () { return 1; };\nmodule.exports.second = second;\nfunction second() {}\n",
      "lib/whole.js": "module.exports = function whole() {};\nmodule.exports.part = () => 1;\n",
      "lib/Pen.js":
        "function Pen() { this.tip = new Tip(); }\nPen.prototype.draw = function () { this.lift(); this.tip.wet(); };\n" +
        "Pen.prototype.lift = function () {};\nPen.make = make;\nfunction make() { return new Pen(); }\n" +
        "class Tip { wet() {} }\nmodule.exports = Pen;\n",
      "lib/app.js":
        "const app = (exports = module.exports = {});\napp.use = function () { this.run(); };\napp.run = function () {};\n",
      "lib/all.js": 'module.exports = { ...require("./one"), whole: require("./whole") };\n',
      "lib/factory.js":
        "function build() { function start() {}\n return { start, stop: halt }; }\nfunction halt() {}\nmodule.exports = build;\n",
      "main.js":
        'const { area, edge, turn } = require("./lib/shape");\nconst whole = require("./lib/whole.js");\nconst Pen = require("./lib/Pen");\n' +
        'const app = require("./lib/app");\nconst all = require("./lib/all");\nconst build = require("./lib/factory");\n' +
        "function main() { area(); edge(); turn(); whole(); whole.part(); }\n" +
        "function draw() { const pen = new Pen(); pen.draw(); Pen.make(); app.use(); }\n" +
        'function more() { all.first(); all.second(); all.whole(); require("./lib/one").first(); const b = build(); b.start(); b.stop(); }\n',
    },
    edges: [
      "lib/shape.js#area CALLS lib/shape.js#side same-file",
      "lib/shape.js#turn CALLS lib/shape.js#area same-file",
      "lib/Pen.js#Pen CALLS lib/Pen.js#Tip same-file",
      "lib/Pen.js#Pen.draw CALLS lib/Pen.js#Pen.lift same-file",
      "lib/Pen.js#Pen.draw CALLS lib/Pen.js#Tip.wet same-file",
      "lib/Pen.js#make CALLS lib/Pen.js#Pen same-file",
      "lib/app.js#app.use CALLS lib/app.js#app.run same-file",
      "main.js#main CALLS lib/shape.js#area import",
      "main.js#main CALLS lib/shape.js#side import",
      "main.js#main CALLS lib/shape.js#turn import",
      "main.js#main CALLS lib/whole.js#whole import",
      "main.js#main CALLS lib/whole.js#part import",
      "main.js#draw CALLS lib/Pen.js#Pen import",
      "main.js#draw CALLS lib/Pen.js#Pen.draw import",
      "main.js#draw CALLS lib/Pen.js#make import",
      "main.js#draw CALLS lib/app.js#app.use import",
      "main.js#more CALLS lib/one.js#first import",
      "main.js#more CALLS lib/one.js#second import",
      "main.js#more CALLS lib/whole.js#whole import",
      "main.js#more CALLS lib/factory.js#build import",
      "main.js#more CALLS lib/factory.js#build.start import",
      "main.js#more CALLS lib/factory.js#halt import",
    ],
  },
  Python: {
    files: {
      "pkg/__init__.py": "from .core import make\n",
      "pkg/core.py":
        "class Base:\n    def run(self):\n        pass\n\nclass Thing(Base):\n    def go(self):\n        self.run()\n\ndef make() -> Thing:\n    return Thing()\n",
      "app.py": "import pkg\nfrom pkg import make as build\n\ndef main():\n    build().go()\n    pkg.make()\n",
    },
    edges: [
      "pkg/core.py#Thing.go CALLS pkg/core.py#Base.run same-file",
      "pkg/core.py#make CALLS pkg/core.py#Thing same-file",
      "app.py#main CALLS pkg/core.py#make import",
      "app.py#main CALLS pkg/core.py#Thing.go import",
    ],
  },
  Go: {
    files: {
      "go.mod": "module example.com/m\n",
      "store/store.go": "package store\n\ntype Store struct{ log *Log }\n\nfunc New() *Store { return &Store{} }\n",
      "store/log.go":
        "package store\n\ntype Log struct{}\n\nfunc (l *Log) Write() {}\n\nfunc (s *Store) Save() { s.log.Write() }\n",
      "main.go": 'package main\n\nimport "example.com/m/store"\n\nfunc main() {\n\ts := store.New()\n\ts.Save()\n}\n',
    },
    edges: [
      "main.go#main CALLS store/store.go#New import",
      "main.go#main CALLS store/log.go#Store.Save import",
      "store/log.go#Store.Save CALLS store/log.go#Log.Write same-file",
    ],
  },
  Rust: {
    files: {
      "src/lib.rs":
        "mod shape;\nuse crate::shape::{area, Square};\n\npub fn total() -> i32 { let s = Square::new(); s.size(); area(&s) }\n",
      "src/shape.rs":
        "pub struct Square;\n\nimpl Square {\n    pub fn new() -> Square { Square }\n    pub fn size(&self) -> i32 { 1 }\n}\n\npub fn area(s: &Square) -> i32 { s.size() }\n",
    },
    edges: [
      "src/lib.rs#total CALLS src/shape.rs#Square.new import",
      "src/lib.rs#total CALLS src/shape.rs#Square.size import",
      "src/lib.rs#total CALLS src/shape.rs#area import",
      "src/shape.rs#area CALLS src/shape.rs#Square.size same-file",
    ],
  },
  "Rust: traits in scope, items in macros, modules that pass names on, stated type arguments": {
    files: {
      "Cargo.toml": '[package]\nname = "x"\n',
      "src/lib.rs":
        "mod inner;\nmod errors;\nmod shapes;\nmod shape_io;\npub mod all {\n  pub use crate::inner::Key;\n}\n" +
        "cfg_full! {\n  /// Kept by the macro.\n  pub fn whole() { part() }\n}\nfn part() {}\n",
      "src/inner.rs": "pub struct Key;\nimpl Key { pub fn turn(&self) {} }\n",
      "src/errors.rs":
        "pub trait Explain<T> { fn explain(self, why: &str) -> Option<T>; }\n" +
        "impl<T> Explain<T> for Option<T> { fn explain(self, _: &str) -> Option<T> { self } }\n",
      "src/shapes.rs": "use crate::inner::Key;\npub struct Square { pub side: Key }\n",
      "src/shape_io.rs":
        "use crate::all::Key;\nuse crate::errors::Explain;\nuse crate::shapes;\nuse shapes::Square;\n" +
        "pub trait Draw { fn side(&self); }\nimpl Draw for Square { fn side(&self) { self.side.turn() } }\n" +
        "fn read<T>() -> Option<T> { None }\n" +
        'fn run(key: &Key) { key.turn(); read::<Key>().explain("none").unwrap().turn(); }\n',
    },
    edges: [
      "src/errors.rs#Option IMPLEMENTS src/errors.rs#Explain same-file",
      "src/shape_io.rs#Square IMPLEMENTS src/shape_io.rs#Draw same-file",
      "src/lib.rs#whole CALLS src/lib.rs#part same-file",
      "src/shape_io.rs#Square.side CALLS src/inner.rs#Key.turn import",
      "src/shape_io.rs#run CALLS src/inner.rs#Key.turn import",
      "src/shape_io.rs#run CALLS src/shape_io.rs#read same-file",
      "src/shape_io.rs#run CALLS src/errors.rs#Explain.explain import",
    ],
  },
  "Rust: patterns, closures, bounds, aliases, fields without a name": {
    files: {
      "src/lib.rs":
        "mod shape;\npub mod inner { pub mod deep { pub fn dive() {} } }\nuse crate::shape::{Circle, Shape};\n" +
        "pub type Parsed<T> = Result<T, u8>;\n" +
        "pub fn area(shape: &Shape) { match shape { Shape::Round(ref c) => c.round(), Shape::Flat { side } => side.measure() } }\n" +
        "pub fn parse() -> Parsed<Circle> { todo!() }\n" +
        "pub fn each(all: &[Circle], last: Option<Circle>) {\n" +
        "  all.iter().filter(|c| c.round()).for_each(|&c| { c.grow(); });\n" +
        "  if let Some(c) = last { c.grow(); }\n  let c = match parse() { Ok(c) => c, Err(_) => return };\n  c.round();\n" +
        "  assert_eq!(all[0].grow().round(), true);\n}\n",
      "src/shape.rs":
        "use crate::inner::deep::dive;\npub trait Grows { type Unit: Measures; fn grow(&self) -> Circle; }\n" +
        "pub trait Measures { fn measure(&self); fn zero(); }\npub struct Side(u8);\nimpl Side { pub fn measure(&self) {} }\n" +
        "pub enum Shape { Round(Circle), Flat { side: Side } }\npub struct Circle { inner: Wrapper }\n" +
        "pub struct Wrapper(Side);\nimpl Circle { pub fn round(&self) -> bool { self.inner.0.measure(); true } pub fn grow(&self) -> Circle { dive(); todo!() } }\n" +
        "pub fn grow_all<G: Grows>(mut g: G, rest: Vec<G>) where G::Unit: Measures { g.grow(); rest[0].grow(); G::Unit::zero(); }\n" +
        "pub struct Pair<M> { first: M }\nimpl<M: Measures> Pair<M> { pub fn both(&self) { self.first.measure(); } }\n",
    },
    edges: [
      "src/lib.rs#area CALLS src/shape.rs#Circle.round import",
      "src/lib.rs#area CALLS src/shape.rs#Side.measure import",
      "src/lib.rs#each CALLS src/shape.rs#Circle.round import",
      "src/lib.rs#each CALLS src/shape.rs#Circle.grow import",
      "src/lib.rs#each CALLS src/lib.rs#parse same-file",
      "src/shape.rs#Circle.round CALLS src/shape.rs#Side.measure same-file",
      "src/shape.rs#Circle.grow CALLS src/lib.rs#inner.deep.dive import",
      "src/shape.rs#grow_all CALLS src/shape.rs#Grows.grow same-file",
      "src/shape.rs#grow_all CALLS src/shape.rs#Measures.zero same-file",
      "src/shape.rs#Pair.both CALLS src/shape.rs#Measures.measure same-file",
    ],
  },
  "Go: maps, variadic parameters, type assertions and switches": {
    files: {
      "go.mod": "module x\n",
      "kinds.go":
        'package x\ntype Flag interface { Name() string }\ntype Other struct{}\nfunc (o *Other) Name() string { return "" }\n' +
        'type Third struct{}\nfunc (t *Third) Name() string { return "" }\n',
      "uses.go":
        "package x\ntype Set struct { flags map[string]Flag }\n" +
        'func (s *Set) one() { if f, ok := s.flags["a"]; ok { f.Name() } }\n' +
        "func (s *Set) all() { for _, f := range s.flags { f.Name() } }\n" +
        "func options(list ...Flag) { for _, f := range list { f.Name() } }\n" +
        "func asserted(x interface{}) { x.(*Third).Name() }\n" +
        "func switched(x interface{}) { switch v := x.(type) { case *Other: v.Name(); case *Third, Flag: v.Name() } }\n",
    },
    edges: [
      "uses.go#Set.one CALLS kinds.go#Flag.Name import",
      "uses.go#Set.all CALLS kinds.go#Flag.Name import",
      "uses.go#options CALLS kinds.go#Flag.Name import",
      "uses.go#asserted CALLS kinds.go#Third.Name import",
      "uses.go#switched CALLS kinds.go#Other.Name import",
      ...["Flag", "Other", "Third"].map((type) => `uses.go#switched CALLS kinds.go#${type}.Name ambiguous`),
    ],
  },
  "Rust: type arguments, Deref, wrappers, closures, modules of a star import": {
    files: {
      "src/lib.rs": "mod store;\nmod other;\nmod uses;\n",
      "src/store.rs":
        "pub struct Item;\nimpl Item { pub fn open(&self) {} }\npub struct Holder<'a, T> { pub inner: &'a T }\n" +
        "impl<'a, T> Holder<'a, T> { pub fn get(&self) -> &T { self.inner } }\n" +
        "pub struct Pointer { item: Item }\n" +
        "impl std::ops::Deref for Pointer { type Target = Item; fn deref(&self) -> &Item { &self.item } }\n" +
        "pub trait Opens { fn opened(&self); }\n" +
        "impl Opens for Box<dyn Opens + Send> { fn opened(&self) { self.as_ref().opened() } }\n" +
        "pub fn with<F>(f: F) where F: Fn(&Item) { }\n",
      // Each method has a namesake, so that no call is found by its name alone.
      "src/other.rs":
        "pub struct Other;\nimpl Other { pub fn open(&self) {} pub fn opened(&self) {} pub fn get(&self) {} }\n",
      "src/uses.rs":
        "use super::*;\nuse std::collections::HashMap;\nuse std::sync::Arc;\n" +
        "fn argument(holder: store::Holder<store::Item>) { holder.inner.open(); holder.get().open(); }\n" +
        "fn deref(pointer: &store::Pointer) { pointer.open(); }\n" +
        "fn parts(map: HashMap<u8, store::Item>, pair: (u8, store::Item)) { for (_, item) in &map { item.open(); } pair.1.open(); }\n" +
        "fn wrapped(item: store::Item) { let shared = Arc::new(item); shared.open(); }\n" +
        "fn made(some: Option<u8>) { let item = some.map(|_| store::Item {}); item.unwrap().open(); }\n" +
        "fn passed() { store::with(|item| item.open()); }\n",
    },
    edges: [
      "src/store.rs#Box IMPLEMENTS src/store.rs#Opens same-file",
      "src/store.rs#Box.opened CALLS src/store.rs#Opens.opened same-file",
      "src/uses.rs#argument CALLS src/store.rs#Item.open import",
      "src/uses.rs#argument CALLS src/store.rs#Holder.get import",
      "src/uses.rs#deref CALLS src/store.rs#Item.open import",
      "src/uses.rs#parts CALLS src/store.rs#Item.open import",
      "src/uses.rs#wrapped CALLS src/store.rs#Item.open import",
      "src/uses.rs#made CALLS src/store.rs#Item.open import",
      "src/uses.rs#passed CALLS src/store.rs#Item.open import",
      "src/uses.rs#passed CALLS src/store.rs#with import",
    ],
  },
  "Rust: paths, workspaces, macros, Self": {
    files: {
      "Cargo.toml": '[package]\nname = "main-crate"\n[workspace]\nmembers = ["helper"]\n',
      "helper/Cargo.toml": '[package]\nname = "helper-crate"\n',
      "helper/src/lib.rs":
        "pub fn lend() -> i32 { 1 }\npub struct Tool;\nimpl Tool { pub fn make() -> Option<Self> { None } pub fn cut(&self) {} }\n",
      "src/lib.rs":
        "pub mod math;\nfn one() -> i32 { 1 }\npub fn full() { crate::math::deep::twice(); helper_crate::lend(); }\n" +
        'pub fn print() { println!("{}", !math::even(one())); let tool = helper_crate::Tool::make().unwrap(); tool.cut(); }\n' +
        "#[cfg(test)]\nmod tests { use super::*; fn check() { assert_eq!(super::one(), 1); one(); } }\n",
      "src/math/mod.rs":
        "pub mod deep;\npub fn even(n: i32) -> bool { Self_::go(n) }\nstruct Self_;\nimpl Self_ { fn go(n: i32) -> bool { Self::done(n) } fn done(_: i32) -> bool { true } }\n",
      "src/math/deep.rs": "pub fn twice() { super::even(2); }\n",
    },
    edges: [
      "src/lib.rs#full CALLS src/math/deep.rs#twice import",
      "src/lib.rs#full CALLS helper/src/lib.rs#lend import",
      "src/lib.rs#print CALLS src/math/mod.rs#even import",
      "src/lib.rs#print CALLS src/lib.rs#one same-file",
      "src/lib.rs#print CALLS helper/src/lib.rs#Tool.make import",
      "src/lib.rs#print CALLS helper/src/lib.rs#Tool.cut import",
      "src/lib.rs#tests.check CALLS src/lib.rs#one same-file",
      "src/math/mod.rs#even CALLS src/math/mod.rs#Self_.go same-file",
      "src/math/mod.rs#Self_.go CALLS src/math/mod.rs#Self_.done same-file",
      "src/math/deep.rs#twice CALLS src/math/mod.rs#even import",
    ],
  },
  Java: {
    files: {
      "a/b/Base.java": "package a.b;\npublic class Base { protected void init() {} }\n",
      "a/b/Shop.java":
        "package a.b;\npublic class Shop extends Base { private Till till = new Till(); public void open() { init(); till.ring(); } }\nclass Till { void ring() {} }\n",
      "c/Main.java":
        "package c;\nimport a.b.Shop;\npublic class Main { void main() { Shop shop = new Shop(); shop.open(); } }\n",
    },
    edges: [
      "a/b/Shop.java#Shop EXTENDS a/b/Base.java#Base import",
      "a/b/Shop.java#Shop.open CALLS a/b/Base.java#Base.init import",
      "a/b/Shop.java#Shop.open CALLS a/b/Shop.java#Till.ring same-file",
      "a/b/Shop.java#Shop CALLS a/b/Shop.java#Till same-file",
      "c/Main.java#Main.main CALLS a/b/Shop.java#Shop import",
      "c/Main.java#Main.main CALLS a/b/Shop.java#Shop.open import",
    ],
  },
  Kotlin: {
    files: {
      "A.kt": "package a\nfun helper() {}\nfun top() { helper() }\n",
      "B.kt": "package a\nfun other() { top() }\n",
      "Pool.kt":
        "package a\nclass Pool(val size: Int) {\n  fun close() {\n    create()\n  }\n  companion object {\n    fun create(): Pool = Pool(3)\n  }\n}\n",
      "Use.kt": "package b\nimport a.Pool\nfun use() {\n  Pool.create()\n}\n",
    },
    edges: [
      "A.kt#top CALLS A.kt#helper same-file",
      "B.kt#other CALLS A.kt#top import",
      "Pool.kt#Pool.close CALLS Pool.kt#Pool.create same-file",
      "Pool.kt#Pool.create CALLS Pool.kt#Pool same-file",
      "Use.kt#use CALLS Pool.kt#Pool.create import",
    ],
  },
  "C: a system header hides nothing, headers include headers, static functions stay in their file": {
    files: {
      "all.h": '#include "list.h"\nstatic inline int twice(int x) { return 2 * x; }\n',
      "list.h": "int list_add(int x);\n",
      "list.c": "int list_add(int x) { return x; }\nstatic int hidden(void) { return 1; }\n",
      "main.c":
        '#include <stdio.h>\n#include "all.h"\nint main(void) { printf("x"); return list_add(twice(2)) + hidden(); }\n',
    },
    edges: ["main.c#main CALLS list.c#list_add import", "main.c#main CALLS all.h#twice import"],
  },
  C: {
    files: {
      "list.h": "int list_add(int x);\n",
      "list.c": '#include "list.h"\nstatic int grow(void) { return 1; }\nint list_add(int x) { return grow() + x; }\n',
      "main.c": '#include "list.h"\nint main(void) { return list_add(2); }\n',
    },
    edges: ["list.c#list_add CALLS list.c#grow same-file", "main.c#main CALLS list.c#list_add import"],
  },
  "C++": {
    files: {
      "a.hpp": "class Widget { public: void draw(); void show() { draw(); } };\n",
      "a.cpp": '#include "a.hpp"\nvoid Widget::draw() { }\nvoid use(Widget w) { w.show(); }\n',
    },
    edges: ["a.hpp#Widget.show CALLS a.cpp#Widget.draw import", "a.cpp#use CALLS a.hpp#Widget.show import"],
  },
  "C++: macros before declarations, constructors, nested and declared classes, operators, tests of a fixture": {
    files: {
      "lib/value.h":
        "#pragma once\n#include <memory>\nLIB_BEGIN\nclass State;\nclass LIB_API Value final : public Base {\npublic:\n" +
        '  explicit Value(int x);\n  LIB_API int size() const LIB_NOEXCEPT;\n  DEPRECATED("use size")\n  int length() { return size(); }\n' +
        "  Value& operator[](int at);\n  Value* find(int at) { return 0; }\n  Value* find(const char* at);\n  template <typename T> T as() const;\n" +
        "  class Reader { public: void read(); };\nprivate:\n  std::unique_ptr<State> state_ GUARDED_BY(lock_);\n};\n",
      "lib/state.h": "#pragma once\nclass State { public: void save(); };\n",
      "lib/value.cpp":
        '#include "value.h"\n#include "state.h"\nstruct Value::Hidden { void show() {} };\n' +
        "Value::Value(int x) { state_->save(); }\nint Value::size() const { return 1; }\nValue* Value::find(const char* at) { return 0; }\n" +
        "void Value::Reader::read() { Hidden h; h.show(); }\nvoid State::save() {}\n",
      "test/value_test.cpp":
        '#include "../lib/value.h"\nclass Given { public: void check(Value v) { v[1].size(); } };\n' +
        "TEST_F(Given, Works) {\n  Value v(3);\n  check(v);\n  Reader reader{};\n  reader.read();\n}\n" +
        "void testAll(Value* v) { v->find(1); v->as<int>(); }\nvoid other() { testAll(new Value(1)); }\n",
    },
    edges: [
      "lib/value.cpp#Value.Reader.read CALLS lib/value.cpp#Value.Hidden.show same-file",
      "lib/value.cpp#Value.Value CALLS lib/value.cpp#State.save same-file",
      "lib/value.h#Value.length CALLS lib/value.cpp#Value.size import",
      "test/value_test.cpp#Given.Works CALLS lib/value.cpp#Value.Reader.read import",
      "test/value_test.cpp#Given.Works CALLS lib/value.h#Value import",
      "test/value_test.cpp#Given.Works CALLS lib/value.h#Value.Reader import",
      "test/value_test.cpp#Given.Works CALLS test/value_test.cpp#Given.check same-file",
      "test/value_test.cpp#Given.check CALLS lib/value.cpp#Value.size import",
      "test/value_test.cpp#other CALLS lib/value.h#Value import",
      "test/value_test.cpp#other CALLS test/value_test.cpp#testAll same-file",
      "test/value_test.cpp#testAll CALLS lib/value.h#Value.as import",
      "test/value_test.cpp#testAll CALLS lib/value.cpp#Value.find unique-name",
    ],
  },
  "C++: classes of one name in several namespaces, private classes, bodies of templates, bases by path": {
    files: {
      "file.h": "namespace lib {\nclass File { public: File(int at); void seek(int at); };\n}\n",
      "file.cpp": '#include "file.h"\nusing namespace lib;\nFile::File(int at) {}\nvoid File::seek(int at) {}\n',
      "wave/file.h":
        '#include "../file.h"\nnamespace lib { namespace wave {\nclass Head { public: int size(); };\n' +
        "class File : public lib::File {\n public:\n  File(int at);\n  void save();\n private:\n  class Parts;\n  Parts *d;\n};\n} }\n",
      "wave/file.cpp":
        '#include "../image/file.h"\n#include "file.h"\nusing namespace lib;\nclass wave::File::Parts { public: void add() {} };\n' +
        "wave::File::File(int at) : lib::File(at), d(new Parts()) {}\n" +
        "void wave::File::save() { seek(1); d->add(); Head head; head.size(); }\nint wave::Head::size() { return 1; }\n",
      "image/file.h":
        "namespace lib { namespace image {\nclass Head { public: int size(); };\n" +
        "class File { public: void save(); private: class Parts; Parts *d; };\nvoid show(File &file);\n} }\n",
      "image/file.cpp":
        '#include "file.h"\nnamespace lib { namespace image {\nclass File::Parts { public: void add() {} };\n' +
        "void File::save() { d->add(); }\nint Head::size() { return 2; }\n} }\nvoid lib::image::show(File &file) { file.save(); }\n",
      "list.h":
        '#pragma once\ntemplate <class T> class List { public: void push(T x); private: void detach(); };\n#include "list.tcc"\n',
      "list.tcc":
        "template <class T> void List<T>::push(T x) { detach(); }\ntemplate <class T> void List<T>::detach() {}\n",
      "main.cpp":
        '#include "wave/file.h"\n#include "image/file.h"\n' +
        "void run(lib::wave::File &a, lib::image::File &b) { a.save(); b.save(); lib::image::show(b); }\n",
    },
    edges: [
      "image/file.cpp#lib.image.File.save CALLS image/file.cpp#lib.image.File.Parts.add same-file",
      "image/file.cpp#lib.image.show CALLS image/file.cpp#lib.image.File.save same-file",
      "list.tcc#List.push CALLS list.tcc#List.detach same-file",
      "main.cpp#run CALLS image/file.cpp#lib.image.File.save import",
      "main.cpp#run CALLS image/file.cpp#lib.image.show import",
      "main.cpp#run CALLS wave/file.cpp#wave.File.save import",
      "wave/file.cpp#wave.File.File CALLS file.h#lib.File import",
      "wave/file.cpp#wave.File.File CALLS wave/file.cpp#wave.File.Parts same-file",
      "wave/file.cpp#wave.File.save CALLS file.cpp#File.seek import",
      "wave/file.cpp#wave.File.save CALLS wave/file.cpp#wave.File.Parts.add same-file",
      "wave/file.cpp#wave.File.save CALLS wave/file.cpp#wave.Head.size same-file",
    ],
  },
  "C++: overloads in several files are guesses, and a macro may stand for a namespace": {
    files: {
      "put.h":
        "#pragma once\n#define LIB_NS lib\nLIB_BEGIN\ninline void put(int x) {}\nclass Pen { public: void draw(int x); };\nLIB_END\n",
      "put.cpp": '#include "put.h"\nvoid LIB_NS::Pen::draw(int x) {}\n',
      "main.cpp":
        '#include "put.h"\nvoid put(const char *x) { put(1); }\nvoid run(LIB_NS::Pen *pen) { pen->draw(1); LIB_NS::Pen other(2); }\n',
    },
    edges: [
      "main.cpp#put CALLS main.cpp#put unique-name",
      "main.cpp#run CALLS put.cpp#LIB_NS.Pen.draw import",
      "main.cpp#run CALLS put.h#Pen import",
    ],
  },
  "C++: macros where the grammar sees no call, and functions that a configuration replaces with a macro": {
    files: {
      "base.h":
        "#pragma once\n#ifdef FAST\n#define CHECK(x) ((void)0)\n#else\n#define CHECK(x) /* always */ \\\n  ((x) ? (void)0 : fail(__LINE__))\n#endif\n" +
        "#define ENABLE_IF(x) typename enable<(x)>::type = 0\n#define HAS(x) 1\n#define TWICE(x) HAS(x)\n" +
        "void fail(int line);\n#ifdef DEBUG\nvoid note(int x);\n#else\n#define note(x) ((void)0)\n#endif\n",
      "base.cpp": '#include "base.h"\nvoid fail(int line) {}\nvoid note(int x) {}\n',
      "main.cpp":
        '#include "base.h"\n#if HAS(1)\n#endif\n' +
        "template <typename T, ENABLE_IF(!is_same<T, int>::value && HAS(2))> LIB_CONSTEXPR LIB_INLINE auto twice(T x) -> T { CHECK(x); return x; }\n" +
        "// CHECK(x)\nvoid run() { twice(1); note(2); }\n",
    },
    edges: [
      "base.h#CHECK CALLS base.cpp#fail import",
      "base.h#TWICE CALLS base.h#HAS same-file",
      "main.cpp#main.cpp CALLS base.h#HAS import",
      "main.cpp#run CALLS base.cpp#note unique-name",
      "main.cpp#run CALLS main.cpp#twice same-file",
      "main.cpp#twice CALLS base.h#CHECK import",
      "main.cpp#twice CALLS base.h#ENABLE_IF import",
      "main.cpp#twice CALLS base.h#HAS import",
    ],
  },
  "C++: namespaces, methods outside their class, references, smart pointers": {
    files: {
      "store.h":
        "namespace app {\nint sum(int x);\nclass Store {\n public:\n  void put(int x);\n  Store* next();\n  static Store open();\n private:\n  int hash(int x);\n};\nstd::unique_ptr<Store> make();\n}\n",
      "store.cpp":
        '#include "store.h"\nnamespace app {\nint sum(int x) { return x; }\nvoid Store::put(int x) { hash(x); }\nStore* Store::next() { return this; }\nStore Store::open() { return Store(); }\nint Store::hash(int x) { return app::sum(x); }\nstd::unique_ptr<Store> make() { return nullptr; }\n}\n',
      "main.cpp":
        '#include "store.h"\nvoid fill(app::Store& s) { s.put(1); }\nvoid each(const std::vector<app::Store>& all) { for (const auto& s : all) s.next()->put(2); }\nint main() {\n  auto one = app::Store::open();\n  one.next();\n  auto two = app::make();\n  two->put(3);\n  return app::sum(4);\n}\n',
    },
    edges: [
      "store.cpp#app.Store.put CALLS store.cpp#app.Store.hash same-file",
      "store.cpp#app.Store.hash CALLS store.cpp#app.sum same-file",
      "store.cpp#app.Store.open CALLS store.h#app.Store import",
      "main.cpp#fill CALLS store.cpp#app.Store.put import",
      "main.cpp#each CALLS store.cpp#app.Store.next import",
      "main.cpp#each CALLS store.cpp#app.Store.put import",
      "main.cpp#main CALLS store.cpp#app.Store.open import",
      "main.cpp#main CALLS store.cpp#app.Store.next import",
      "main.cpp#main CALLS store.cpp#app.make import",
      "main.cpp#main CALLS store.cpp#app.Store.put import",
      "main.cpp#main CALLS store.cpp#app.sum import",
    ],
  },
  "C#": {
    files: {
      "Lib.cs": "namespace Lib { public class Mail { public void Send() {} } }\n",
      "App.cs":
        "using Lib;\nnamespace App { public class Main { public void Run(Mail mail) { mail.Send(); Done(); } void Done() {} } }\n",
    },
    edges: ["App.cs#Main.Run CALLS Lib.cs#Mail.Send import", "App.cs#Main.Run CALLS App.cs#Main.Done same-file"],
  },
  Ruby: {
    files: {
      "lib/dog.rb": "class Dog\n  def bark\n    growl(1)\n  end\n  def growl(n)\n  end\nend\n",
      "run.rb": 'require_relative "lib/dog"\ndef start\n  Dog.new.bark\nend\n',
    },
    edges: [
      "lib/dog.rb#Dog.bark CALLS lib/dog.rb#Dog.growl same-file",
      "run.rb#start CALLS lib/dog.rb#Dog import",
      "run.rb#start CALLS lib/dog.rb#Dog.bark import",
    ],
  },
  "JavaScript: types in comments, this in an exported object": {
    files: {
      "lib/option.js": "class Option { name() {} }\nmodule.exports = { Option };\n",
      "lib/command.js":
        'const { Option } = require("./option");\nclass Command {\n  constructor() {\n    /** @type {Option[]} */\n    this.options = [];\n  }\n' +
        "  /**\n   * @param {Option} option - one\n   * @param {string} text\n   * @returns {Command | undefined}\n   */\n" +
        "  add(option, text) { option.name(); this.options.find((each) => each.name()); return text.done; }\n}\n" +
        "module.exports = function run() { new Command().add().add(); };\n",
      "lib/request.js":
        "module.exports = {\n  get(field) { return field; },\n  type() { return this.get('t'); },\n};\n",
    },
    edges: [
      "lib/command.js#Command.add CALLS lib/option.js#Option.name import",
      "lib/command.js#run CALLS lib/command.js#Command same-file",
      "lib/command.js#run CALLS lib/command.js#Command.add same-file",
      "lib/request.js#type CALLS lib/request.js#get same-file",
    ],
  },
  "Ruby: accessors, structs, constants of Ruby, values known by their methods": {
    files: {
      "lib/node.rb":
        "class Node\n  attr_accessor :label\n  attr_reader :kind\n  def grow; end\nend\n" +
        "Point = Struct.new(:east, :north) do\n  def shift_east; east; end\nend\n" +
        "class Label\n  attr_reader :kind\n  def current; end\nend\n",
      "lib/main.rb":
        "class Main\n  def walk(node)\n    node.kind\n    node.label = 1\n    node.grow\n  end\n" +
        "  def other; Point.new(1, 2).shift_east; Thread.current; Object.new; end\nend\n",
      "lib/object.rb":
        "class Object\n  def try_it; end\nend\nmodule Outer\n  def self.apply_it; end\n" +
        "  class Inner\n    def run_it; apply_it; end\n  end\n  class Thing < ::Thing\n    def run_it; super; end\n  end\nend\n",
    },
    edges: [
      "lib/node.rb#Point.shift_east CALLS lib/node.rb#Point.east same-file",
      "lib/main.rb#Main.walk CALLS lib/node.rb#Node.kind unique-name",
      "lib/main.rb#Main.walk CALLS lib/node.rb#Node.label= unique-name",
      "lib/main.rb#Main.walk CALLS lib/node.rb#Node.grow unique-name",
      "lib/main.rb#Main.other CALLS lib/node.rb#Point import",
      "lib/main.rb#Main.other CALLS lib/node.rb#Point.shift_east import",
    ],
  },
  "Ruby: reopened classes, class << self, methods everywhere, overrides": {
    files: {
      "lib/base.rb":
        "class Element\n  class << self\n    def install(name)\n      define_reader name\n    end\n    def define_reader(name); end\n  end\n" +
        "  def render; end\nend\nclass Module\n  def infect(name); end\nend\n",
      "lib/rss.rb": 'require_relative "base"\nclass Rss < Element\n  def render; end\nend\n',
      "lib/more.rb":
        'class Rss\n  install "x"\n  infect :y\n  def each_page\n    while more?\n      turn\n    end\n    turn if more?\n  end\n' +
        "  def more?; end\n  def turn; end\nend\ndef show(thing)\n  thing.render\nend\n",
    },
    edges: [
      "lib/base.rb#Element.install CALLS lib/base.rb#Element.define_reader same-file",
      "lib/more.rb#Rss CALLS lib/base.rb#Element.install import",
      "lib/more.rb#Rss CALLS lib/base.rb#Module.infect import",
      "lib/more.rb#Rss.each_page CALLS lib/more.rb#Rss.more? same-file",
      "lib/more.rb#Rss.each_page CALLS lib/more.rb#Rss.turn same-file",
      "lib/more.rb#show CALLS lib/base.rb#Element.render unique-name",
    ],
  },
  "Ruby: modules, reopened classes, mixins, calls without brackets": {
    files: {
      "lib/tools.rb":
        "module Shop\n  module Tools\n    def self.cut(x) = x\n    class << self\n      def bend(x)\n        cut(x)\n      end\n    end\n  end\nend\n",
      "lib/speaks.rb": "module Shop\n  module Speaks\n    def speak\n    end\n  end\nend\n",
      "lib/cat.rb":
        "module Shop\n  class Cat\n    include Speaks\n    def initialize\n      @tail = Tail.new\n    end\n    def play\n      purr\n      x = purr\n      x\n      speak\n" +
        "      @tail.wag\n      Tools.cut(1)\n      Shop::Tools.bend(2)\n    end\n    def purr\n    end\n  end\n  class Tail\n    def wag\n    end\n  end\nend\n",
      "lib/more.rb": "module Shop\n  class Cat\n    def nap\n    end\n  end\nend\n",
      "run.rb": 'require "json"\ndef start\n  cat = Shop::Cat.new\n  cat.nap\nend\n',
    },
    edges: [
      "lib/tools.rb#Shop.Tools.bend CALLS lib/tools.rb#Shop.Tools.cut same-file",
      "lib/cat.rb#Shop.Cat EXTENDS lib/speaks.rb#Shop.Speaks import",
      "lib/cat.rb#Shop.Cat.initialize CALLS lib/cat.rb#Shop.Tail same-file",
      "lib/cat.rb#Shop.Cat.play CALLS lib/cat.rb#Shop.Cat.purr same-file",
      "lib/cat.rb#Shop.Cat.play CALLS lib/speaks.rb#Shop.Speaks.speak import",
      "lib/cat.rb#Shop.Cat.play CALLS lib/cat.rb#Shop.Tail.wag same-file",
      "lib/cat.rb#Shop.Cat.play CALLS lib/tools.rb#Shop.Tools.cut import",
      "lib/cat.rb#Shop.Cat.play CALLS lib/tools.rb#Shop.Tools.bend import",
      "run.rb#start CALLS lib/cat.rb#Shop.Cat import",
      "run.rb#start CALLS lib/more.rb#Shop.Cat.nap import",
    ],
  },
  "Ruby: classes by path, results, blocks, readers, setters, aliases, super": {
    files: {
      "lib/shop.rb": "module Shop\nend\n",
      "lib/box.rb":
        "class Shop::Box\n  attr_reader :lid\n  def initialize\n    @lid = Shop::Lid.new\n  end\n  def self.make\n    new\n  end\n" +
        "  def self.open\n    yield make\n  end\n  def fill\n  end\n  alias stuff fill\n  def weight=(x)\n  end\nend\n",
      "lib/lid.rb": "class Shop::Lid\n  def turn\n  end\nend\n",
      "lib/crate.rb": "class Shop::Crate < Shop::Box\n  def fill\n    super\n  end\nend\n",
      "run.rb":
        "def start(box, crate)\n  Shop::Box.open { |b| b.fill }\n  made = Shop::Box.make\n  made.lid.turn\n  made.stuff\n  made.weight = 1\nend\n",
    },
    edges: [
      "lib/box.rb#Shop.Box.initialize CALLS lib/lid.rb#Shop.Lid import",
      "lib/box.rb#Shop.Box.make CALLS lib/box.rb#Shop.Box same-file",
      "lib/box.rb#Shop.Box.open CALLS lib/box.rb#Shop.Box.make same-file",
      "lib/crate.rb#Shop.Crate.fill CALLS lib/box.rb#Shop.Box.fill import",
      "run.rb#start CALLS lib/box.rb#Shop.Box.open import",
      "run.rb#start CALLS lib/box.rb#Shop.Box.lid import",
      "run.rb#start CALLS lib/box.rb#Shop.Box.make import",
      "run.rb#start CALLS lib/box.rb#Shop.Box.fill import",
      "run.rb#start CALLS lib/lid.rb#Shop.Lid.turn import",
      "run.rb#start CALLS lib/box.rb#Shop.Box.weight= import",
    ],
  },
  "C#: extension methods, partial fields, relative using, casts, patterns, constructors, conditional parts": {
    files: {
      "Text.cs":
        "namespace Shop.Tools\n{\n  static class Text\n  {\n    public static string Fill(this string s, int n) { return s; }\n  }\n}\n",
      "Box.cs":
        "namespace Shop\n{\n  partial class Box : Holder\n  {\n    Lid lid = null;\n    public Box(int n) : base(n) {}\n    public Box() : this(1) {}\n  }\n}\n",
      "Holder.cs":
        "namespace Shop\n{\n  class Holder\n  {\n    public Holder(int n) {}\n  }\n  class Lid\n  {\n#if DEEP\n    public void Turn() {}\n#endif\n    public void Shut() {}\n  }\n}\n",
      "More.cs":
        'namespace Shop\n{\n  using Tools;\n  partial class Box\n  {\n    void Go(object o)\n    {\n      "a".Fill(1);\n      lid.Turn();\n      ((Lid)o).Shut();\n' +
        "    }\n    void Is(object o) { if (o is Lid l) l.Shut(); }\n  }\n}\n",
    },
    edges: [
      "Box.cs#Box.Box CALLS Holder.cs#Holder import",
      "Box.cs#Box.Box CALLS Box.cs#Box same-file",
      "More.cs#Box.Go CALLS Text.cs#Text.Fill import",
      "More.cs#Box.Go CALLS Holder.cs#Lid.Turn import",
      "More.cs#Box.Go CALLS Holder.cs#Lid.Shut import",
      "More.cs#Box.Is CALLS Holder.cs#Lid.Shut import",
    ],
  },
  Scala: {
    files: {
      "src/shop/Basket.scala":
        "package shop\nimport shop.goods.{Fruit, Price => Cost}\nclass Basket(val owner: String) extends Holder with Counting {\n" +
        "  def add(fruit: Fruit): Int = weigh(fruit) + fruit.peel() + Cost.of(fruit)\n  private def weigh(fruit: Fruit) = Scales.put(1)\n}\n" +
        'object Scales { def put(n: Int): Int = n }\nobject Shop { def open() = new Basket("a").add(null) }\n',
      "src/shop/Holder.scala": "package shop\nclass Holder\ntrait Counting { def count(): Int }\n",
      "src/shop/goods/Fruit.scala":
        "package shop.goods\ncase class Fruit(name: String) { def peel(): Int = 1 }\nobject Price { def of(fruit: Fruit): Int = 2 }\n",
    },
    edges: [
      "src/shop/Basket.scala#Basket EXTENDS src/shop/Holder.scala#Holder import",
      "src/shop/Basket.scala#Basket EXTENDS src/shop/Holder.scala#Counting import",
      "src/shop/Basket.scala#Basket.add CALLS src/shop/Basket.scala#Basket.weigh same-file",
      "src/shop/Basket.scala#Basket.add CALLS src/shop/goods/Fruit.scala#Fruit.peel import",
      "src/shop/Basket.scala#Basket.add CALLS src/shop/goods/Fruit.scala#Price.of import",
      "src/shop/Basket.scala#Basket.weigh CALLS src/shop/Basket.scala#Scales.put same-file",
      "src/shop/Basket.scala#Shop.open CALLS src/shop/Basket.scala#Basket same-file",
      "src/shop/Basket.scala#Shop.open CALLS src/shop/Basket.scala#Basket.add same-file",
    ],
  },
  Lua: {
    files: {
      "lib/paint/init.lua":
        "local Brush = require('lib.brush')\nlocal M = {}\nfunction M.mix(a, b) return Brush.dip(a) end\nfunction M:stroke(n)\n  self:lift()\n  return M.mix(n, 1)\nend\n" +
        "M.lift = function(self) end\nreturn M\n",
      "lib/brush.lua":
        "local B = {}\nlocal function wet() end\nfunction B.dip(x)\n  wet()\n  return x\nend\nreturn B\n",
      "main.lua": 'local paint = require "lib.paint"\nfunction start()\n  paint.mix(1, 2)\n  print(paint)\nend\n',
    },
    edges: [
      "lib/paint/init.lua#M.mix CALLS lib/brush.lua#B.dip import",
      "lib/paint/init.lua#M.stroke CALLS lib/paint/init.lua#M.lift same-file",
      "lib/paint/init.lua#M.stroke CALLS lib/paint/init.lua#M.mix same-file",
      "lib/brush.lua#B.dip CALLS lib/brush.lua#wet same-file",
      "main.lua#start CALLS lib/paint/init.lua#M.mix import",
    ],
  },
  "Ruby: hooks, classes that include a module, names that are also variables, chains by name": {
    files: {
      "lib/shape.rb":
        "module Drawing\n  def self.included(base)\n    base.extend(Macros)\n  end\n  module Macros\n    def colour(name)\n    end\n  end\n  def draw\n    canvas.put_dot(1)\n    self.canvas\n  end\nend\n" +
        "class Shape\n  include Drawing\n  colour :red\n  def canvas\n    @canvas ||= Canvas.new\n  end\n  def area(*parts, &measure)\n    parts = parts(parts)\n    measure\n  end\n  def parts(list)\n    list\n  end\n  def measure\n  end\nend\n" +
        "class Canvas\n  module Inks\n    def self.mix(a)\n    end\n  end\n  def put_dot(at)\n    self\n  end\nend\n",
      "lib/square.rb":
        "module Rounded\n  def area(*parts)\n    super\n  end\nend\nclass Square < Shape\n  include Rounded\n  def area(*parts)\n    super\n  end\n  def paint(shape)\n    Canvas::Inks.mix(1)\n    shape.canvas.put_dot(2)\n  end\nend\n",
    },
    edges: [
      "lib/shape.rb#Drawing EXTENDS lib/shape.rb#Drawing.Macros same-file",
      "lib/shape.rb#Shape EXTENDS lib/shape.rb#Drawing same-file",
      "lib/shape.rb#Shape CALLS lib/shape.rb#Drawing.Macros.colour same-file",
      "lib/shape.rb#Drawing.draw CALLS lib/shape.rb#Shape.canvas unique-name",
      "lib/shape.rb#Drawing.draw CALLS lib/shape.rb#Canvas.put_dot unique-name",
      "lib/shape.rb#Shape.canvas CALLS lib/shape.rb#Canvas same-file",
      "lib/shape.rb#Shape.area CALLS lib/shape.rb#Shape.parts same-file",
      "lib/square.rb#Square EXTENDS lib/shape.rb#Shape import",
      "lib/square.rb#Square EXTENDS lib/square.rb#Rounded same-file",
      "lib/square.rb#Square.area CALLS lib/square.rb#Rounded.area same-file",
      "lib/square.rb#Square.paint CALLS lib/shape.rb#Canvas.Inks.mix import",
      "lib/square.rb#Square.paint CALLS lib/shape.rb#Canvas.put_dot unique-name",
      "lib/square.rb#Square.paint CALLS lib/shape.rb#Shape.canvas unique-name",
    ],
  },
  "Ruby: arguments of own calls, several values, conditional methods, blocks with another self, superclass": {
    files: {
      "lib/oven.rb":
        'class Oven\n  def heat(to)\n  end\n  if RUBY_VERSION > "3"\n    def clean\n    end\n  end\n  private def cool(by)\n  end\nend\n' +
        "class Stove\n  def heat(to)\n  end\n  def clean\n  end\n  def cool(by)\n  end\nend\n" +
        "class Clock\n  def start(at)\n  end\nend\nclass Race\n  def start(at)\n  end\nend\n",
      "lib/cook.rb":
        "class Cook\n  attr_accessor :count\n  def initialize(place, timer: Clock.new)\n    place.heat(1)\n    timer.start(1)\n  end\n" +
        "  def cook\n    warm(Oven.new, 3)\n    self.count += 1\n    tool = nil\n    tool = Oven.new if ready\n    tool = tool.successor\n    tool.clean\n  end\n" +
        "  def warm(thing, degrees)\n    thing.heat(degrees)\n  end\n" +
        "  def self.plan(&block)\n    made = new(Stove.new)\n    made.instance_eval(&block)\n  end\n" +
        "  def self.parts\n  end\nend\n" +
        "class Chef < Cook\n  def self.parts\n    superclass.parts\n    self.class\n  end\nend\n" +
        "class Chef\n  def rest\n    warm(1, 2)\n  end\nend\n",
      "lib/menu.rb":
        "class Heater\n  def warm(thing)\n  end\nend\nCook.plan do\n  warm 1, 2\nend\nOven.class_eval do\n  cool 2\nend\n" +
        "module Served\n  include Comparable\n  def serve\n    lay(1)\n  end\nend\nclass Course\n  include Served\n  def lay(at)\n  end\nend\nclass Floor\n  def lay(at)\n  end\nend\n",
    },
    edges: [
      "lib/cook.rb#Chef EXTENDS lib/cook.rb#Cook same-file",
      "lib/cook.rb#Chef.parts CALLS lib/cook.rb#Cook.parts same-file",
      "lib/cook.rb#Chef.rest CALLS lib/cook.rb#Cook.warm same-file",
      "lib/cook.rb#Cook.cook CALLS lib/cook.rb#Cook.count same-file",
      "lib/cook.rb#Cook.cook CALLS lib/cook.rb#Cook.count= same-file",
      "lib/cook.rb#Cook.cook CALLS lib/cook.rb#Cook.warm same-file",
      "lib/cook.rb#Cook.cook CALLS lib/oven.rb#Oven import",
      "lib/cook.rb#Cook.cook CALLS lib/oven.rb#Oven.clean import",
      "lib/cook.rb#Cook.initialize CALLS lib/oven.rb#Clock import",
      "lib/cook.rb#Cook.initialize CALLS lib/oven.rb#Clock.start import",
      "lib/cook.rb#Cook.initialize CALLS lib/oven.rb#Stove.heat import",
      "lib/cook.rb#Cook.plan CALLS lib/cook.rb#Cook same-file",
      "lib/cook.rb#Cook.plan CALLS lib/oven.rb#Stove import",
      "lib/cook.rb#Cook.warm CALLS lib/oven.rb#Oven.heat import",
      "lib/menu.rb#Course EXTENDS lib/menu.rb#Served same-file",
      "lib/menu.rb#Served.serve CALLS lib/menu.rb#Course.lay unique-name",
      "lib/menu.rb#lib/menu.rb CALLS lib/cook.rb#Cook.plan import",
      "lib/menu.rb#lib/menu.rb CALLS lib/cook.rb#Cook.warm import",
      "lib/menu.rb#lib/menu.rb CALLS lib/oven.rb#Oven.cool import",
    ],
  },
  "Ruby: blocks that a constructor, a method it is passed on to, or a module without a name runs": {
    files: {
      "lib/plan.rb":
        "module Plan\n  def self.new(&block)\n    made = Module.new { include Plan }\n    made.module_eval(&block) if block\n    made\n  end\n" +
        "  def self.included(other)\n    other.extend(Steps)\n  end\nend\n" +
        "module Steps\n  def step(name)\n  end\nend\n" +
        "class Builder\n  def initialize(&block)\n    block.arity > 0 ? block.call(self) : instance_eval(&block)\n  end\n  def wall(at)\n  end\nend\n" +
        "class Mason < Builder\n  def brick(at)\n  end\nend\n",
      "lib/site.rb":
        "module Site\n  def self.step(name)\n  end\n  def self.note(text)\n  end\n  def self.build(&block)\n    Mason.new(&block)\n  end\n" +
        "  def self.first\n    Plan.new do\n      step 1\n      note 2\n    end\n  end\n" +
        "  def self.second\n    build do\n      brick 1\n      note 2\n    end\n  end\n" +
        "  def self.third\n    Mason.new do |mason|\n      mason.wall 1\n      note 2\n    end\n  end\n" +
        "  def self.fourth\n    Module.new do\n      note 2\n    end\n    elsewhere do\n      note 3\n    end\n  end\nend\n",
    },
    edges: [
      "lib/site.rb#Site.build CALLS lib/plan.rb#Mason import",
      "lib/site.rb#Site.first CALLS lib/plan.rb#Plan.new import",
      "lib/site.rb#Site.first CALLS lib/plan.rb#Steps.step import",
      "lib/site.rb#Site.first CALLS lib/site.rb#Site.note unique-name",
      "lib/site.rb#Site.fourth CALLS lib/site.rb#Site.note same-file",
      "lib/site.rb#Site.fourth CALLS lib/site.rb#Site.note unique-name",
      "lib/site.rb#Site.second CALLS lib/plan.rb#Mason.brick import",
      "lib/site.rb#Site.second CALLS lib/site.rb#Site.build same-file",
      "lib/site.rb#Site.second CALLS lib/site.rb#Site.note unique-name",
      "lib/site.rb#Site.third CALLS lib/plan.rb#Builder.wall unique-name",
      "lib/site.rb#Site.third CALLS lib/plan.rb#Mason import",
      "lib/site.rb#Site.third CALLS lib/site.rb#Site.note same-file",
    ],
  },
  "Ruby: methods of modules on values of unknown class, super among class methods": {
    files: {
      "lib/tools.rb":
        "module Cutting\n  def self.new(size)\n  end\n  def sharpen(by)\n  end\n  def hone(by)\n  end\nend\n" +
        "class Knife\n  include Cutting\n  def sharpen(by)\n  end\n  def self.new(size)\n    super(size)\n  end\n  def trim\n  end\n  class << self\n    def trim\n    end\n  end\nend\n" +
        "class Razor < Knife\n  def self.new(size)\n    super\n  end\n  def trim\n    super\n  end\nend\n",
      "lib/shop.rb": "class Shop\n  def open(tool)\n    tool.sharpen(1)\n    tool.hone(1)\n  end\nend\n",
    },
    edges: [
      "lib/shop.rb#Shop.open CALLS lib/tools.rb#Cutting.hone unique-name",
      "lib/shop.rb#Shop.open CALLS lib/tools.rb#Cutting.sharpen unique-name",
      "lib/tools.rb#Knife EXTENDS lib/tools.rb#Cutting same-file",
      "lib/tools.rb#Razor EXTENDS lib/tools.rb#Knife same-file",
      "lib/tools.rb#Razor.new CALLS lib/tools.rb#Knife.new same-file",
      "lib/tools.rb#Razor.trim CALLS lib/tools.rb#Knife.trim same-file",
    ],
  },
  "Ruby: the values of specifications, classes without a name, methods of a class and its instances of one name": {
    files: {
      "lib/cart.rb":
        "class Cart\n  def self.rules(name)\n  end\n  def add(item)\n  end\n  def clear\n  end\n  def self.clear\n  end\nend\n",
      "spec/cart_spec.rb":
        "describe Cart do\n  let(:other) { Class.new(Cart) do\n    rules :x\n  end }\n  before { @full = other.new }\n" +
        "  def helped\n    subject.add(1)\n  end\n  def reset\n    described_class.clear\n    @full.clear\n  end\nend\n",
    },
    edges: [
      "spec/cart_spec.rb#spec/cart_spec.rb CALLS lib/cart.rb#Cart import",
      "spec/cart_spec.rb#spec/cart_spec.rb CALLS lib/cart.rb#Cart.rules import",
      "spec/cart_spec.rb#helped CALLS lib/cart.rb#Cart.add import",
      "spec/cart_spec.rb#reset CALLS lib/cart.rb#Cart.clear import",
      "spec/cart_spec.rb#reset CALLS lib/cart.rb#Cart.clear import",
    ],
  },
  "Rust: items in the rules of a macro, type arguments that are the result, statics, types in brackets": {
    files: {
      "src/lib.rs":
        "mod util;\nuse util::help;\npub trait Show { fn show(&self) -> u8; fn more(&self) {} }\npub struct Store { at: u8 }\n" +
        "macro_rules! make {\n    ($t:ty, $($n:ident),*) => {\n        impl Show for $t { fn show(&self) -> u8 { self.more(); help(1) } }\n" +
        "        $(fn $n() { $crate::util::other(2); })*\n        impl Store { pub fn put(&self) { self.pad(); $t::odd(3); } }\n    };\n    ($x:expr) => { $x + 1 };\n}\n" +
        "impl Store { fn pad(&self) {} fn as_show(&self) -> &(dyn Show + Send) { todo!() } }\n" +
        "thread_local! {\n    static CURRENT: Store = Store { at: 1 };\n}\n" +
        "pub fn run(text: &str, store: &Store) {\n    store.put();\n    store.as_show().more();\n    text.read_as::<Store>().pad();\n" +
        "    CURRENT.with(|current| current.put());\n    check!(help::<u8, _>(4));\n}\n",
      "src/util.rs": "pub fn help<A, B>(x: u8) -> u8 { x }\npub fn other(x: u8) {}\n",
    },
    edges: [
      "src/lib.rs#$n CALLS src/util.rs#other import",
      "src/lib.rs#$t IMPLEMENTS src/lib.rs#Show same-file",
      "src/lib.rs#$t.show CALLS src/lib.rs#Show.more same-file",
      "src/lib.rs#$t.show CALLS src/util.rs#help import",
      "src/lib.rs#Store.put CALLS src/lib.rs#Store.pad same-file",
      "src/lib.rs#run CALLS src/lib.rs#Show.more same-file",
      "src/lib.rs#run CALLS src/lib.rs#Store.as_show same-file",
      "src/lib.rs#run CALLS src/lib.rs#Store.pad same-file",
      "src/lib.rs#run CALLS src/lib.rs#Store.put same-file",
      "src/lib.rs#run CALLS src/util.rs#help import",
    ],
  },
  "Rust: a value that stands for its type argument, methods in the rules of a macro": {
    files: {
      "src/lib.rs":
        "mod counter;\nuse counter::Counter;\npub struct Queue { at: u8 }\nimpl Queue { pub fn push(&self) {} }\npub struct Other { at: u8 }\nimpl Other { pub fn push(&self) {} }\n" +
        "enum Kind { First(Counter<Queue>), Second(Counter<Other>) }\n" +
        "fn run(kind: &Kind) { match kind { Kind::First(one) => one.push(), Kind::Second(two) => { two.push(); two.more(); } } }\n" +
        "macro_rules! forward {\n    () => { fn show(&self) { other() } };\n}\nmacro_rules! named {\n    ($n:ident) => { pub struct $n { at: u8 } impl $n { fn odd(&self) {} } };\n}\nfn other() { show(); }\n",
      "src/counter.rs":
        "pub struct Counter<C> { inner: C }\nimpl<C> Counter<C> { pub fn more(&self) {} }\n" +
        "impl<C> std::ops::Deref for Counter<C> { type Target = C; fn deref(&self) -> &C { &self.inner } }\n",
    },
    edges: [
      "src/lib.rs#forward CALLS src/lib.rs#other same-file",
      "src/lib.rs#run CALLS src/counter.rs#Counter.more import",
      "src/lib.rs#run CALLS src/lib.rs#Other.push same-file",
      "src/lib.rs#run CALLS src/lib.rs#Queue.push same-file",
    ],
  },
  "Rust: imports in modules of a file, and modules that a star import brings": {
    files: {
      "src/lib.rs":
        "mod lower;\nmod user;\nfn helper() {}\nmod inner {\n    use super::helper;\n    fn call() { helper(); }\n    mod deep { use super::super::helper as again; fn more() { again(); } }\n}\n",
      "src/lower/mod.rs": "mod real;\npub(crate) use self::real::*;\n",
      "src/lower/real/mod.rs":
        "mod cell;\npub(crate) mod parts { pub(crate) use super::cell::Cell; }\npub(crate) mod sync { pub(crate) mod atomic { pub(crate) use crate::lower::real::cell::Count; } }\n",
      "src/lower/real/cell.rs":
        "pub(crate) struct Cell { at: u8 }\nimpl Cell { pub(crate) fn open(&self) {} }\npub(crate) struct Count { at: u8 }\nimpl Count { pub(crate) fn up(&self) {} }\n",
      "src/user.rs":
        "use crate::lower::parts::Cell;\nuse crate::lower::sync::atomic::Count;\nfn run(cell: &Cell, count: &Count) { cell.open(); count.up(); }\n",
    },
    edges: [
      "src/lib.rs#inner.call CALLS src/lib.rs#helper same-file",
      "src/lib.rs#inner.deep.more CALLS src/lib.rs#helper same-file",
      "src/user.rs#run CALLS src/lower/real/cell.rs#Cell.open import",
      "src/user.rs#run CALLS src/lower/real/cell.rs#Count.up import",
    ],
  },
  "Java: classes in classes by path, functions that a static import brings": {
    files: {
      "app/Rules.java":
        "package app;\npublic class Rules {\n  public static class All { public boolean test() { return true; } }\n  static boolean sorted(int x) { return true; }\n}\n",
      "app/Main.java":
        "package app;\nimport static app.Rules.sorted;\nclass Main {\n  Rules.All field;\n" +
        "  void run(Rules.All given) { new Rules.All().test(); given.test(); field.test(); sorted(1); }\n}\n",
    },
    edges: [
      "app/Main.java#Main.run CALLS app/Rules.java#Rules.All import",
      "app/Main.java#Main.run CALLS app/Rules.java#Rules.All.test import",
      "app/Main.java#Main.run CALLS app/Rules.java#Rules.sorted import",
    ],
  },
  "Rust: several traits of one parameter, paths of the first edition": {
    files: {
      "Cargo.toml": '[package]\nname = "x"\n',
      "src/lib.rs": "mod parts;\nmod deep;\n",
      "src/parts.rs":
        "pub trait Cut<R> { fn slice(&self, range: R) -> Self; }\npub trait Len { fn size(&self) -> usize; }\npub fn whole() {}\n" +
        "pub struct Holder<T> { of: T }\npub trait Kind { fn make() -> Self; }\nimpl<T: Kind> Holder<T> { fn fill(&mut self) { self.of = T::make(); } }\n",
      "src/deep/mod.rs":
        "use parts::{whole, Cut, Len};\npub fn cut<T>(input: T) -> T where T: Cut<usize>, T: Len { whole(); input.slice(input.size()) }\n",
    },
    edges: [
      "src/deep/mod.rs#cut CALLS src/parts.rs#whole import",
      "src/deep/mod.rs#cut CALLS src/parts.rs#Cut.slice import",
      "src/deep/mod.rs#cut CALLS src/parts.rs#Len.size import",
      "src/parts.rs#Holder.fill CALLS src/parts.rs#Kind.make same-file",
    ],
  },
  "Ruby: of several methods that a module may call on itself, the one of the nearest module": {
    files: {
      "check/visitor.rb":
        "module App\n  module Check\n    class Visitor\n      def note(x)\n      end\n    end\n  end\nend\n",
      "check/rule.rb":
        "module App\n  module Check\n    module Rule\n      def run(other)\n        note(1)\n        other.note(1)\n      end\n    end\n  end\nend\n",
      "draw/pen.rb": "module App\n  module Draw\n    class Pen\n      def note(x)\n      end\n    end\n  end\nend\n",
    },
    edges: [
      "check/rule.rb#App.Check.Rule.run CALLS check/visitor.rb#App.Check.Visitor.note unique-name",
      "check/rule.rb#App.Check.Rule.run CALLS check/visitor.rb#App.Check.Visitor.note ambiguous",
      "check/rule.rb#App.Check.Rule.run CALLS draw/pen.rb#App.Draw.Pen.note ambiguous",
    ],
  },
  "Rust: a type of another module of the name of one of the file's own": {
    files: {
      "src/lib.rs": "pub mod read;\npub mod place;\n",
      "src/read.rs": "pub struct Stream<R> { reader: R }\n",
      "src/place.rs":
        "pub trait Reset { fn reset(&mut self); }\npub trait Placed { fn place(&self); }\n" +
        "impl<R> Placed for crate::read::Stream<R> { fn place(&self) {} }\n" +
        "pub struct Stream<I> { input: I }\n" +
        "impl<I> Reset for Stream<I> where I: Reset { fn reset(&mut self) { self.input.reset(); self.next(); } }\n" +
        "impl<I> Stream<I> { fn next(&self) {} }\n",
    },
    edges: [
      "src/place.rs#Stream IMPLEMENTS src/place.rs#Placed same-file",
      "src/place.rs#Stream IMPLEMENTS src/place.rs#Reset same-file",
      "src/place.rs#Stream.reset CALLS src/place.rs#Reset.reset same-file",
      "src/place.rs#Stream.reset CALLS src/place.rs#Stream.next same-file",
    ],
  },
  "Ruby: modules that extend the classes which include them, modules whose class is known by its methods": {
    files: {
      "definable.rb":
        "module Definable\n  def self.included(base)\n    base.extend(ClassMethods)\n  end\n  def ensured\n  end\n" +
        "  module ClassMethods\n    def ensured(*names)\n    end\n  end\nend\n",
      "field.rb": "class Field\n  include Definable\n  ensured :name\n  def show\n    ensured\n  end\nend\n",
      "visitor.rb": "class Visitor\n  attr_reader :context\n  def add_error(text)\n  end\nend\n",
      "query.rb": "class Query\n  attr_reader :context\nend\n",
      "rule.rb": "module Rule\n  def check\n    add_error(context.to_s)\n  end\nend\n",
    },
    edges: [
      "definable.rb#Definable EXTENDS definable.rb#Definable.ClassMethods same-file",
      "field.rb#Field EXTENDS definable.rb#Definable import",
      "field.rb#Field CALLS definable.rb#Definable.ClassMethods.ensured import",
      "field.rb#Field.show CALLS definable.rb#Definable.ensured import",
      "rule.rb#Rule.check CALLS visitor.rb#Visitor.add_error unique-name",
      "rule.rb#Rule.check CALLS visitor.rb#Visitor.context unique-name",
    ],
  },
  "Rust: all bounds of a parameter, implementations above their type, functions of traits by path": {
    files: {
      "Cargo.toml": '[package]\nname = "x"\n',
      "src/lib.rs":
        "mod graph_impl;\nmod walk;\npub use crate::graph::Graph;\npub mod graph { pub use crate::graph_impl::{Graph, Index, Plain}; }\n",
      "src/graph_impl.rs":
        "pub trait Index { fn index(&self) -> usize; }\npub trait Plain { fn index(&self) -> u8; fn flag(&self) -> bool; }\n" +
        "impl Default for Graph { fn default() -> Self { Graph::empty() } }\n" +
        "pub struct Graph { size: usize }\nimpl Graph { pub fn empty() -> Self { Graph { size: 0 } } pub fn grow(&self) {} }\n" +
        "impl std::ops::Neg for Graph { fn neg(self) {} }\n" +
        "pub type Plainly<T> = T;\npub trait Base { type Id; }\nimpl<T: Index> Base for Held<T> { type Id = Plainly<T>; }\n" +
        "pub struct Held<T> { of: T }\nimpl<T: Index> Held<T> { fn at(&self, id: Self::Id) -> usize { id.index() } }\n",
      "src/walk.rs":
        "use crate::{graph::{Index, Plain}, Graph};\nuse std::ops::Neg;\npub struct Walk<T> { seen: T, graph: Graph }\n" +
        "impl<T: Default> Default for Walk<T> { fn default() -> Self { panic!() } }\n" +
        "impl<T> Walk<T> where T: Plain + Index { fn go(&self) { self.seen.flag(); self.graph.grow(); <T as Index>::index(&self.seen); } }\n" +
        "pub fn negative(graph: Graph) { Neg::neg(graph) }\npub fn make() { Walk::<u8>::default(); }\n",
    },
    edges: [
      "src/graph_impl.rs#Graph.default CALLS src/graph_impl.rs#Graph.empty same-file",
      "src/graph_impl.rs#Held IMPLEMENTS src/graph_impl.rs#Base same-file",
      "src/graph_impl.rs#Held.at CALLS src/graph_impl.rs#Index.index same-file",
      "src/walk.rs#Walk.go CALLS src/graph_impl.rs#Graph.grow import",
      "src/walk.rs#Walk.go CALLS src/graph_impl.rs#Index.index import",
      "src/walk.rs#Walk.go CALLS src/graph_impl.rs#Plain.flag import",
      "src/walk.rs#make CALLS src/walk.rs#Walk.default same-file",
      "src/walk.rs#negative CALLS src/graph_impl.rs#Graph.neg import",
    ],
  },
  PHP: {
    files: {
      "Mail.php":
        "<?php\nnamespace Lib;\nclass Mail { public function send(): void { $this->log(); } private function log() {} }\n",
      "run.php": "<?php\nuse Lib\\Mail;\nfunction run(Mail $mail) { $mail->send(); $other = new Mail(); }\n",
    },
    edges: [
      "Mail.php#Mail.send CALLS Mail.php#Mail.log same-file",
      "run.php#run CALLS Mail.php#Mail.send import",
      "run.php#run CALLS Mail.php#Mail import",
    ],
  },
  "PHP's names with a namespace, comments that state types, traits and parents": {
    files: {
      "Node/Name.php":
        "<?php\nnamespace Lib\\Node;\nclass Name extends Base {\n  public function text(): string { return ''; }\n}\n",
      "Node/Base.php":
        "<?php\nnamespace Lib\\Node;\nclass Base {\n  use \\Lib\\Marks;\n  public function __construct(protected Name $first) {}\n  public function again(): static { return new static($this->first); }\n}\n",
      "Marks.php": "<?php\nnamespace Lib;\ntrait Marks { public function mark() {} }\n",
      "Reader.php":
        "<?php\nnamespace Lib;\nuse Lib\\{Node, Other};\nclass Reader extends Node\\Base {\n  /** @var Node\\Name[] */\n  private $names = [];\n" +
        "  private $kept;\n  public function __construct() { parent::__construct(new Node\\Name()); $this->kept = new Node\\Name(); }\n" +
        "  /** @return Node\\Base|null */\n  public function base() {}\n" +
        "  /** @param \\Lib\\Node\\Base $given */\n  public function read($given) {\n    foreach ($this->names as $key => $name) { $name->text(); }\n" +
        "    $this->base()?->mark();\n    $given->again()->mark();\n    $this->first->text();\n    $this->kept->text();\n    if ($given) { $one = $this->names[0]; }\n    $one->text();\n" +
        "    try { } catch (Failure $e) { $e->show(); }\n  }\n}\n",
      "Failure.php": "<?php\nnamespace Lib;\nclass Failure extends \\Exception { public function show() {} }\n",
    },
    edges: [
      "Node/Base.php#Base.again CALLS Node/Base.php#Base same-file",
      "Node/Base.php#Base EXTENDS Marks.php#Marks import",
      "Node/Name.php#Name EXTENDS Node/Base.php#Base import",
      "Reader.php#Reader EXTENDS Node/Base.php#Base import",
      "Reader.php#Reader.__construct CALLS Node/Base.php#Base.__construct import",
      "Reader.php#Reader.__construct CALLS Node/Name.php#Name import",
      "Reader.php#Reader.read CALLS Node/Name.php#Name.text import",
      "Reader.php#Reader.read CALLS Reader.php#Reader.base same-file",
      "Reader.php#Reader.read CALLS Marks.php#Marks.mark import",
      "Reader.php#Reader.read CALLS Node/Base.php#Base.again import",
      "Reader.php#Reader.read CALLS Failure.php#Failure.show import",
    ],
  },
};

const SHOWN: readonly Relation[] = ["CALLS", "EXTENDS", "IMPLEMENTS"];

describe("languages", () => {
  for (const [name, { files, edges }] of Object.entries(PROJECTS)) {
    test(name, async () => {
      const fixture = new CodeFixture(files);
      try {
        await fixture.index();
        const found = fixture.read((store) =>
          store.files().flatMap((file) =>
            store.entities(file.no).flatMap((from) =>
              store.outgoing(from.no, SHOWN).map(({ entity, edge }) => {
                return `${from.path}#${from.qualified} ${edge.relation} ${entity.path}#${entity.qualified} ${edge.resolution}`;
              }),
            ),
          ),
        );
        const heirs = found.filter((edge) => edge.includes(" EXTENDS ") && !edges.includes(edge));
        assert.deepEqual(found.filter((edge) => !heirs.includes(edge)).sort(), edges.toSorted());
      } finally {
        fixture.dispose();
      }
    });
  }
});
