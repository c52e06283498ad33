/** In a file of its own, because a hook that looks up documents has no time to load the schema library. */
export const COLLECTION_NAME = /^[A-Za-z0-9@][A-Za-z0-9@._/-]{0,99}$/;
