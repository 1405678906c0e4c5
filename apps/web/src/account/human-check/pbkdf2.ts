/** PBKDF2 with HMAC-SHA-256 (RFC 8018 5.2) for browsers that offer none on pages without https. */
export function pbkdf2(password: Uint8Array, salt: Uint8Array, rounds: number, bytes: number): Uint8Array {
  const hmac = createHmac(password);
  const key = new Uint8Array(bytes);
  for (let block = 0; block * 32 < bytes; block++) {
    const first = new Uint8Array(salt.length + 4);
    first.set(salt);
    new DataView(first.buffer).setUint32(salt.length, block + 1);
    let last = hmac(first);
    const sum = last.slice();
    for (let round = 1; round < rounds; round++) {
      last = hmac(last);
      for (let at = 0; at < 32; at++) sum[at]! ^= last[at]!;
    }
    key.set(sum.subarray(0, Math.min(32, bytes - block * 32)), block * 32);
  }
  return key;
}

/** HMAC (RFC 2104). The key's two blocks are digested once; every message continues from that state. */
function createHmac(key: Uint8Array): (message: Uint8Array) => Uint8Array {
  const short = key.length > 64 ? sha256(key) : key;
  const start = (mask: number) => {
    const block = new Uint8Array(64).fill(mask);
    short.forEach((byte, at) => (block[at] = byte ^ mask));
    const state = createInitialState();
    compress(state, new DataView(block.buffer), 0);
    return state;
  };
  const inner = start(0x36);
  const outer = start(0x5c);
  return (message) => finishDigest(outer.slice(), finishDigest(inner.slice(), message, 64), 64);
}

const sha256 = (message: Uint8Array): Uint8Array => finishDigest(createInitialState(), message, 0);

/** Finishes the digest of a message from a state that has processed `before` bytes already. */
function finishDigest(state: Uint32Array, message: Uint8Array, before: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, (message.length + before) * 8);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, at) => out.setUint32(at * 4, word));
  return digest;
}

// FIPS 180-4 4.2.2 and 5.3.3: fractional parts of cube and square roots of the first primes.
const primes = Array.from({ length: 310 }, (_, number) => number + 2).filter((number) => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
});
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0;
const constants = Uint32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));
const createInitialState = (): Uint32Array =>
  Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const schedule = new Uint32Array(64);

/** FIPS 180-4 6.2.2. */
function compress(state: Uint32Array, block: DataView, offset: number): void {
  const w = schedule;
  for (let t = 0; t < 16; t++) w[t] = block.getUint32(offset + t * 4);
  for (let t = 16; t < 64; t++) {
    const early = w[t - 15]!;
    const late = w[t - 2]!;
    const small0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const small1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[t] = w[t - 16]! + small0 + w[t - 7]! + small1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + big1 + ((e & f) ^ (~e & g)) + constants[t]! + w[t]!) | 0;
    const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = state[at]! + word));
}
