import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";

/**
 * RFC 9106 permits these parameters for a server: each evaluation needs 64 MiB, so at most two run at a time. Tests of a
 * server in their own process lower them: every sign-in would take a third of a second.
 */
export const passwordCost = { memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 };
const maxConcurrent = 2;

/** Hash of a password as a PHC string, so that other argon2 libraries can check it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, salt, passwordCost);
  return toPhcString(unpaddedBase64(salt), unpaddedBase64(tag));
}

/** False for a wrong password and for an account that has none; both take the same time. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, , , parameters, salt, tag] = (hash ?? makeDecoy()).split("$");
  const [memory, passes, parallelism] = [...(parameters ?? "").matchAll(/=(\d+)/g)].map((match) => Number(match[1]));
  if (!memory || !passes || !parallelism || !salt || !tag) return false;
  const expected = Buffer.from(tag, "base64");
  const found = await derive(password, Buffer.from(salt, "base64"), {
    memory,
    passes,
    parallelism,
    tagLength: expected.length,
  });
  return timingSafeEqual(found, expected) && hash !== null;
}
const makeDecoy = (): string => toPhcString("A".repeat(22), "A".repeat(43));

function toPhcString(salt: string, tag: string): string {
  const { memory, passes, parallelism } = passwordCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${tag}`;
}

const unpaddedBase64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");

const limit = pLimit(maxConcurrent);
const argon2id = promisify(argon2);
const derive = (password: string, salt: Buffer, parameters: typeof passwordCost): Promise<Buffer> =>
  limit(() => argon2id("argon2id", { message: password, nonce: salt, ...parameters }));
