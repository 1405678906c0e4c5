import type { Output, Parsed } from "@arcada/contract/kernel/call";
import type { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { analysisRules } from "@arcada/contract/analysis/analysis.rules";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { clearStore, noteUnneeded } from "../platform/storage/blob-references.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { seal, unseal } from "../platform/security/encrypted-secret.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { finishUpload } from "../platform/upload/uploads.ts";
import type { ChildFault } from "./engine-child.ts";
import { logFault } from "./engine-run.ts";
import { readPack } from "./engine-pack.ts";
import { lookAtRemote } from "./engine-remote.ts";
import { engineTrustOf } from "./engine-trust.ts";
import { engineOf, enginesOf, engineShown, infoOf, packsAllowed, type RemoteRow } from "./engines.store.ts";

type Apart = ManualTransactionContext<MemberContext>;
type EngineAnswer = Output<typeof analysisCalls.installPack>;
const lookSeconds = 30;

/** Installs an uploaded pack if everything that it declares proves true; otherwise its bytes are removed again. */
export async function installPack(context: Apart, upload: string): Promise<EngineAnswer> {
  const { asker, config } = context;
  const sent = await context.inTransaction(async (inside) => {
    if (!(await packsAllowed(inside.db, asker.iid))) refuse("packsForbidden");
    return finishUpload(inside, asker.iid, upload);
  });
  const answer = await files().local("originals", asker.iid, sent.sha256, (at) =>
    readPack(at, engineTrustOf(config).packs),
  );
  if ("fault" in answer) {
    await letGo(context, upload, sent.sha256);
    return refused(asker.iid, answer);
  }
  const { info, signedBy: signed_by } = answer.pack;
  return context.inTransaction(async (inside) => {
    const { db } = inside;
    // Checking the pack took a while: the operator may have withdrawn the permission.
    if (!(await packsAllowed(db, asker.iid))) refuse("packsForbidden");
    await demandNew(db, asker.iid, info, null);
    const id = newId();
    await db
      .insertInto("engine_pack")
      .values({
        institution_id: asker.iid,
        id,
        ...named(info),
        sha256: sent.sha256,
        bytes: sent.bytes,
        info,
        signed_by,
        installed_by: asker.uid,
      })
      .execute();
    await note(inside, id, { engine: info.id, version: info.version, sha256: sent.sha256 });
    return installed(db, asker.iid, id);
  });
}

/** Adds or changes a model server; it is called before anything is written. */
export async function setRemote(
  context: Apart,
  { id, token, modelVersion = null, ...wish }: Parsed<typeof analysisCalls.setRemote>,
): Promise<EngineAnswer> {
  const { asker, config } = context;
  const { iid, uid } = asker;
  const before = id ? await context.inTransaction(({ db }) => remoteOf(db, iid, id)) : null;
  const row = before?.id ?? newId();
  const open = token === undefined ? tokenOf(before) : token || null;
  const server = { ...wish, modelVersion, token: open };
  const answer = await lookAtRemote(server, engineTrustOf(config).reach, AbortSignal.timeout(lookSeconds * 1000));
  if ("fault" in answer) return refused(iid, answer);
  const { info } = answer;
  return context.inTransaction(async (inside) => {
    const { db } = inside;
    await demandNew(db, iid, info, before?.id ?? null);
    const values = {
      ...named(info),
      ...wish,
      model_version: modelVersion,
      token: open === null ? null : seal(secret(), row, Buffer.from(open)),
      info,
      set_by: uid,
    };
    await db
      .insertInto("engine_remote")
      .values({ institution_id: iid, id: row, ...values })
      .onConflict((conflict) => conflict.columns(["institution_id", "id"]).doUpdateSet(values))
      .execute();
    await note(inside, row, { engine: info.id, version: info.version, address: wish.address });
    return installed(db, iid, row);
  });
}

/** Messages of the runtime or the network contain paths and addresses of this server, so they stay in the log. */
function refused(iid: string, { fault, reason, detail }: ChildFault): EngineAnswer {
  logFault(`an engine for ${iid}`, { fault, detail });
  return { engine: null, fault, detail: reason };
}

const named = ({ id, version }: EngineInfo) => ({ engine_id: id, engine_version: version });
const tokenOf = (row: RemoteRow | null): string | null =>
  row?.token ? unseal(secret(), row.id, row.token).toString() : null;

async function remoteOf(db: Db, iid: string, id: string): Promise<RemoteRow> {
  const found = await engineOf(db, iid, id);
  return found?.source === "remote" ? found.row : refuse("notFound");
}

/** Refuses a second engine with the same id and version, from whatever source it comes. */
async function demandNew(db: Db, iid: string, info: EngineInfo, except: string | null): Promise<void> {
  const others = (await enginesOf(db, iid)).filter((one) => one.source === "builtIn" || one.row.id !== except);
  const isThere = others.map(infoOf).some(({ id, version }) => id === info.id && version === info.version);
  if (isThere) refuse("engineKnown", { engine: info.id, version: info.version });
  if (others.length > analysisRules.enginesMost) refuse("engineTooMany", { count: analysisRules.enginesMost });
}

const installed = async (db: Db, iid: string, id: string): Promise<EngineAnswer> => ({
  engine: engineShown((await engineOf(db, iid, id)) ?? refuse("notFound"), true),
  fault: null,
  detail: null,
});

async function letGo(context: Apart, upload: string, sha256: string): Promise<void> {
  const { iid } = context.asker;
  await context.inTransaction(async ({ db }) => {
    await db.deleteFrom("upload").where("institution_id", "=", iid).where("id", "=", upload).execute();
    await noteUnneeded(db, iid, [{ area: "originals", sha256 }]);
  });
  await clearStore((work) => context.inTransaction(({ db }) => work(db)), iid);
}

const note = ({ db, asker, address, requestId }: MemberContext, id: string, detail: Record<string, unknown>) =>
  audit(db, {
    institution_id: asker.iid,
    user_id: asker.uid,
    action: "analysis.engine",
    subject: id,
    detail,
    address,
    request_id: requestId,
  });
