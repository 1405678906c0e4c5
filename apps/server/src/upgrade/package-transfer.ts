import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import type { SignatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import type { Principal } from "../platform/http/request-context.ts";
import { verifyTicket, createTicket } from "../platform/http/zip-archive-routes.ts";
import { audit } from "../platform/audit/audit.ts";
import { sendBytes } from "../platform/http/range-response.ts";
import type { Database } from "../platform/database/database.ts";
import { contentDispositionName } from "../platform/http/file-routes.ts";
import { createHolderRegistry } from "../platform/live/address-holders.ts";
import type { HolderRegistry, HolderGuard } from "../platform/live/address-holders.ts";
import { serveMultipart } from "../platform/upload/resumable-put-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { files, uploadParts } from "../platform/runtime/services.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { findPackageUpload, filterBoundKeys, recordDownload, findPackage, filterPublished } from "./upgrade.store.ts";
import type { PackageRow } from "./upgrade.store.ts";

interface PackageServices {
  database: Database;
  authenticate: Authenticate;
  readers: HolderGuard;
}

/**
 * Serves the upload of packages by the operator, in chunks, and their download: PUT /packages/<id>, GET
 * /packages/<id>/<name>.
 */
export async function servePackageTransfers(app: FastifyInstance, served: PackageServices): Promise<void> {
  const { database, authenticate } = served;
  await serveMultipart(app, authenticate, {
    path: "/packages/:id",
    access: ["operator"],
    chunkBytes: upgradeRules.chunkBytes,
    busy: "pieceBusy",
    findExpected: async (_, id) => {
      const row = await database.asSystem((db) => findPackageUpload(db, id));
      return row ? { bytes: row.bytes, isComplete: row.sha256 !== null } : null;
    },
    // A package has some gigabytes, so the request does not wait for its checksum.
    complete: async (id) => void storePackage(database, id),
  });
  const rights: DownloadRights = {
    sessions: served.readers,
    packages: createHolderRegistry((ids) => database.asSystem(async (db) => toTrueMap(await filterPublished(db, ids)))),
    devices: createHolderRegistry((ids) => database.asSystem(async (db) => toTrueMap(await filterBoundKeys(db, ids)))),
  };
  const download = downloadHandler({ ...served, rights });
  app.route({
    method: ["GET", "HEAD"],
    url: "/packages/:id/:name",
    handler: (request, reply) => download(request as PackageRequest, reply),
  });
}

/** The rights behind a download: it is aborted when the session, the device's binding or the package ends. */
interface DownloadRights {
  sessions: HolderGuard;
  packages: HolderRegistry<true>;
  devices: HolderRegistry<true>;
}
const toTrueMap = (ids: ReadonlySet<string>): Map<string, true> => new Map([...ids].map((id) => [id, true]));

const storing = new Set<string>();

async function storePackage(database: Database, id: string): Promise<void> {
  if (storing.has(id)) return;
  storing.add(id);
  try {
    const { sha256 } = await uploadParts().moveInto(id, { files: files(), area: "originals", iid: id });
    await database.asSystem((db) => db.updateTable("package_arrival").set({ sha256 }).where("id", "=", id).execute());
  } catch (error) {
    logEvent("error", "a package that came", describeError(error));
  } finally {
    storing.delete(id);
  }
}

type PackageRequest = FastifyRequest<{ Params: { id: string; name: string }; Querystring: Record<string, unknown> }>;

const buildPackageUrl = (row: Pick<PackageRow, "id">, name: string): string =>
  `/packages/${row.id}/${encodeURIComponent(name)}`;
const signatureFileName = ({ file_name }: Pick<PackageRow, "file_name">): string =>
  `${file_name}${upgradeRules.signatureEnding}`;

/** Addresses for a device, which authenticates with its key. */
export const buildPackageUrls = (row: PackageRow) => ({
  url: buildPackageUrl(row, row.file_name),
  signatureUrl: buildPackageUrl(row, signatureFileName(row)),
});
/** Addresses that are valid for five minutes and for the principal's session. */
export function buildTicketUrls(row: PackageRow, now: Date) {
  const ticket = createTicket(["package", row.id], now);
  const { url, signatureUrl } = buildPackageUrls(row);
  return { url: `${url}?${ticket}`, signatureUrl: `${signatureUrl}?${ticket}` };
}

/**
 * Serves a package to the holder of a ticket or to a bound device of the product. The right is checked for each
 * request, and during the transfer.
 */
const downloadHandler =
  ({ database, authenticate, rights }: PackageServices & { rights: DownloadRights }) =>
  async (request: PackageRequest, reply: FastifyReply) => {
    const { id, name } = request.params;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) refuse("notFound");
    const claim = verifyTicket(["package", id], request.query, new Date());
    if (claim !== null) await rights.sessions.demand(request, claim);
    const program = claim === null ? await requireProgram(authenticate, request, reply) : null;
    const row = await database.as(program ? tenantScopeOf(program) : { system: true }, (db) => findPackage(db, id));
    if (!row) return refuse("notFound");
    if (row.state === "withdrawn") return refuse("packageWithdrawn");
    if (name === signatureFileName(row)) return sendSignature(reply, row);
    if (name !== row.file_name) return refuse("notFound");
    if (program && isFirstRange(request)) await recordProgramDownload(database, program, row, request);
    reply.headers({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; ${contentDispositionName(row.file_name)}`,
      "cache-control": "private, no-cache",
    });
    const { sha256, bytes } = row;
    const open = async (range: { start: number; end: number }) => {
      const flow = await files().read("originals", id, sha256, range);
      rights.packages.watch(id, flow);
      if (claim !== null) rights.sessions.watch(claim.holder, flow);
      if (program?.kind === "device") rights.devices.watch(program.uid, flow);
      else if (program) rights.sessions.watch(program.sessionId, flow);
      return flow;
    };
    return sendBytes(request, reply, { total: bytes, sha256, open });
  };

/** A device, or a laboratory's agent, which fetches its own program. */
async function requireProgram(authenticate: Authenticate, request: FastifyRequest, reply: FastifyReply) {
  const principal = await authenticate(request, reply, undefined, ["device.work", "lab.agent"]);
  return principal?.kind === "device" || principal?.kind === "key" ? principal : refuse("linkExpired");
}
const tenantScopeOf = ({ iid, uid }: Principal) => ({ system: false, iid, uid }) as const;

/** A resumed download is not counted again. */
const isFirstRange = ({ method, headers }: FastifyRequest): boolean =>
  method === "GET" && (headers.range === undefined || /^bytes=0-/i.test(headers.range));

const recordProgramDownload = (
  database: Database,
  { uid, iid, kind }: Principal,
  row: PackageRow,
  request: FastifyRequest,
) =>
  database.asSystem(async (db) => {
    const device =
      kind === "device"
        ? await db.selectFrom("device").select("id").where("key_id", "=", uid).executeTakeFirstOrThrow()
        : null;
    const who = { user_id: device ? null : uid, device_id: device?.id ?? null, institution_id: iid };
    if (!(await recordDownload(db, { package_id: row.id, ...who }))) refuse("packageWithdrawn");
    await audit(db, {
      institution_id: iid,
      user_id: uid,
      action: "upgrade.download",
      subject: row.id,
      detail: { product: row.product, version: row.version },
      address: request.ip,
      request_id: request.id,
    });
  });

function sendSignature(reply: FastifyReply, row: PackageRow) {
  const manifest = { product: row.product, version: row.version, sha256: row.sha256, size: row.bytes };
  const file: SignatureFile = {
    format: "arcada-package-1",
    ...manifest,
    algorithm: row.algorithm,
    signature: row.signature,
  };
  return reply
    .headers({
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; ${contentDispositionName(signatureFileName(row))}`,
    })
    .send(`${JSON.stringify(file, null, 2)}\n`);
}
