import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const MODELS = `
#include <memory>
class Box {
 public:
  void ship() {}
  int weight() const { return 1; }
};
class Item {
 public:
  void ship() {}
  Box box() { return Box(); }
};
struct Line { Item item; Box box; };
class Handle {
 public:
  Box* operator->() { return box_; }
  Box* box_;
};
class Depot {
 public:
  Box* begin() { return boxes_; }
  Box* boxes_;
};
template <typename T>
class Store {
 public:
  T& get() { return value_; }
  T value_;
};
class Boxes : public Store<Box> {};
template <typename T>
T load(int id) { return T(); }
`;

const CASES: CallCases = {
  "a cast": ["void f(void* x) {\n  static_cast<Box*>(x)->ship();\n  ((Item*)x)->ship();\n}", ["Box.ship", "Item.ship"]],
  "a value that the library makes": ["void f() {\n  auto x = std::make_unique<Box>();\n  x->ship();\n}", ["Box.ship"]],
  "an iterator": [
    "void f(std::vector<Box>& x) {\n  for (auto it = x.begin(); it != x.end(); ++it) (*it).ship();\n}",
    ["Box.ship"],
  ],
  "an entry of a map": [
    "void f(std::map<int, Box>& x) {\n  for (auto& y : x) y.second.ship();\n  auto z = x.find(1);\n  z->second.ship();\n}",
    ["Box.ship"],
  ],
  "parts of an entry, a tuple and an object": [
    "void f(std::map<int, Box>& x, std::tuple<int, Item>& y, Line& z) {\n  for (auto& [k, v] : x) v.ship();\n  auto [a, b] = y;\n  b.ship();\n  auto& [c, d] = z;\n  d.ship();\n}",
    ["Box.ship", "Item.ship"],
  ],
  "a part of a tuple": [
    "void f(std::tuple<int, Box>& x) {\n  std::get<1>(x).ship();\n  std::get<Item>(x).ship();\n}",
    ["Box.ship", "Item.ship"],
  ],
  "what a pointer or optional value holds": [
    "void f(std::weak_ptr<Box> x, std::optional<Item> y) {\n  x.lock()->ship();\n  y.value().ship();\n}",
    ["Box.ship", "Item.ship"],
  ],
  "an array": ["void f() {\n  Box x[3];\n  x[1].ship();\n}", ["Box.ship"]],
  "operators of a class": [
    "void f(Handle& x, Depot& y) {\n  x->ship();\n  for (auto& z : y) z.ship();\n}",
    ["Box.ship"],
  ],
  "an operator that is not known": ["void f(Box& x, Box& y) {\n  (x + y).ship();\n}", []],
  "a class template": [
    "void f(Store<Box>& x, Boxes& y) {\n  x.get().ship();\n  y.get().ship();\n}",
    ["Box.ship", "Store.get"],
  ],
  "a function template": ["void f() {\n  load<Box>(1).ship();\n}", ["Box.ship", "load"]],
  "a function as a value": [
    "void f(std::function<Box(int)> x) {\n  x(1).ship();\n  auto y = [](int z) -> Item* { return g(z); };\n  y(1)->ship();\n}",
    ["Box.ship", "Item.ship", "f.y"],
  ],
  "a captured value": [
    "void f(std::unique_ptr<Box> x) {\n  auto y = [z = std::move(x)] { z->ship(); };\n}",
    ["Box.ship"],
  ],
  "a lambda that an algorithm is given": [
    "void f(std::vector<Box>& x) {\n  std::sort(x.begin(), x.end(), [](auto& a, auto& b) { a.ship(); return true; });\n  std::ranges::for_each(x, [](auto& y) { y.weight(); });\n}",
    ["Box.ship", "Box.weight"],
  ],
  "a function without a stated result": [
    "auto g() { return std::make_shared<Box>(); }\nvoid f() { g()->ship(); }",
    ["Box.ship", "g"],
  ],
};

describe("idioms of C++", () => {
  testCalls(CASES, "main.cpp", (text) => ({ "models.h": MODELS, "main.cpp": `#include "models.h"\n${text}\n` }));
});
