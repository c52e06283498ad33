import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callEdgesOf } from "../../../../test/support/code.ts";

const FILES = {
  "Uri.php": `<?php
namespace Lib;
use Psr\\Http\\Message\\UriInterface;
class Uri implements UriInterface {
  public function getPath(): string { return ''; }
  public function withPath(string $path): UriInterface { return new self(); }
  public function parts(): Parts { return new Parts(); }
}
class Parts { public function first() {} }
`,
  "Stream.php": `<?php
namespace Lib;
use Psr\\Http\\Message\\StreamInterface;
class Stream implements StreamInterface { public function read() {} }
class Buffer implements StreamInterface { public function read() {} public function drop() {} }
class Other implements StreamInterface { public function drop() {} }
`,
  "Request.php": `<?php
namespace Lib;
class Request implements \\Psr\\Http\\Message\\RequestInterface, \\Countable {
  use Headers;
  public function getUri(): \\Psr\\Http\\Message\\UriInterface { return $this->setHeaders(); }
  public function count(): int { return 0; }
}
class ServerRequest extends Request { public function getUri(): \\Psr\\Http\\Message\\UriInterface {} }
`,
  "Message.php": `<?php
namespace Lib;
use Psr\\Http\\Message\\MessageInterface;
trait MessageTrait { public function getBody() {} }
class First implements MessageInterface { use MessageTrait; public function getBody() {} }
class Second implements MessageInterface { use MessageTrait; public function getBody() {} }
interface OwnInterface extends \\Psr\\Dispatcher { public function stop(): void; }
class Own implements OwnInterface { public function dispatch() {} public function stop(): void {} }
`,
  "Headers.php": "<?php\nnamespace Lib;\ntrait Headers { protected function setHeaders() {} }\n",
};

/** The text of a function, and what it calls with the basis of each. */
const CASES: Record<string, [string, string[]]> = {
  "the only implementation is a guess": ["$uri->getPath();", ["Uri.getPath unique-name"]],
  "so is what its results lead to": [
    "$uri->withPath('')->getPath(); $uri->parts()->first();",
    ["Parts.first unique-name", "Uri.getPath unique-name", "Uri.parts unique-name", "Uri.withPath unique-name"],
  ],
  "a base stands for the classes that extend it": [
    "$request->getUri()->getPath();",
    ["Request.getUri unique-name", "Uri.getPath unique-name"],
  ],
  "a variable that is assigned often": [
    `$new = new Uri();${" $new = $new->withPath('');".repeat(8)} $new->getPath();`,
    ["Uri import", "Uri.getPath unique-name", "Uri.withPath unique-name"],
  ],
  "of several implementations the one that is named after the interface is": [
    "$stream->read();",
    ["Stream.read unique-name"],
  ],
  "of several others none is": ["$stream->drop();", []],
  "what the implementations share is in a trait": ["$message->getBody();", ["MessageTrait.getBody unique-name"]],
  "an interface of the project with a base in another package": [
    "$own->dispatch(); $own->stop();",
    ["Own.dispatch unique-name", "OwnInterface.stop import"],
  ],
  "an interface of PHP itself has too many others": ["$many->count();", []],
};

describe("PHP: interfaces of other packages", () => {
  for (const [name, [body, calls]] of Object.entries(CASES)) {
    test(name, async () => {
      const main = `<?php
namespace App;
use Lib\\Uri;
use Psr\\Http\\Message\\{MessageInterface, RequestInterface, StreamInterface, UriInterface};
function run(UriInterface $uri, RequestInterface $request, StreamInterface $stream, \\Countable $many,
  MessageInterface $message, \\Lib\\OwnInterface $own) { ${body} }
`;
      assert.deepEqual(await callsOf({ ...FILES, "main.php": main }, "main.php"), calls);
    });
  }

  test("an interface does not hide the methods of a trait", async () => {
    assert.deepEqual(await callsOf(FILES, "Request.php"), ["Headers.setHeaders import"]);
  });

  test("a method may return a value of the class that it extends", async () => {
    const text = "class A { function a() {} }\nclass B extends A { function up(): parent {}\nfunction a() {} }\n";
    const main = `<?php\n${text}function run(B $b) { $b->up()->a(); }\n`;
    assert.deepEqual(await callsOf({ "main.php": main }, "main.php"), ["A.a same-file", "B.up same-file"]);
  });
});

async function callsOf(files: Record<string, string>, path: string): Promise<string[]> {
  const edges = await callEdgesOf(files, path);
  return edges.map(({ entity, edge }) => `${entity.qualified} ${edge.resolution}`).sort();
}
