import type { Readable } from "node:stream";
import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import { DataStore, Upload } from "@tus/utils";
import type { Database, Db } from "../database/database.ts";
import type { TenantScope } from "../database/session-settings.ts";
import { refuseWhenFull } from "../storage/durable-writes.ts";
import { refuse } from "../http/refuse.ts";
import type { UploadParts } from "./upload-parts.ts";
import { uploadRules } from "./remove-stale-uploads.ts";
import { reserveSpace } from "./storage-quota.ts";
import { takeReceivedHash, writeReceivedBytes } from "./write-received-bytes.ts";

/** The sender of an upload. Nobody else can access the upload, not even a colleague. */
export interface UploadSender {
  uid: string;
  iid: string;
  /** True for a device, which may be unbound at any moment. */
  isDevice?: boolean;
  /** Set when the session or the membership ended meanwhile. */
  hasEnded: boolean;
  /** The source of the bytes, if they are read from the connection itself. */
  raw?: Readable;
}

/** One sender's uploads, in the interface of the tus server: rows in the database, bytes where `UploadParts` stores them. */
export class UploadStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  readonly #database: Database;
  readonly #parts: UploadParts;
  readonly #sender: UploadSender;
  #size = 0;

  constructor(database: Database, parts: UploadParts, sender: UploadSender) {
    super();
    this.#database = database;
    this.#parts = parts;
    this.#sender = sender;
  }

  override async create(upload: Upload): Promise<Upload> {
    const row = { id: upload.id, name: uploadName(upload.metadata), bytes: upload.size ?? 0 };
    this.#size = row.bytes;
    await this.#walled((db) => reserveUpload(db, this.#sender, row));
    await refuseWhenFull(this.#parts.make(upload.id));
    upload.creation_date = new Date().toISOString();
    return upload;
  }

  /** The offset is the number of stored bytes: after a crash that may be more than was ever acknowledged. */
  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#walled((db) => this.#mine(db, id).selectAll().executeTakeFirst());
    if (!row) return refuse("uploadUnknown");
    const offset = row.state === "finished" ? row.bytes : await this.#parts.sync(id);
    this.#size = row.bytes;
    return new Upload({ id, size: row.bytes, offset, metadata: { filename: row.name }, creation_date: row.created_at });
  }

  /** The bytes up to the returned offset are stored durably. Bytes from a broken connection are kept too. */
  override async write(source: Readable, id: string, offset: number): Promise<number> {
    const part = await this.#parts.open(id, offset);
    const requirePermission = () => {
      if (this.#sender.hasEnded) refuse("signedOutElsewhere");
    };
    return writeReceivedBytes(this.#sender.raw ?? source, { id, part, offset, size: this.#size, requirePermission });
  }

  override async remove(id: string): Promise<void> {
    await this.#walled(async (db) => {
      const row = await this.#mine(db, id).select("state").forUpdate().executeTakeFirst();
      if (!row || row.state === "finished") return refuse("uploadUnknown");
      await db.deleteFrom("upload").where("institution_id", "=", this.#sender.iid).where("id", "=", id).execute();
    });
    await this.#parts.remove(id);
  }

  override getExpiration(): number {
    return uploadRules.keptDays * 24 * 3600 * 1000;
  }

  /**
   * Called when all bytes are here. The hash was computed on arrival if one process saw them all, otherwise it is
   * computed now. If this call is lost, finishing does its work.
   */
  async received(id: string): Promise<void> {
    const sha256 = takeReceivedHash(id, this.#size) ?? (await this.#parts.syncAndHash(id)).sha256;
    await this.#walled((db) =>
      db
        .updateTable("upload")
        .set({ state: "received", sha256 })
        .where("institution_id", "=", this.#sender.iid)
        .where("id", "=", id)
        .where("state", "=", "open")
        .execute(),
    );
  }

  #walled<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const tenantScope: TenantScope = { system: false, iid: this.#sender.iid, uid: this.#sender.uid };
    return this.#database.as(tenantScope, work);
  }
  #mine(db: Db, id: string) {
    const known = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : "00000000-0000-0000-0000-000000000000";
    return db
      .selectFrom("upload")
      .where("institution_id", "=", this.#sender.iid)
      .where("id", "=", known)
      .where("user_id", "=", this.#sender.uid);
  }
}

/** Reserves space before a byte is accepted. */
async function reserveUpload(
  db: Db,
  sender: UploadSender,
  upload: { id: string; name: string; bytes: number },
): Promise<void> {
  if (sender.isDevice) await lockDeviceBinding(db, sender);
  await reserveSpace(db, sender.iid, upload.bytes);
  await requireFewOpenUploads(db, sender);
  await db
    .insertInto("upload")
    .values({ ...upload, institution_id: sender.iid, user_id: sender.uid, sha256: null, finished_at: null })
    .execute();
}

/** Called after `reserveSpace`, whose lock serialises the start of an institution's uploads. */
async function requireFewOpenUploads(db: Db, { iid, uid }: UploadSender): Promise<void> {
  const { own, all } = await db
    .selectFrom("upload")
    .select([
      sql<number>`count(*)::int`.as("all"),
      sql<number>`(count(*) filter (where user_id = ${uid}))::int`.as("own"),
    ])
    .where("institution_id", "=", iid)
    .where(sql<boolean>`(state = 'open' or (state = 'received' and bytes = 0))`)
    .executeTakeFirstOrThrow();
  if (own >= studyRules.openUploads || all >= studyRules.openUploadsOfAll) refuse("uploadsTooMany");
}

/**
 * Locks the device's row. If this comes first, unbinding waits until the upload is registered, and then does not
 * happen; if unbinding comes first, no upload begins.
 */
async function lockDeviceBinding(db: Db, { uid, iid }: UploadSender): Promise<void> {
  const { rows } =
    await sql`select from device where key_id = ${uid} and institution_id = ${iid} for key share`.execute(db);
  if (rows.length === 0) refuse("keyUnknown");
}

// C0, C1, and every character that reorders or hides its neighbours (UAX #9, zero-width, byte order mark).
const hiddenCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const maxNameLength = 200;

/** Returns a file's name for display: never a path, and without hidden characters. */
export function toDisplayName(given: string): string {
  const last = given.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const seen = [...last.toWellFormed().replace(hiddenCharacters, "").trim()];
  if (seen.length <= maxNameLength) return /^\.*$/.test(seen.join("")) ? "file" : seen.join("");
  const ending = /\.[^.\s]{1,15}$/u.exec(seen.join(""))?.[0] ?? "";
  return seen.slice(0, maxNameLength - [...ending].length).join("") + ending;
}
const uploadName = (metadata: Upload["metadata"]): string => toDisplayName(metadata?.filename ?? metadata?.name ?? "");
