import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const LIBRARY = `package app
interface Node { fun size(): Int }
open class Item(val node: Node) : Node {
  override fun size() = 1
  fun self() = this
}
class Other(val item: Item) {
  fun size(): Int = 2
  fun take(): Item = item
  val made by lazy { Item(item) }
  val own: Item get() = item
}
class Box<T>(val held: T) {
  fun open(): T = held
  fun each(run: (T) -> Unit) {}
}
data class Pair(val first: Item, val second: Other)
object Root {
  val item: Item = Item(TODO())
}
enum class Kind { A, B;
  fun other(): Other = TODO()
}
class Failure : Exception() {
  fun print() {}
}
fun Other.extra(): Item = take()
`;

/** A file of the same package, and the definitions of the library that it is known to call. */
const CASES: CallCases = {
  "parameters and properties of the constructor": [
    "class Main(private val item: Item) { fun f(o: Other?) { item.size(); o?.size() } }",
    ["Item.size", "Other.size"],
  ],
  "the result of an expression": ["fun f(i: Item) { i.self().size() }", ["Item.self", "Item.size"]],
  "elements of lists and maps": [
    `fun f(l: List<Item>, m: Map<String, Other>) { l[0].size(); m["a"]!!.size(); for (x in l) x.self(); for ((k, v) in m) v.take() }`,
    ["Item.self", "Item.size", "Other.size", "Other.take"],
  ],
  "it, and named parameters of lambdas": [
    "fun f(l: List<Other>) { l.filter { it.size() > 1 }.map { it.take() }.forEach { x -> x.size() } }",
    ["Item.size", "Other.size", "Other.take"],
  ],
  "the functions of every value": [
    "fun f(o: Other) { o.let { it.take().size() }; o.apply { size() }; with(o) { take() }; o.also { it.size() }.size() }",
    ["Item.size", "Other.size", "Other.take"],
  ],
  "casts and checks of a type": [
    "fun f(x: Any) { if (x is Item) x.size(); (x as Other).take(); when (x) { is Other -> x.size() } }",
    ["Item.size", "Other.size", "Other.take"],
  ],
  "generic classes": [
    "fun f(b: Box<Item>) { b.open().size(); b.held.self(); b.each { it.size() } }",
    ["Box.each", "Box.open", "Item.self", "Item.size"],
  ],
  "the parts of a data class": ["fun f(p: Pair) { val (a, b) = p; a.size(); b.take() }", ["Item.size", "Other.take"]],
  "objects, enumerations and getters": [
    "fun f(o: Other) { Root.item.size(); Kind.A.other().take(); o.own.self(); o.made.size() }",
    ["Item.self", "Item.size", "Kind.other", "Other.take"],
  ],
  "an extension": ["fun f(o: Other) { o.extra().size() }", ["Item.size", "extra"]],
  "functions as values": ["fun f(g: (Int) -> Other) { g(1).size(); listOf(Other::take) }", ["Other.size"]],
  "an exception that is caught": ["fun f() { try { } catch (e: Failure) { e.print() } }", ["Failure.print"]],
  "any number of arguments": ["fun f(vararg all: Item) { all[0].size() }", ["Item.size"]],
};

describe("Kotlin", () => {
  testCalls(CASES, "app/Main.kt", (text) => ({
    "app/Library.kt": LIBRARY,
    "app/Main.kt": `package app\n${text}\n`,
  }));
});
