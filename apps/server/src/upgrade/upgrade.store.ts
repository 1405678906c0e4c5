import { sql } from "kysely";
import type { Insertable, RawBuilder, Selectable } from "kysely";
import type { PackageStateBadge } from "@arcada/contract/upgrade/upgrade.rules";
import { ticketMinutes } from "../platform/http/zip-archive-routes.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { PackageArrivalTable, UpgradePackageTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";

export type PackageUploadRow = Selectable<PackageArrivalTable>;
export type PackageRow = Selectable<UpgradePackageTable> & {
  newest: boolean;
  downloads: number;
  publisher: string | null;
  withdrawer: string | null;
};

const packageRows = (db: Db) =>
  db
    .selectFrom("upgrade_package as p")
    .selectAll("p")
    .select([
      sql<boolean>`p.state = 'published' and not exists (select from upgrade_package n
        where n.product = p.product and n.state = 'published' and n.version_key > p.version_key)`.as("newest"),
      sql<number>`(select count(*)::int from package_download d where d.package_id = p.id)`.as("downloads"),
      sql<string | null>`(select nick_name from users where id = p.published_by)`.as("publisher"),
      sql<string | null>`(select nick_name from users where id = p.withdrawn_by)`.as("withdrawer"),
    ]);

/** Returns the package if the tenant scope shows it. */
export const findPackage = (db: Db, id: string): Promise<PackageRow | undefined> =>
  packageRows(db).where("p.id", "=", id).executeTakeFirst();

export interface PackageFilter {
  product?: string | undefined;
  state?: PackageStateBadge | undefined;
  page: number;
  pageSize: number;
}
export const listPackages = (db: Db, { product, state, page, pageSize }: PackageFilter): Promise<PackageRow[]> =>
  packageRows(db)
    .$if(product !== undefined, (query) => query.where("p.product", "=", product!))
    .$if(state !== undefined, (query) => query.where("p.state", "=", state!))
    .orderBy("p.product")
    .orderBy("p.version_key", "desc")
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
export const countPackages = async (
  db: Db,
  { product, state }: Omit<PackageFilter, "page" | "pageSize">,
): Promise<number> =>
  (
    await db
      .selectFrom("upgrade_package")
      .select(sql<number>`count(*)::int`.as("count"))
      .$if(product !== undefined, (query) => query.where("product", "=", product!))
      .$if(state !== undefined, (query) => query.where("state", "=", state!))
      .executeTakeFirstOrThrow()
  ).count;
export const listProducts = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("upgrade_package").select("product").distinct().orderBy("product").execute()).map(
    (row) => row.product,
  );

/** Returns those of the packages that are still published. */
export const filterPublished = (db: Db, ids: string[]): Promise<Set<string>> =>
  queryIds(sql`select id from upgrade_package where id = any(${ids}::uuid[]) and state = 'published'`, db);
/** Returns those of the keys that still belong to bound devices. */
export const filterBoundKeys = (db: Db, keys: string[]): Promise<Set<string>> =>
  queryIds(sql`select key_id as id from device where key_id = any(${keys}::uuid[]) and state = 'bound'`, db);
const queryIds = async (query: RawBuilder<{ id: string }>, db: Db): Promise<Set<string>> =>
  new Set((await query.execute(db)).rows.map(({ id }) => id));

/** The newest published one of a product above a version's key. */
export const findNewestAbove = (db: Db, product: string, key: string): Promise<PackageRow | undefined> =>
  packageRows(db)
    .where("p.product", "=", product)
    .where("p.state", "=", "published")
    .where("p.version_key", ">", key)
    .orderBy("p.version_key", "desc")
    .executeTakeFirst();

export async function insertPackage(db: Db, row: Insertable<UpgradePackageTable>): Promise<boolean> {
  const made = await db
    .insertInto("upgrade_package")
    .values(row)
    .onConflict((conflict) => conflict.columns(["product", "version_key"]).doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n;
}

export async function withdrawPackage(db: Db, id: string, by: { uid: string; reason: string }): Promise<boolean> {
  const withdrawn = await db
    .updateTable("upgrade_package")
    .set({
      state: "withdrawn",
      withdrawn_by: by.uid,
      withdrawn_at: sql<string>`now()`,
      withdrawal_reason: by.reason,
    })
    .where("id", "=", id)
    .where("state", "=", "published")
    .executeTakeFirst();
  return withdrawn.numUpdatedRows === 1n;
}

export const findPackageUpload = (db: Db, id: string): Promise<PackageUploadRow | undefined> =>
  db.selectFrom("package_arrival").selectAll().where("id", "=", id).executeTakeFirst();

/**
 * Fetching a package requires no right to write this row. For a person, the package and its signature file are one
 * download. False if the package is withdrawn: a withdrawal waits for fetches in progress, and so notifies those who
 * fetch.
 */
export const recordDownload = (
  db: Db,
  row: { package_id: string; user_id: string | null; device_id: string | null; institution_id: string | null },
): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql`with held as (
        select id from upgrade_package where id = ${row.package_id} and state = 'published' for share),
      noted as (insert into package_download (id, package_id, user_id, device_id, institution_id)
        select ${newId()}, held.id, ${row.user_id}, ${row.device_id}, ${row.institution_id} from held
        where not exists (select 1 from package_download d where d.package_id = held.id and d.user_id = ${row.user_id}
          and d.at > now() - make_interval(mins => ${ticketMinutes}::int)))
      select id from held`.execute(db);
    return rows.length === 1;
  });

export interface DownloadRecord {
  id: string;
  at: string;
  who: string;
  device: boolean;
}
const maxDownloadsListed = 50;
export const listDownloads = (db: Db, id: string): Promise<DownloadRecord[]> =>
  db
    .selectFrom("package_download as d")
    .leftJoin("users as u", "u.id", "d.user_id")
    .leftJoin("device as v", "v.id", "d.device_id")
    .select(["d.id", "d.at"])
    .select([
      sql<string>`coalesce(u.nick_name, v.serial_number, '')`.as("who"),
      sql<boolean>`d.device_id is not null`.as("device"),
    ])
    .where("d.package_id", "=", id)
    .orderBy("d.at", "desc")
    .orderBy("d.id", "desc")
    .limit(maxDownloadsListed)
    .execute();

/** Returns the institutions that have a device of this product now. */
export const listInstitutionsWithProduct = async (db: Db, product: string): Promise<string[]> =>
  (
    await db
      .selectFrom("device")
      .select("institution_id")
      .distinct()
      .where("product", "=", product)
      .where("institution_id", "is not", null)
      .execute()
  ).flatMap(({ institution_id }) => institution_id ?? []);

/** Returns the users who fetched a package themselves, and the institutions whose devices did. */
export const listDownloaders = async (db: Db, id: string): Promise<{ users: string[]; institutions: string[] }> => {
  const { rows } = await sql<Row<"package_download", "user_id" | "institution_id">>`select distinct user_id,
    case when device_id is not null then institution_id end as institution_id
    from package_download where package_id = ${id}`.execute(db);
  return {
    users: rows.flatMap(({ user_id }) => user_id ?? []),
    institutions: [...new Set(rows.flatMap(({ institution_id }) => institution_id ?? []))],
  };
};
