/** The alphabets of which vendors make their tokens. */
export const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const UPPER = LOWER.toUpperCase();
export const DIGITS = "0123456789";
export const ALNUM = UPPER + LOWER + DIGITS;
export const URL64 = `${ALNUM}-_`;
export const BASE64 = `${ALNUM}+/`;
export const BASE36 = LOWER + DIGITS;
export const BASE32 = `${UPPER}234567`;
export const HEX = `${DIGITS}abcdef`;
