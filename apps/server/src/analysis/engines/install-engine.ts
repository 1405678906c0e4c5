import type { Output, Parsed } from "@arcada/contract/kernel/call";
import type { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import type { ManualTransactionContext, MemberContext } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { deleteUnneeded, markUnneeded } from "../../platform/storage/blob-references.ts";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { encryptSecret, decryptSecret } from "../../platform/security/encrypted-secret.ts";
import { files, secret } from "../../platform/runtime/services.ts";
import { deleteUploads } from "../../platform/upload/upload-rows.ts";
import { finishUpload } from "../../platform/upload/finish-uploads.ts";
import type { PackFault } from "../packs/pack-process.ts";
import { logEngineFault } from "./run-engine.ts";
import { readPack } from "../packs/read-pack.ts";
import { checkRemoteServer } from "../remote/remote-engine.ts";
import { readEngineTrust } from "./engine-trust-settings.ts";
import {
  findEngine,
  listEngines,
  toEngine,
  engineIdOf,
  engineInfoOf,
  arePacksAllowed,
  type RemoteRow,
} from "./engines.store.ts";
import type { IncludedPacks } from "./included-packs.ts";

type ManualContext = ManualTransactionContext<MemberContext>;
type InstallResult = Output<typeof analysisCalls.installPack>;
const checkTimeoutSeconds = 30;

/** Installs an uploaded pack if everything that it declares proves true; otherwise its bytes are removed again. */
export async function installPack(context: ManualContext, upload: string): Promise<InstallResult> {
  const { principal, config } = context;
  const sent = await context.inTransaction(async (inside) => {
    if (!(await arePacksAllowed(inside.db, principal.iid))) refuse("packsForbidden");
    return finishUpload(inside, principal.iid, upload);
  });
  const answer = await files().local("originals", principal.iid, sent.sha256, (at) =>
    readPack(at, readEngineTrust(config).packs),
  );
  if ("fault" in answer) {
    await discardUpload(context, upload, sent.sha256);
    return toRefusal(principal.iid, answer);
  }
  const { info, signedBy: signed_by } = answer.pack;
  return context.inTransaction(async (inside) => {
    const { db } = inside;
    // Checking the pack took a while: the operator may have withdrawn the permission.
    if (!(await arePacksAllowed(db, principal.iid))) refuse("packsForbidden");
    await requireNewEngine(db, principal.iid, info, { except: null, included: readEngineTrust(config).included });
    const id = newId();
    await db
      .insertInto("engine_pack")
      .values({
        institution_id: principal.iid,
        id,
        ...toEngineColumns(info),
        sha256: sent.sha256,
        bytes: sent.bytes,
        info,
        signed_by,
        installed_by: principal.uid,
      })
      .execute();
    await auditInstall(inside, id, { engine: info.id, version: info.version, sha256: sent.sha256 });
    return toInstallResult(inside, id);
  });
}

/** Adds or changes a model server; it is called before anything is written. */
export async function setRemote(
  context: ManualContext,
  { id, token, modelVersion = null, ...input }: Parsed<typeof analysisCalls.setRemote>,
): Promise<InstallResult> {
  const { principal, config } = context;
  const { iid, uid } = principal;
  const before = id ? await context.inTransaction((inside) => requireRemote(inside, id)) : null;
  const row = before?.id ?? newId();
  const open = token === undefined ? readToken(before) : token || null;
  const server = { ...input, modelVersion, token: open };
  const answer = await checkRemoteServer(
    server,
    readEngineTrust(config).reach,
    AbortSignal.timeout(checkTimeoutSeconds * 1000),
  );
  if ("fault" in answer) return toRefusal(iid, answer);
  const { info } = answer;
  return context.inTransaction(async (inside) => {
    const { db } = inside;
    await requireNewEngine(db, iid, info, { except: before?.id ?? null, included: readEngineTrust(config).included });
    const values = {
      ...toEngineColumns(info),
      ...input,
      model_version: modelVersion,
      token: open === null ? null : encryptSecret(secret(), row, Buffer.from(open)),
      info,
      set_by: uid,
    };
    await db
      .insertInto("engine_remote")
      .values({ institution_id: iid, id: row, ...values })
      .onConflict((conflict) => conflict.columns(["institution_id", "id"]).doUpdateSet(values))
      .execute();
    await auditInstall(inside, row, { engine: info.id, version: info.version, address: input.address });
    return toInstallResult(inside, row);
  });
}

/** Messages of the runtime or the network contain paths and addresses of this server, so they stay in the log. */
function toRefusal(iid: string, { fault, reason, detail }: PackFault): InstallResult {
  logEngineFault(`an engine for ${iid}`, { fault, detail });
  return { engine: null, fault, detail: reason };
}

const toEngineColumns = ({ id, version }: EngineInfo) => ({ engine_id: id, engine_version: version });
const readToken = (row: RemoteRow | null): string | null =>
  row?.token ? decryptSecret(secret(), row.id, row.token).toString() : null;

async function requireRemote(context: MemberContext, id: string): Promise<RemoteRow> {
  const found = await findOwnEngine(context, id);
  return found?.source === "remote" ? found.row : refuse("notFound");
}

/** Refuses a second engine with the same id and version, regardless of its source. */
async function requireNewEngine(
  db: Db,
  iid: string,
  info: EngineInfo,
  { except, included }: { except: string | null; included: IncludedPacks },
): Promise<void> {
  const others = (await listEngines(db, iid, included)).filter((one) => engineIdOf(one) !== except);
  const isThere = others.map(engineInfoOf).some(({ id, version }) => id === info.id && version === info.version);
  if (isThere) refuse("engineKnown", { engine: info.id, version: info.version });
  if (others.length > analysisRules.maxEngines) refuse("engineTooMany", { count: analysisRules.maxEngines });
}

const findOwnEngine = ({ db, principal, config }: MemberContext, id: string) =>
  findEngine(db, principal.iid, id, readEngineTrust(config).included);
const toInstallResult = async (context: MemberContext, id: string): Promise<InstallResult> => ({
  engine: toEngine((await findOwnEngine(context, id)) ?? refuse("notFound"), true),
  fault: null,
  detail: null,
});

async function discardUpload(context: ManualContext, upload: string, sha256: string): Promise<void> {
  const { iid } = context.principal;
  await context.inTransaction(async ({ db }) => {
    await deleteUploads(db, iid, [upload]);
    await markUnneeded(db, iid, [{ area: "originals", sha256 }]);
  });
  await deleteUnneeded((work) => context.inTransaction(({ db }) => work(db)), iid);
}

const auditInstall = (
  { db, principal, address, requestId }: MemberContext,
  id: string,
  detail: Record<string, unknown>,
) =>
  audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action: "analysis.engine",
    subject: id,
    detail,
    address,
    request_id: requestId,
  });
