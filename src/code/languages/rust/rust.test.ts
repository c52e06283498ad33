import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

/** Two types with a method of the same name: a guess by name is impossible. */
const LIBRARY = `use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
pub struct Item { pub tags: Vec<Tag> }
impl Item { pub fn len(&self) -> usize { 1 } pub fn tag(&self) -> Tag { Tag {} } }
pub struct Tag {}
impl Tag { pub fn len(&self) -> usize { 2 } }
impl fmt::Display for Tag { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }
impl std::ops::Add for Item { type Output = Tag; fn add(self, other: Item) -> Tag { Tag {} } }
impl std::ops::Index<usize> for Item { type Output = Tag; fn index(&self, at: usize) -> &Tag { &self.tags[at] } }
pub struct Bag { pub items: Vec<Item> }
impl IntoIterator for Bag { type Item = Item; type IntoIter = std::vec::IntoIter<Item>; fn into_iter(self) -> Self::IntoIter { self.items.into_iter() } }
pub trait With: Sized { fn with<F: FnOnce(&mut Self)>(mut self, f: F) -> Self { f(&mut self); self } }
impl<T: Sized> With for T {}
pub struct State { pub tag: Arc<Mutex<Tag>>, pub map: Mutex<HashMap<String, Item>>, pub make: Box<dyn Fn(u32) -> Tag> }
`;

const CASES: CallCases = {
  "a list that a macro makes": ["fn f() { let l = vec![Item { tags: vec![] }]; l[0].len(); }", ["Item.len"]],
  "an array": ["fn f(a: Item, b: Item) { let [x, y] = [a, b]; y.len(); }", ["Item.len"]],
  "a list that is filled later": ["fn f(t: Tag) { let mut l = Vec::new(); l.push(t); l[0].len(); }", ["Tag.len"]],
  "a map that is filled later": [
    "fn f(t: Tag) { let mut m = HashMap::new(); m.insert(1, t); m.get(&1).unwrap().len(); }",
    ["Tag.len"],
  ],
  "what a lock guards, of a type with a trait of the library": [
    "fn f(s: &State) { s.tag.lock().unwrap().len(); }",
    ["Tag.len"],
  ],
  "a guarded map": [
    "fn f(s: &State) { s.map.lock().unwrap().get(``).unwrap().len(); }".replaceAll("`", '"'),
    ["Item.len"],
  ],
  "two lists side by side": [
    "fn f(a: &[Item], b: &[Tag]) { for (x, y) in a.iter().zip(b.iter()) { x.len(); y.len(); } }",
    ["Item.len", "Tag.len"],
  ],
  "parts of a list, and lists of lists": [
    "fn f(a: &[Tag], b: &[Vec<Item>]) { for w in a.windows(2) { w[0].len(); } for x in b.iter().flatten() { x.len(); } }",
    ["Item.len", "Tag.len"],
  ],
  "a function by its name": [
    "fn f(l: Vec<Item>) { let t: Vec<_> = l.iter().map(Item::tag).collect(); t[0].len(); }",
    ["Tag.len"],
  ],
  "a map of pairs whose type is left open": [
    "fn f(l: &[Item]) { let m: HashMap<_, _> = l.iter().map(|i| (1, i)).collect(); m.get(&1).unwrap().len(); }",
    ["Item.len"],
  ],
  "the result of a closure": ["fn f(i: Item) { let g = || i.tag(); g().len(); }", ["Item.tag", "Tag.len", "f.g"]],
  "a field that is a function": ["fn f(s: &State) { (s.make)(1).len(); }", ["Tag.len"]],
  "what operators make": ["fn f(a: Item, b: Item) { (a + b).len(); }", ["Tag.len"]],
  "an index": ["fn f(i: &Item) { i[0].len(); }", ["Tag.len"]],
  "a method that a trait gives to every type": ["fn f(t: Tag) { t.with(|x| ()); }", ["With.with"]],
  "a type that becomes an iterator": ["fn f(b: Bag) { for i in b { i.len(); } }", ["Item.len"]],
};

describe("Rust", () => {
  testCalls(CASES, "src/main.rs", (text) => ({
    "Cargo.toml": '[package]\nname = "app"\n',
    "src/library.rs": LIBRARY,
    "src/main.rs": `mod library;\nuse library::*;\nuse std::collections::HashMap;\n${text}\n`,
  }));
});
