import type { Insertable } from "kysely";
import pg from "pg";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { baseUrlPlaceholder, toDicomJson, parseDataset } from "../../apps/server/src/dicomweb/dicom-json.ts";
import { buildLevelRows } from "../../apps/server/src/dicomweb/indexing/index.store.ts";
import { instanceAttributes } from "../../apps/server/src/dicomweb/indexing/level-attributes.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import type { Tables } from "../../apps/server/src/tables/schema.generated.ts";
import type { Clinic } from "./clinic.ts";
import type { Slice } from "./imaging-files.ts";

const atOnce = 500;
const tables = ["study", "series", "instance", "dicom_study", "dicom_series", "dicom_instance"] as const;

/** Inserts studies as the pipeline leaves them in the tables for searches, without their files. */
export async function insertStudies(
  connection: pg.PoolConfig,
  clinic: Clinic,
  slices: readonly Slice[],
): Promise<void> {
  const database = openDatabase(connection, 2);
  try {
    for (let from = 0; from < slices.length; from += atOnce) {
      const rows = slices.slice(from, from + atOnce).map((slice) => studyRows(clinic, slice));
      await database.asSystem(async (db) => {
        for (const table of tables)
          await db
            .insertInto(table)
            .values(rows.map((row) => row[table]) as never)
            .execute();
      });
    }
  } finally {
    await database.close();
  }
  const owner = new pg.Client(connection as pg.ClientConfig);
  await owner.connect();
  await owner.query("vacuum analyze dicom_study");
  await owner.end();
}

type Rows = { [T in (typeof tables)[number]]: Insertable<Tables[T]> };

function studyRows(clinic: Clinic, slice: Slice): Rows {
  const keys = { institution_id: clinic.iid, study_id: newId() };
  const [seriesId, id] = [newId(), newId()];
  const { bytes, uid } = slice;
  const none = { thumbnail: null, job_id: null };
  return {
    ...dicomRows(keys, id, slice),
    study: studyRow(clinic, keys.study_id, slice),
    series: {
      ...keys,
      ...none,
      id: seriesId,
      kind: "pictures",
      uid: slice.series,
      place: 0,
      modality: "IO",
      description: null,
      problems: empty,
      volume: null,
      preview: null,
    },
    instance: {
      ...keys,
      ...none,
      id,
      series_id: seriesId,
      place: 0,
      sop_uid: uid,
      name: `${uid}.dcm`,
      format: "dicom",
      bytes: bytes.length,
      sha256: "0".repeat(64),
      picture: null,
      model: null,
      fault: null,
    },
  };
}

const empty = JSON.stringify([]) as never;

const studyRow = ({ iid, uid }: Clinic, id: string, { study, bytes }: Slice): Rows["study"] => ({
  institution_id: iid,
  id,
  patient_id: null,
  kind: "dentalFilm",
  kind_certain: true,
  state: "ready",
  uid: study,
  taken_at: null,
  description: null,
  modality: "IO",
  header: empty,
  count: 1,
  bytes: bytes.length,
  thumbnail: null,
  created_by: uid,
  deleted_at: null,
  job_id: null,
});

function dicomRows(
  keys: { institution_id: string; study_id: string },
  id: string,
  { study, series, uid, bytes }: Slice,
): Pick<Rows, "dicom_study" | "dicom_series" | "dicom_instance"> {
  const file = readDicom(bytes);
  const { sopClassUid, transferSyntaxUid } = readDicomHeader(file);
  const metadata = toDicomJson(file, `${baseUrlPlaceholder}/studies/${study}/series/${series}/instances/${uid}`);
  const levels = buildLevelRows(keys.institution_id, keys.study_id, [{ uid: series, instances: 1, metadata }])!;
  return {
    dicom_study: levels.study,
    dicom_series: levels.series[0],
    dicom_instance: {
      ...keys,
      instance_id: id,
      series_uid: series,
      uid,
      sop_class: sopClassUid,
      number: 1,
      frames: 1,
      syntax: transferSyntaxUid,
      attributes: instanceAttributes(parseDataset(metadata, "")),
      metadata,
      frames_at: null,
      frame_bytes: null,
    },
  };
}
