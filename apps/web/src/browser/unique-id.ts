/** A globally unique key. crypto.randomUUID exists only over https, and a clinic's own server may use http. */
export const createUniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The same as an identifier of a record: a UUID of version 4 (RFC 9562). */
export const createUuid = (): string =>
  createUniqueKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
