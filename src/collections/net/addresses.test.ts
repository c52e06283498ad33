import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress, mayBePrivate } from "./addresses.ts";

test("private, loopback, link-local, metadata and other special addresses are not public", () => {
  const refused = [
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::a00:1",
    "64:ff9b::10.0.0.1",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "not an address",
    "",
  ];
  for (const address of refused) assert.equal(isPublicAddress(address), false, address);
});

test("public addresses are public, in every spelling", () => {
  const fine = [
    "1.1.1.1",
    "93.184.216.34",
    "172.32.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::808:808",
  ];
  for (const address of fine) assert.equal(isPublicAddress(address), true, address);
});

test("hosts are allowed one by one", () => {
  assert.equal(mayBePrivate("docs.corp", ["docs.corp"]), true);
  assert.equal(mayBePrivate("DOCS.corp.", ["docs.corp"]), true);
  assert.equal(mayBePrivate("evil.docs.corp", ["docs.corp"]), false);
  assert.equal(mayBePrivate("[::1]", ["::1"]), true);
  assert.equal(mayBePrivate("anything", true), true);
  assert.equal(mayBePrivate("anything", false), false);
});
