import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { measurementInfo } from "@arcada/analysis/measure/info";
import { runAnalysis } from "../apps/server/src/analysis/analysis.run.ts";
import type { runEngine } from "../apps/server/src/analysis/engine-run.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { files } from "../apps/server/src/platform/runtime/services.ts";
import { setup, type TestUser, type TestSetup } from "./world.ts";

/** A clinic with a patient and an engine that costs one analysis. */
export async function setupAnalysis() {
  const { clinic: who }: TestSetup = await setup();
  const iid = who.iid!;
  const { database } = who.server.running;
  await who.server.allowEnginePacks(iid);
  const patient = await who.call("patient.create", { name: "Ana", sex: "female", birthDate: "1990-02-03" });
  const pack = await database.asSystem(async () => (await files().put("originals", iid, Buffer.from(newId()))).sha256);
  let [engine, versions] = ["", 0];
  const newVersion = async () => {
    engine = newId();
    const version = `1.0.${versions++}`;
    await database.asSystem((db) =>
      db
        .insertInto("engine_pack")
        .values({
          institution_id: iid,
          id: engine,
          engine_id: info.id,
          engine_version: version,
          sha256: pack,
          bytes: 36,
          info: { ...info, version },
          signed_by: null,
          installed_by: who.uid,
        })
        .execute(),
    );
  };
  await newVersion();
  const films = (count: number) => insertPanoramaStudy(who, patient.id, count);
  const starts = async (studyId: string) => (await who.call("analysis.start", { studyId, engine }))[0]!;
  const stores = async (id: string) => {
    const { imageSha256 } = await who.call("analysis.detail", { id });
    await files().put("originals", iid, contents.get(imageSha256)!);
  };
  const runs = async (id: string, run: typeof runEngine) => {
    await stores(id);
    const trust = { packs: { keys: [], unsigned: true }, reach: { hosts: [], networks: [] } };
    await runAnalysis({ database, trust, run }, { iid, id }, new AbortController().signal);
  };
  return {
    who,
    patientId: patient.id,
    engine: () => engine,
    newVersion,
    films,
    starts,
    stores,
    runs,
    ...analysisRecords(database, iid),
  };
}

/** Reads an institution's analysis records and quota ledger from the database, and sets its remaining quota. */
function analysisRecords(database: Database, iid: string) {
  const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await database.asSystem((db) => query.execute(db))).rows;
  return {
    setRemainingQuota: (count: number) =>
      rows(
        sql`insert into quota_ledger (institution_id, kind, source, amount) values (${iid}, 'expire', 'test', ${20 - count})`,
      ),
    listImages: async (study: string) =>
      (await rows(sql<{ id: string }>`select id from instance where study_id = ${study} order by place`)).map(
        ({ id }) => id,
      ),
    listLedgerKinds: async () =>
      (await rows(sql<{ kind: string }>`select kind from quota_ledger where institution_id = ${iid} order by id`)).map(
        ({ kind }) => kind,
      ),
    sumQuota: async () =>
      (
        await rows(sql<{ held: number; committed: number }>`select
          coalesce(sum(amount) filter (where kind = 'commit'), 0)::int as committed,
          coalesce(sum(amount) filter (where kind = 'reserve' and not exists (select from quota_ledger e
            where e.analysis_id = l.analysis_id and e.kind in ('commit', 'release'))), 0)::int as held
          from quota_ledger l where institution_id = ${iid}`)
      )[0]!,
  };
}

/** Contents that are written to the store only when a test reads them. */
const contents = new Map<string, Buffer>();
function addContent(text: string): string {
  const sha256 = createHash("sha256").update(text).digest("hex");
  contents.set(sha256, Buffer.from(text));
  return sha256;
}

/** Creates a panorama study with so many images, as if it had been imported. */
async function insertPanoramaStudy(
  { iid: owner, uid, server: { running } }: TestUser,
  patientId: string,
  count: number,
): Promise<string> {
  const iid = owner!;
  const [study, series] = [newId(), newId()];
  await running.database.asSystem(async (db) => {
    await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, count, bytes, created_by)
      values (${iid}, ${study}, ${patientId}, 'panorama', true, 'ready', ${count}, 1, ${uid})`.execute(db);
    await sql`insert into series (institution_id, id, study_id, kind, place) values (${iid}, ${series}, ${study}, 'pictures', 0)`.execute(
      db,
    );
    const sumQuota = Array.from({ length: count }, () => addContent(newId()));
    await sql`insert into instance (institution_id, id, study_id, series_id, place, name, format, bytes, sha256, picture)
      select ${iid}, gen_random_uuid(), ${study}, ${series}, place, 'pano.png', 'png', 36, sha256, '{"format":"image","columns":8,"rows":4}'
      from unnest(${sumQuota}::text[]) with ordinality as l (sha256, place)`.execute(db);
  });
  return study;
}

const info: EngineInfo = {
  ...measurementInfo,
  id: "acme.teeth",
  version: "1.0.0",
  kind: "learned",
  modalities: ["PX"],
  produces: ["FINDING_caries"],
  quotaCost: 1,
};
