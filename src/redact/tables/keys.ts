/** Keys and hashes in themselves: private keys, JSON web tokens, hashed passwords. */
import { B64, type TokenRule, W } from "./shapes.ts";

export const KEY_TOKENS: readonly TokenRule[] = [
  // Keys in themselves
  { id: "age-secret-key", anchors: ["AGE-SECRET-KEY-1"], body: "[A-Z0-9]{50,64}" },
  {
    id: "private-key",
    anchors: ["LS0tLS1CRUdJTi"],
    body: `(?=${B64}{0,40}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF))${B64}{40,16384}={0,2}`,
    certain: true,
  },
  {
    id: "jwt",
    anchors: ["eyJ"],
    body: `${W}{8,16384}\\.eyJ${W}{6,16384}(?:\\.${W}{0,16384})?`,
    bounded: "apart",
    certain: true,
  },
  {
    id: "jwe",
    anchors: ["eyJ"],
    body: `${W}{16,16384}\\.${W}{0,1024}\\.${W}{8,64}\\.${W}{8,16384}\\.${W}{16,64}`,
    bounded: "apart",
    certain: true,
  },
  { id: "jwt", anchors: ["ZXlK"], body: `${B64}{60,16384}={0,2}`, bounded: true },
  {
    id: "password-hash",
    anchors: ["$apr1$", "$1$", "$5$", "$6$", "$y$"],
    body: "(?:rounds=\\d{1,9}\\$)?[A-Za-z0-9./]{1,24}\\$[A-Za-z0-9./]{22,86}(?![A-Za-z0-9./])",
  },
  { id: "password-hash", anchors: ["$2a$", "$2b$", "$2y$"], body: "\\d\\d\\$[A-Za-z0-9./]{53}(?![A-Za-z0-9./])" },
  {
    id: "password-hash",
    anchors: ["$argon2id$", "$argon2i$", "$argon2d$"],
    body: "(?:v=\\d{1,3}\\$)?[a-z0-9=,]{5,60}\\$[A-Za-z0-9+/]{8,128}\\$[A-Za-z0-9+/]{16,256}",
  },
  {
    id: "password-hash",
    anchors: ["pbkdf2_sha256$", "pbkdf2_sha1$", "pbkdf2:sha256:", "scrypt:32768:8:1$"],
    body: "(?:\\d{1,8}\\$)?[A-Za-z0-9./+]{6,64}\\$[A-Za-z0-9./+]{24,256}={0,2}",
  },
  { id: "password-hash", anchors: ["{SHA}", "{SSHA}"], body: `${B64}{27,64}={0,2}` },
];
