import assert from "node:assert/strict";
import { test } from "node:test";
import { modelFile, smallModel } from "../../test/support/model/model.ts";
import { loadSettings } from "../config/settings.ts";
import { hasModel } from "./locate.ts";
import { openProvider, openStatic } from "./provider.ts";
import { StaticEmbedder } from "./static.ts";

test("the built-in model is a provider like the others", async (context) => {
  const path = modelFile(context, smallModel());
  const provider = await openStatic(path);
  assert.deepEqual([provider.name, provider.dims], ["small-test", 32]);
  const embedder = new StaticEmbedder(path);
  const vectors = await provider.embed(["fix the test", "数据库"]);
  assert.deepEqual(vectors, [embedder.embed("fix the test"), undefined]);
  await assert.rejects(provider.embed(["fix"], AbortSignal.abort()), { name: "AbortError" });
  embedder.close();
  await provider.close();
});

test("the settings and the environment choose the provider", async () => {
  const open = async (vars: NodeJS.ProcessEnv) =>
    openProvider(await loadSettings("/nowhere/config.yaml", vars), "/nowhere", vars);
  assert.equal(await open({ DEX_EMBEDDING_PROVIDER: "none" }), undefined);
  const endpoint = await open({
    DEX_EMBEDDING_PROVIDER: "endpoint",
    DEX_EMBEDDING_URL: "http://localhost:9/v1",
    DEX_EMBEDDING_MODEL: "words",
    DEX_EMBEDDING_DIMS: "64",
  });
  assert.deepEqual([endpoint?.name, endpoint?.dims], ["endpoint:words", 64]);
  await assert.rejects(open({ DEX_EMBEDDING_PROVIDER: "endpoint" }), /embedding\.url and embedding\.model/);
  await assert.rejects(open({ DEX_EMBEDDING_PROVIDER: "magic" }), /embedding\.provider/);
  if (!hasModel()) {
    await assert.rejects(open({}), { code: "no_embedding_model" });
    return;
  }
  const builtIn = await open({});
  assert.ok(builtIn && (await builtIn.embed(["fix the test"]))[0]?.length === builtIn.dims);
  await builtIn.close();
});
