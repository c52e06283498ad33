import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const MODELS = `
class Item
  def ship; end
  def box; Box.new; end
end

class Box
  def ship; end
end

class Crate
  def ship; end
end

class Failure < StandardError
  def ship; end
end
`;

const CASES: CallCases = {
  "blocks of a list": [
    "def f\n  x = [Box.new]\n  x.sum { |y| y.ship }\n  x.each_with_index { |y, i| y.ship }\nend",
    ["Box", "Box.ship"],
  ],
  "an element": ["def f\n  x = [Box.new]\n  x[0].ship\nend", ["Box", "Box.ship"]],
  "several elements": ["def f\n  [Box.new].each_slice(2) { |x| x.ship }\nend", ["Box"]],
  "what a block makes of each element": [
    "def f\n  [Item.new].map { |x| x.box }.reverse.first.ship\nend",
    ["Box.ship", "Item", "Item.box"],
  ],
  "a method that each element is asked for": ["def f\n  [Box.new].each(&:ship)\nend", ["Box", "Box.ship"]],
  "elements of several types": ["def f\n  [Box.new, Item.new].each { |x| x.ship }\nend", ["Box", "Item"]],
  groups: ["def f\n  [Box.new].group_by(&:to_s).each { |k, x| x.each { |y| y.ship } }\nend", ["Box", "Box.ship"]],
  "the parts of a list": [
    "def f\n  x, y = Item.new, Box.new\n  y.ship\n  _, *z = [Crate.new]\n  z.each { |w| w.ship }\nend",
    ["Box", "Box.ship", "Crate", "Crate.ship", "Item"],
  ],
  "the values of a hash": ["def f\n  x = { a: Item.new, b: Box.new }\n  x[:b].ship\nend", ["Box", "Box.ship", "Item"]],
  "a value behind several keys": ["def f\n  { a: { b: Box.new } }.dig(:a, :b).ship\nend", ["Box", "Box.ship"]],
  "a list that is filled": ["def f\n  x = []\n  x << Box.new\n  x.last.ship\nend", ["Box", "Box.ship"]],
  "a list that is filled with several types": [
    "def f\n  x = []\n  x << Box.new\n  x << Item.new\n  x.last.ship\nend",
    ["Box", "Item"],
  ],
  "a list of a field": [
    "class A\n  def initialize\n    @x = []\n  end\n  def a\n    @x.push(Box.new)\n  end\n  def b\n    @x.each { |y| y.ship }\n  end\nend",
    ["Box", "Box.ship"],
  ],
  "the value itself": [
    "def f\n  Box.new.tap { |x| x.ship }\n  Item.new.then { |x| x.ship }\nend",
    ["Box", "Box.ship", "Item", "Item.ship"],
  ],
  "a lambda": ["def f\n  x = -> { Box.new }\n  x.call.ship\nend", ["Box", "Box.ship"]],
  "a method as an object": ["def f(x = Item.new)\n  y = x.method(:box)\n  y.call.ship\nend", ["Box.ship", "Item"]],
  "members of a struct": [
    "A = Struct.new(:x, :y)\ndef f\n  z = A.new(Item.new, Box.new)\n  z.y.ship\nend",
    ["A", "A.y", "Box", "Box.ship", "Item"],
  ],
  "a pattern": [
    "def f(x)\n  case x\n  in { a: Box => y, b: Integer } then y.ship\n  in [Item => z, *] then z.ship\n  end\nend",
    ["Box.ship", "Item.ship"],
  ],
  "cases of a class": [
    "def f(x)\n  case x\n  when Box then x.ship\n  when Item, Crate then x.ship\n  end\nend",
    ["Box.ship"],
  ],
  "a condition": ["def f(x)\n  return unless x.is_a?(Box)\n  x.ship\nend", ["Box.ship"]],
  "errors that are rescued": [
    "def f\n  g\nrescue Failure => e\n  e.ship\nrescue KeyError => e\n  e.ship\nend",
    ["Failure.ship"],
  ],
  "delegated methods": [
    "class A\n  extend Forwardable\n  def_delegators :@x, :box\n  def initialize\n    @x = Item.new\n  end\n  def f\n    box.ship\n  end\nend",
    ["Box.ship", "Item", "Item.box"],
  ],
  "a method that a block defines": [
    "class A\n  define_method(:x) { Box.new }\n  def f\n    x.ship\n  end\nend",
    ["A.x", "Box", "Box.ship"],
  ],
  "the only instance": [
    "class A\n  include Singleton\n  def ship; end\nend\ndef f\n  A.instance.ship\nend",
    ["A.ship"],
  ],
  "elements of a class of the project": [
    "class A\n  include Enumerable\n  def initialize\n    @x = [Box.new]\n  end\n  def each(&block)\n    @x.each(&block)\n  end\nend\ndef f\n  A.new.first.ship\nend",
    ["A", "Box", "Box.ship"],
  ],
  "a comment that states types": [
    "class A\n  # @param x [Array<Box>]\n  # @return [Hash{String => Crate}]\n  def g(x)\n    x.each { |y| y.ship }\n    load\n  end\n  def f\n    g([])['a'].ship\n  end\nend",
    ["A.g", "Box.ship", "Crate.ship"],
  ],
  "a signature": [
    "class A\n  sig { params(x: Box).returns(T::Array[Crate]) }\n  def g(x)\n    x.ship\n    load\n  end\n  #: (Item) -> void\n  def f(y)\n    y.ship\n    g(nil).first.ship\n  end\nend",
    ["A.g", "Box.ship", "Crate.ship", "Item.ship"],
  ],
  "a subclass in its base, which also extends itself": [
    "module Parts\n  def ship(x); end\nend\nclass A\n  extend Parts\n  def ship; end\n  def load(x); end\n  class B < self\n    ship :x\n    def f\n      load(1)\n      ship\n    end\n  end\nend",
    ["A.load", "A.ship", "Parts.ship"],
  ],
  "queries of records": [
    "class A < ApplicationRecord\n  def ship; end\nend\ndef f\n  A.where(x: 1).order(:id).each { |y| y.ship }\n  A.find(1).ship\nend",
    ["A.ship"],
  ],
};

describe("idioms of Ruby", () => {
  testCalls(CASES, "lib/main.rb", (text) => ({ "lib/models.rb": MODELS, "lib/main.rb": `${text}\n` }));
});
