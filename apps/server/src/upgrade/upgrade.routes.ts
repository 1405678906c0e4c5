import type { Parsed } from "@arcada/contract/kernel/call";
import { mayRole, serviceRoles } from "@arcada/contract/kernel/roles";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival, PackageDetail, UpgradePackage } from "@arcada/contract/upgrade/upgrade.calls";
import { manifestText } from "@arcada/contract/upgrade/upgrade.rules";
import { versionKey } from "@arcada/contract/upgrade/version";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { files, parts } from "../platform/runtime/services.ts";
import { signerOf } from "../platform/http/signature.ts";
import { addressesOf, ticketsOf } from "./package-bytes.ts";
import { packageKeysOf } from "./package-keys.ts";
import * as store from "./upgrade.store.ts";

export const upgradeRoutes = routes(upgradeCalls, {
  list: async (choice, context) => {
    const { db } = context;
    const rows = await store.packagesOf(db, choice);
    return {
      list: rows.map((row) => shown(row, context)),
      total: await store.countPackages(db, choice),
      next: null,
      products: await store.productsOf(db),
    };
  },
  detail: ({ id }, context) => detailOf(context, id),
  latest: async ({ product, version }, { db, asker }) => {
    const device = await db.selectFrom("device").select("product").where("key_id", "=", asker.uid).executeTakeFirst();
    if (!device || (product !== undefined && product !== device.product)) return refuse("notFound");
    const row = await store.newestAbove(db, device.product, version ? versionKey(version) : "");
    return { package: row ? { ...manifestOf(row), ...addressesOf(row) } : null };
  },
  download: async ({ id }, context) => {
    const { db, asker, now } = context;
    const row = (await store.packageById(db, id)) ?? refuse("notFound");
    const who = { user_id: asker.uid, device_id: null, institution_id: asker.iid };
    if (!(await store.noteDownload(db, { package_id: id, ...who }))) refuse("packageWithdrawn");
    context.detail = { product: row.product, version: row.version };
    return ticketsOf(row, now);
  },

  arrivals: async (_, { db }) =>
    Promise.all(
      (await db.selectFrom("package_arrival").selectAll().orderBy("created_at", "desc").execute()).map(arrivalShown),
    ),
  begin: async ({ fileName, bytes }, { db, asker }) => {
    const id = newId();
    await parts().make(id);
    await db.insertInto("package_arrival").values({ id, file_name: fileName, bytes, created_by: asker.uid }).execute();
    return arrivalShown((await store.arrivalById(db, id)) ?? refuse("internal"));
  },
  forget: async ({ id }, { db, afterCommit }) => {
    const gone = await db.deleteFrom("package_arrival").where("id", "=", id).returningAll().executeTakeFirst();
    const { sha256 } = gone ?? refuse("notFound");
    afterCommit.push(async () => {
      await parts().remove(id);
      if (sha256) await files().remove("originals", id, sha256);
    });
    return null;
  },
  publish: (asked, context) => publish(asked, context),
  withdraw: async ({ id, reason }, context) => {
    const { db, asker } = context;
    const row = (await store.packageById(db, id)) ?? refuse("notFound");
    if (!(await store.withdrawPackage(db, id, { uid: asker.uid, reason }))) refuse("packageWithdrawn");
    const { product, version } = row;
    context.detail = { product, version, reason };
    const fetchers = await store.fetchersOf(db, id);
    await tell(db, { name: "packageWithdrawn", packageId: id, product, version, by: asker.uid, ...fetchers });
    await tellReaders(db, row);
    return detailOf(context, id);
  },
});

/**
 * The signature covers the stored package: the hash and the size are computed here, whatever the signature file says.
 */
async function publish(
  asked: Parsed<typeof upgradeCalls.publish>,
  context: AuthenticatedContext,
): Promise<PackageDetail> {
  const { db, asker, config } = context;
  const { id, name, product, version, description, signature } = asked;
  const arrival = (await store.arrivalById(db, id)) ?? refuse("notFound");
  const { file_name, bytes } = arrival;
  const sha256 = arrival.sha256 ?? refuse("uploadIncomplete", { name: file_name });
  const manifest = manifestText({ product, version, sha256, size: bytes });
  const signed_by = signerOf(Buffer.from(manifest), signature, packageKeysOf(config)) ?? refuse("packageSignature");
  const version_key = versionKey(version);
  const newest = await store.newestAbove(db, product, version_key);
  if (newest && !asked.evenIfLower) refuse("packageLower", { newest: newest.version });
  const row = { id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by };
  if (!(await store.insertPackage(db, { ...row, published_by: asker.uid }))) refuse("packageExists");
  await db.deleteFrom("package_arrival").where("id", "=", id).execute();
  context.detail = { product, version, sha256, signedBy: signed_by };
  await tellReaders(db, { id, product });
  return detailOf(context, id);
}

// A database notification is limited to 8,000 bytes.
const housesAtOnce = 100;
/** Open tabs of those who look after devices, and of clinics that have one of this product. */
async function tellReaders(db: Db, { id, product }: { id: string; product: string }): Promise<void> {
  const houses = await store.housesWith(db, product);
  await notifyClients(db, { service: true }, "upgrade", id);
  for (let at = 0; at < houses.length; at += housesAtOnce)
    await notifyClients(db, { institutions: houses.slice(at, at + housesAtOnce) }, "upgrade", id);
}

const isService = ({ asker }: AuthenticatedContext): boolean => mayRole(serviceRoles, asker.role);

const manifestOf = (row: store.PackageRow) => ({
  id: row.id,
  name: row.name,
  fileName: row.file_name,
  product: row.product,
  version: row.version,
  sha256: row.sha256,
  size: row.bytes,
  algorithm: row.algorithm,
  signature: row.signature,
  signedBy: row.signed_by,
});
const shown = (row: store.PackageRow, context: AuthenticatedContext): UpgradePackage => ({
  ...manifestOf(row),
  state: row.state,
  publishedAt: row.published_at,
  withdrawnAt: row.withdrawn_at,
  withdrawalReason: row.withdrawal_reason,
  newest: row.newest,
  downloads: isService(context) ? row.downloads : null,
});

async function detailOf(context: AuthenticatedContext & { db: Db }, id: string): Promise<PackageDetail> {
  const { db } = context;
  const row = (await store.packageById(db, id)) ?? refuse("notFound");
  const fetched = isService(context) ? await store.fetchedOf(db, id) : null;
  return {
    ...shown(row, context),
    description: row.description,
    publishedBy: isService(context) ? row.publisher : null,
    withdrawnBy: row.withdrawer,
    fetched: fetched && fetched.map((one) => ({ id: one.id, time: one.at, who: one.who, isDevice: one.device })),
  };
}

const arrivalShown = async (row: store.ArrivalRow): Promise<PackageArrival> => ({
  id: row.id,
  fileName: row.file_name,
  bytes: row.bytes,
  offset: row.sha256 === null ? ((await parts().bytes(row.id)) ?? 0) : row.bytes,
  sha256: row.sha256,
  createdAt: row.created_at,
});
