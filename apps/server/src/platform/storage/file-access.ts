import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Database } from "../database/database.ts";
import { isReferenced } from "./file-columns.ts";
import type { FileAddress } from "./file-url.ts";
import type { ValidHolder } from "../live/address-holders.ts";
import { prepared } from "../database/prepared-statements.ts";

type FileKey = Pick<FileAddress, "area" | "iid" | "sha256">;
export type FileAccessCheck = (reader: ValidHolder, file: FileKey) => Promise<boolean>;

/**
 * Decides whether a holder may see a file now, regardless of the address: anyone who knows SECRET_KEY can write an
 * address for their own session. Members see all that their own institution stores. From other stores they see files
 * that are named by a row visible to them under row-level security. A guest session sees the files of the one thing
 * that it is shown.
 */
export const createFileAccessCheck =
  (database: Database): FileAccessCheck =>
  async (reader, file) => {
    if (reader.shared === null && file.iid === reader.tenantScope.iid) return true;
    if (!isId.test(file.iid)) return false;
    const named = reader.shared
      ? referencedBy(reader.shared, file)
      : isReferenced(file.area, sql<string>`${file.iid}::uuid`, hash(file));
    return database.as(reader.tenantScope, async (db) => {
      // A volume is hundreds of files, and planning two dozen tables under row-level security lasts longer than the
      // query.
      const { rows } = await sql<{ seen: boolean }>`${prepared} select ${named} as seen`.execute(db);
      return rows[0]?.seen === true;
    });
  };

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hash = ({ sha256 }: FileKey) => sql<string>`${sha256}::text`;

/** Returns the condition that a study, or an order with its attached studies, refers to the file. */
function referencedBy({ kind, id }: NonNullable<ValidHolder["shared"]>, file: FileKey): RawBuilder<boolean> {
  const sent = sql`(select f.study_id from order_file f where f.order_id = ${id} and f.study_id is not null)`;
  const studies = kind === "study" ? sql`(select ${id}::uuid)` : sent;
  const [store, sha256] = [sql`${file.iid}::uuid`, hash(file)];
  const ofStudies =
    file.area === "originals"
      ? sql`exists (select from instance t where t.institution_id = ${store} and t.sha256 = ${sha256} and t.study_id in ${studies})`
      : sql`exists (select from converted_file t where t.institution_id = ${store} and t.sha256 = ${sha256} and t.study_id in ${studies})
          or exists (select from instance t where t.institution_id = ${store} and t.study_id in ${studies} and t.thumbnail = ${sha256})
          or exists (select from series t where t.institution_id = ${store} and t.study_id in ${studies} and t.thumbnail = ${sha256})
          or exists (select from study t where t.institution_id = ${store} and t.id in ${studies} and t.thumbnail = ${sha256})`;
  if (kind === "study") return sql<boolean>`(${ofStudies})`;
  const ofOrder =
    file.area === "originals"
      ? sql`exists (select from order_file f where f.order_id = ${id} and f.owner_id = ${store} and f.sha256 = ${sha256})`
      : sql`exists (select from order_file f join order_glb t on t.institution_id = f.owner_id and t.original = f.sha256
            where f.order_id = ${id} and f.owner_id = ${store} and ${sha256} in (t.sha256, t.coarse_sha256))
          or exists (select from order_file f join order_picture t on t.institution_id = f.owner_id and t.original = f.sha256
            where f.order_id = ${id} and f.owner_id = ${store} and t.sha256 = ${sha256})`;
  return sql<boolean>`(${ofStudies} or ${ofOrder})`;
}
