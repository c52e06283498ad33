import assert from "node:assert/strict";
import { test } from "node:test";
import { redactText } from "./redact.ts";
import { LITERALS } from "./scan.ts";

const PASSWORD = ["Xk9v", "Q2mT7pL4"].join("");
const KEY = ["Zk3vQ92mT7", "pL4xB8nR5w"].join("");

test("a password under a word of another language is redacted, after a sign or a verb", () => {
  for (const [before, after] of [
    ["Пароль: ", ""],
    ["пароль=", ""],
    ["密码：", ""],
    ["密码: ", ""],
    ["密码是 ", "，请保密"],
    ['"密码": "', '"'],
    ["パスワードは ", " です"],
    ["パスワード：「", "」"],
    ["비밀번호: ", ""],
    ["contraseña: ", ""],
    ["La CONTRASEÑA es ", ""],
    ["mot de passe : ", ""],
    ["senha: ", ""],
    ["das Passwort ist ", ", bitte merken"],
    ["Kennwort lautet ", "."],
    ["password：", ""],
  ]) {
    assert.equal(redactText(`${before}${PASSWORD}${after}`).text, `${before}[REDACTED:password]${after}`);
  }
});

test("a key under a word of another language is redacted, also in a long text", () => {
  for (const before of ["API-Schlüssel: ", "APIキー：", "токен: ", "密钥是 ", "clé d'API : "]) {
    assert.equal(redactText(`${before}${KEY}`).text, `${before}[REDACTED:secret]`);
    const long = "слово ".repeat(20_000);
    assert.equal(redactText(`${long}${before}${KEY}`).text, `${long}${before}[REDACTED:secret]`);
  }
});

test("a password with letters beyond ASCII is redacted", () => {
  assert.equal(redactText("password=пароль123Секрет").text, "password=[REDACTED:password]");
});

test("a sentence about passwords or keys in another language stays", () => {
  for (const text of [
    "密码是必填项",
    "密码：请输入8位以上密码",
    "パスワードの再設定メールが届かない",
    "пароль: обязательное поле",
    "пароль: process.env.DB_PASS",
    "ключ — Ctrl+Shift+P",
    "キー：ArrowLeft",
    "Schlüssel: lager/bestand.py:12",
    "La contraseña es obligatoria",
    "mot de passe oublié",
    "Das Passwort ist falsch",
    'senha = input("Senha: ")',
  ]) {
    assert.equal(redactText(text).text, text);
  }
});

test("no literal ends a line, because the build keeps them as lines", () => {
  assert.deepEqual(
    LITERALS.filter((literal) => literal.includes("\n")),
    [],
  );
});
