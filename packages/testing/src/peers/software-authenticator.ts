import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { present } from "../require-present.ts";

/** An authenticator in software (WebAuthn level 2): ECDSA on P-256, passkeys that know their owner, a counter. */
export class SoftwareAuthenticator {
  counter = 0;
  /** True if it verifies the user, by fingerprint or PIN, before it signs. */
  verifiesUser = true;
  /** True if a person touches it. */
  isUserPresent = true;
  /**
   * The values that forgers change: the assumed origin, the relying party for which it signs, and the algorithm (COSE)
   * of its key.
   */
  origin: string;
  relyingPartyId: string;
  algorithm = -7;
  readonly id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #point: { x: Buffer; y: Buffer };
  constructor(origin: string) {
    this.origin = origin;
    this.relyingPartyId = new URL(origin).hostname;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    this.#point = { x: Buffer.from(present(x), "base64url"), y: Buffer.from(present(y), "base64url") };
  }

  /** Answers `navigator.credentials.create`. */
  createCredential(options: Record<string, unknown>) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey()]);
    const data = Buffer.concat([this.#authenticatorData(0x40), attested]);
    const attestation = cborMap([
      [cborText("fmt"), cborText("none")],
      [cborText("attStmt"), cborMap([])],
      [cborText("authData"), cborBytes(data)],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData("webauthn.create", options).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers `navigator.credentials.get`. */
  getAssertion(options: Record<string, unknown>) {
    this.counter += 1;
    const client = this.#clientData("webauthn.get", options);
    const data = this.#authenticatorData(0);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return this.#credential({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: createSign("sha256").update(signed).sign(this.#key).toString("base64url"),
    });
  }

  #credential(response: Record<string, unknown>) {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, response, clientExtensionResults: {} };
  }
  #clientData(type: string, options: Record<string, unknown>): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: options["challenge"], origin: this.origin }));
  }
  #authenticatorData(more: number): Buffer {
    const relyingPartyHash = createHash("sha256").update(this.relyingPartyId).digest();
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      relyingPartyHash,
      Buffer.from([(this.isUserPresent ? 0x01 : 0) | (this.verifiesUser ? 0x04 : 0) | more]),
      counter,
    ]);
  }
  /** RFC 9053, 7.1.1: kty EC2, alg ES256 by default, curve P-256. */
  #publicKey(): Buffer {
    return cborMap([
      [Buffer.from([0x01]), Buffer.from([0x02])],
      [Buffer.from([0x03]), cborInt(this.algorithm)],
      [Buffer.from([0x20]), Buffer.from([0x01])],
      [Buffer.from([0x21]), cborBytes(this.#point.x)],
      [Buffer.from([0x22]), cborBytes(this.#point.y)],
    ]);
  }
}

// RFC 8949, limited to what attestations need.
const cborHead = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
const cborInt = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (pairs: [Buffer, Buffer][]): Buffer => Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);
