/** A key that nobody else makes. crypto.randomUUID exists only over https, and a clinic's own server may speak http. */
export const uniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
