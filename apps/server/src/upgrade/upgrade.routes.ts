import type { Parsed } from "@arcada/contract/kernel/call";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import { agentProgramCalls, upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival, PackageDetail, UpgradePackage } from "@arcada/contract/upgrade/upgrade.calls";
import { gatewayProducts, manifestText } from "@arcada/contract/upgrade/upgrade.rules";
import { versionKey } from "@arcada/contract/upgrade/package-version";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { files, uploadParts } from "../platform/runtime/services.ts";
import { findSigner } from "../platform/security/find-signer.ts";
import { buildPackageUrls, buildTicketUrls } from "./package-transfer.ts";
import { listPackageKeys } from "./package-signing.ts";
import * as store from "./upgrade.store.ts";
import { packageWithdrawn } from "./upgrade.events.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const agentProgramRoutes = routes(agentProgramCalls, {
  program: ({ product, version }, { db }) => loadNewest(db, product, version),
});

export const upgradeRoutes = routes(upgradeCalls, {
  list: async (choice, context) => {
    const { db } = context;
    const rows = await store.listPackages(db, choice);
    return {
      list: rows.map((row) => toPackage(row, context)),
      total: await store.countPackages(db, choice),
      next: null,
      products: await store.listProducts(db),
    };
  },
  detail: ({ id }, context) => loadPackageDetail(context, id),
  latest: async ({ product, version }, { db, principal }) => {
    const device = await db
      .selectFrom("device")
      .select("product")
      .where("key_id", "=", principal.uid)
      .executeTakeFirst();
    if (!device || (product !== undefined && product !== device.product && !isGatewayProduct(product)))
      return refuse("notFound");
    return loadNewest(db, product ?? device.product, version);
  },
  download: async ({ id }, context) => {
    const { db, principal, now } = context;
    const row = (await store.findPackage(db, id)) ?? refuse("notFound");
    const who = { user_id: principal.uid, device_id: null, institution_id: principal.iid };
    if (!(await store.recordDownload(db, { package_id: id, ...who }))) refuse("packageWithdrawn");
    context.detail = { product: row.product, version: row.version };
    return buildTicketUrls(row, now);
  },

  arrivals: async (_, { db }) =>
    Promise.all(
      (await db.selectFrom("package_arrival").selectAll().orderBy("created_at", "desc").execute()).map(toPackageUpload),
    ),
  begin: async ({ fileName, bytes }, { db, principal }) => {
    const id = newId();
    await uploadParts().make(id);
    await db
      .insertInto("package_arrival")
      .values({ id, file_name: fileName, bytes, created_by: principal.uid })
      .execute();
    return toPackageUpload((await store.findPackageUpload(db, id)) ?? refuse("internal"));
  },
  forget: async ({ id }, { db, afterCommit }) => {
    const gone = await db.deleteFrom("package_arrival").where("id", "=", id).returningAll().executeTakeFirst();
    const { sha256 } = gone ?? refuse("notFound");
    afterCommit.push(async () => {
      await uploadParts().remove(id);
      if (sha256) await files().remove("originals", id, sha256);
    });
    return null;
  },
  publish: (request, context) => publishPackage(request, context),
  withdraw: async ({ id, reason }, context) => {
    const { db, principal } = context;
    const row = (await store.findPackage(db, id)) ?? refuse("notFound");
    if (!(await store.withdrawPackage(db, id, { uid: principal.uid, reason }))) refuse("packageWithdrawn");
    const { product, version } = row;
    context.detail = { product, version, reason };
    const fetchers = await store.listDownloaders(db, id);
    await publish(db, packageWithdrawn, { packageId: id, product, version, by: principal.uid, ...fetchers });
    await notifyPackageReaders(db, row);
    return loadPackageDetail(context, id);
  },
});

const isGatewayProduct = (product: string): boolean => gatewayProducts.some((one) => one === product);

/** The newest package above a version, with the addresses from which a program fetches it with its key. */
async function loadNewest(db: Db, product: string, version: string | undefined) {
  const row = await store.findNewestAbove(db, product, version ? versionKey(version) : "");
  return { package: row ? { ...toManifest(row), ...buildPackageUrls(row) } : null };
}

/**
 * The signature covers the stored package: the hash and the size are computed here, regardless of the signature file.
 */
async function publishPackage(
  request: Parsed<typeof upgradeCalls.publish>,
  context: AuthenticatedContext,
): Promise<PackageDetail> {
  const { db, principal, config } = context;
  const { id, name, product, version, description, signature } = request;
  const packageUpload = (await store.findPackageUpload(db, id)) ?? refuse("notFound");
  const { file_name, bytes } = packageUpload;
  const sha256 = packageUpload.sha256 ?? refuse("uploadIncomplete", { name: file_name });
  const manifest = manifestText({ product, version, sha256, size: bytes });
  const signed_by = findSigner(Buffer.from(manifest), signature, listPackageKeys(config)) ?? refuse("packageSignature");
  const version_key = versionKey(version);
  const newest = await store.findNewestAbove(db, product, version_key);
  if (newest && !request.evenIfLower) refuse("packageLower", { newest: newest.version });
  const row = { id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by };
  if (!(await store.insertPackage(db, { ...row, published_by: principal.uid }))) refuse("packageExists");
  await db.deleteFrom("package_arrival").where("id", "=", id).execute();
  context.detail = { product, version, sha256, signedBy: signed_by };
  await notifyPackageReaders(db, { id, product });
  return loadPackageDetail(context, id);
}

/** Notifies open tabs of users who look after devices, and of clinics that have one of this product. */
async function notifyPackageReaders(db: Db, { id, product }: { id: string; product: string }): Promise<void> {
  const institutions = await store.listInstitutionsWithProduct(db, product);
  await notifyClients(db, { institutions, service: true }, "upgrade", id);
}

const isServiceUser = ({ principal }: AuthenticatedContext): boolean => hasAccess(serviceRoles, principal.role);

const toManifest = (row: store.PackageRow) => ({
  ...pickColumns(row, "id", "name", "file_name", "product", "version", "sha256", "algorithm", "signature", "signed_by"),
  size: row.bytes,
});
const toPackage = (row: store.PackageRow, context: AuthenticatedContext): UpgradePackage => ({
  ...toManifest(row),
  ...pickColumns(row, "state", "published_at", "withdrawn_at", "withdrawal_reason", "newest"),
  downloads: isServiceUser(context) ? row.downloads : null,
});

async function loadPackageDetail(context: AuthenticatedContext & { db: Db }, id: string): Promise<PackageDetail> {
  const { db } = context;
  const row = (await store.findPackage(db, id)) ?? refuse("notFound");
  const fetched = isServiceUser(context) ? await store.listDownloads(db, id) : null;
  return {
    ...toPackage(row, context),
    description: row.description,
    publishedBy: isServiceUser(context) ? row.publisher : null,
    withdrawnBy: row.withdrawer,
    fetched: fetched && fetched.map((one) => ({ id: one.id, time: one.at, who: one.who, isDevice: one.device })),
  };
}

const toPackageUpload = async (row: store.PackageUploadRow): Promise<PackageArrival> => ({
  ...pickColumns(row, "id", "file_name", "bytes", "sha256", "created_at"),
  offset: row.sha256 === null ? ((await uploadParts().bytes(row.id)) ?? 0) : row.bytes,
});
