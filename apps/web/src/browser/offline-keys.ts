/** Stored beside the encrypted answers: the secret, encrypted by a key that follows from the session's token. */
export interface KeyRecord {
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  wrapped: ArrayBuffer;
}
export interface OfflineKeys {
  cipher: CryptoKey;
  /** A keyed hash: the addresses of answers contain ids and search terms. */
  hash: (text: string) => Promise<string>;
  /** 32 random bytes from which the keys follow, to be wrapped again when the token is renewed. */
  secret: Uint8Array<ArrayBuffer>;
}

/** Creates keys, or wraps those of `secret` for a new token. */
export async function createOfflineKeys(
  token: string,
  secret = crypto.getRandomValues(new Uint8Array(32)),
): Promise<{ record: KeyRecord; keys: OfflineKeys }> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const wrapped = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await deriveFromToken(token, salt), secret);
  return { record: { salt, iv, wrapped }, keys: await deriveKeys(secret) };
}

/** Null if the record was made for another session. */
export async function openOfflineKeys(token: string, { salt, iv, wrapped }: KeyRecord): Promise<OfflineKeys | null> {
  try {
    const key = await deriveFromToken(token, salt);
    return await deriveKeys(new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, wrapped)));
  } catch {
    return null;
  }
}

const deriveFromToken = (token: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  derive(new TextEncoder().encode(token), salt, "session", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]);

async function deriveKeys(secret: Uint8Array<ArrayBuffer>): Promise<OfflineKeys> {
  const none = new Uint8Array(16);
  const cipher = await derive(secret, none, "answers", { name: "AES-GCM", length: 256 }, ["encrypt", "decrypt"]);
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  const hashKey = await derive(secret, none, "addresses", hmac, ["sign"]);
  const hash = async (text: string) => {
    const bytes = await crypto.subtle.sign("HMAC", hashKey, new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(bytes)));
  };
  return { cipher, hash, secret };
}

/** HKDF of RFC 5869: the token and the secret are random, so no slow function is needed. */
async function derive(
  material: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  purpose: string,
  target: AesKeyGenParams | HmacKeyGenParams,
  uses: KeyUsage[],
): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveKey"]);
  const info = new TextEncoder().encode(`arcada offline ${purpose}`);
  return crypto.subtle.deriveKey({ name: "HKDF", hash: "SHA-256", salt, info }, base, target, false, uses);
}
