import { createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { sql } from "kysely";
import type { Database, Db } from "../database/database.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { encryptSecret, decryptSecret } from "./encrypted-secret.ts";
import type { Row } from "../../tables/row.ts";

/**
 * Six digits are found by trying a million of them, regardless of the hash in the database and of a key in a file. So a
 * random part of the hash is encrypted for the memory of the running processes: their private keys are written nowhere.
 * An attacker who reads disk and database finds neither the part nor the code. A code expires with the last process
 * that can open it.
 */
const ownKeys = { id: newId(), ...generateKeyPairSync("x25519") };
const encodeKey = (key: KeyObject): string => key.export({ type: "spki", format: "der" }).toString("base64");
const decodeKey = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.from(key, "base64"), type: "spki", format: "der" });

export const codeKeyEveryMs = 20_000;
const aliveSeconds = 90;

/** Announces that this process is running: codes that others make are sealed for it too. */
export const publishCodeKey = (database: Database) =>
  database.asSystem(async (db) => {
    await sql`insert into code_key (process, public_key) values (${ownKeys.id}, ${encodeKey(ownKeys.publicKey)})
      on conflict (process) do update set seen_at = now()`.execute(db);
    await sql`delete from code_key where seen_at < now() - interval '1 hour'`.execute(db);
  });

/** Sealed for each process by its id; `by` is the public half of a key that is used once. */
export interface EncryptedPart {
  by?: string;
  for?: Record<string, string>;
}
export async function encryptPart(db: Db, of: string, part: Buffer): Promise<EncryptedPart> {
  const ephemeral = generateKeyPairSync("x25519");
  const others = await sql<Row<"code_key", "process" | "public_key">>`select process, public_key from code_key
    where seen_at > now() - make_interval(secs => ${aliveSeconds}) and process <> ${ownKeys.id}`.execute(db);
  const readers = [
    { process: ownKeys.id, key: ownKeys.publicKey },
    ...others.rows.map((row) => ({ process: row.process, key: decodeKey(row.public_key) })),
  ];
  const sealedFor = readers.map(
    ({ process, key }) => [process, encryptSecret(sharedSecret(ephemeral.privateKey, key), of, part)] as const,
  );
  return { by: encodeKey(ephemeral.publicKey), for: Object.fromEntries(sealedFor) };
}

/** Returns the opened part; null if this process started after the code was made. */
export function decryptPart(of: string, sealed: EncryptedPart): Buffer | null {
  const ownPart = sealed.for?.[ownKeys.id];
  return ownPart && sealed.by
    ? decryptSecret(sharedSecret(ownKeys.privateKey, decodeKey(sealed.by)), of, ownPart)
    : null;
}

const sharedSecret = (privateKey: KeyObject, publicKey: KeyObject): string =>
  diffieHellman({ privateKey, publicKey }).toString("base64");
