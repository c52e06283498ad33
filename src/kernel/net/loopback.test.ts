import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback } from "./loopback.ts";

test("accepts every name of this machine", () => {
  for (const url of [
    "http://localhost:4318",
    "http://127.0.0.1/",
    "http://127.1:80/x",
    "https://[::1]:4318",
    "http://LOCALHOST",
  ]) {
    assert.ok(isLoopback(url), url);
  }
});

test("rejects other machines, however the address is disguised", () => {
  for (const url of [
    "http://example.com",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost@example.com/",
    "http://0.0.0.0:4318",
    "http://10.0.0.1",
    "http://[::2]/",
    "nonsense",
  ]) {
    assert.ok(!isLoopback(url), url);
  }
});
