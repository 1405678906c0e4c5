import { open } from "node:fs/promises";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { detectFileKind } from "@arcada/imaging/file-kind";
import type { FileKind } from "@arcada/imaging/file-kind";
import type { ManualTransactionContext, MemberContext } from "../../platform/http/request-context.ts";
import { files, uploadParts } from "../../platform/runtime/services.ts";
import { withUploadPath } from "../../platform/upload/upload-parts.ts";
import { checkMesh, isMesh } from "./mesh-check.ts";

/** The kind of a file by its bytes, and its fault. */
export interface UploadInspection {
  content: FileKind;
  fault: RefusalName | null;
}

/**
 * Inspects uploads before the transaction that attaches them: reading a scan lasts seconds, and a database connection
 * must not be held so long. Files that the order already contains were inspected when they arrived.
 */
export async function inspectUploads(
  context: ManualTransactionContext<MemberContext>,
  uploads: readonly string[],
  order: string | undefined,
): Promise<void> {
  const fresh = uploads.filter((id) => !inspections.has(id));
  if (fresh.length === 0) return;
  const { principal } = context;
  const rows = await context.inTransaction(({ db }) =>
    db
      .selectFrom("upload")
      .select(["id", "name", "bytes", "state", "sha256"])
      .where("institution_id", "=", principal.iid)
      .where("user_id", "=", principal.uid)
      .where("id", "in", fresh)
      .where(sql<boolean>`not exists (select from order_file f where f.institution_id = ${principal.iid}
        and f.order_id = ${order ?? null} and f.id = upload.id)`)
      .execute(),
  );
  for (const { id, name, bytes, state, sha256 } of rows)
    if (state === "finished")
      await files().local("originals", principal.iid, sha256!, (path) => inspectUpload(id, path, name, bytes));
    else if ((await uploadParts().bytes(id)) === bytes)
      await withUploadPath(uploadParts(), id, (path) => inspectUpload(id, path, name, bytes));
}

/** Returns the cached inspection of an upload, whose bytes never change once they are complete. */
export const cachedInspection = (upload: string): UploadInspection | undefined => inspections.get(upload);

const inspections = new LRUCache<string, UploadInspection>({ max: 1000 });

/** Inspects the file at this path and caches the result under the upload's id. */
export async function inspectUpload(
  upload: string,
  path: string,
  name: string,
  bytes: number,
): Promise<UploadInspection> {
  const content = detectFileKind(await readHead(path, bytes), name, bytes);
  const inspection = { content, fault: isMesh(content) ? await checkMesh(path, content) : null };
  inspections.set(upload, inspection);
  return inspection;
}

const headBytes = 16_384;
async function readHead(path: string, bytes: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(Math.min(bytes, headBytes));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
