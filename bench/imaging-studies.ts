import type { Insertable } from "kysely";
import type pg from "pg";
import { headerOf } from "@arcada/imaging/dicom/header";
import { readDicom } from "@arcada/imaging/dicom/read";
import { baseMark, metadataOf, parseDataset } from "../apps/server/src/dicomweb/dicom-json.ts";
import { levelsOf } from "../apps/server/src/dicomweb/index.store.ts";
import { instanceLevel } from "../apps/server/src/dicomweb/levels.ts";
import { openDatabase } from "../apps/server/src/kernel/db.ts";
import { newId } from "../apps/server/src/kernel/ids.ts";
import type { Tables } from "../apps/server/src/tables/tables.ts";
import type { Clinic } from "./clinic.ts";
import type { Slice } from "./imaging-files.ts";

const atOnce = 500;
const tables = ["study", "series", "instance", "dicom_study", "dicom_series", "dicom_instance"] as const;

/** Studies as the pipeline leaves them in the tables that searches read; their files are not there. */
export async function plantStudies(connection: pg.PoolConfig, clinic: Clinic, slices: readonly Slice[]): Promise<void> {
  const database = openDatabase(connection, 2);
  try {
    for (let from = 0; from < slices.length; from += atOnce) {
      const rows = slices.slice(from, from + atOnce).map((slice) => rowsOf(clinic, slice));
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
}

type Rows = { [T in (typeof tables)[number]]: Insertable<Tables[T]> };

function rowsOf({ iid, uid: createdBy }: Clinic, { study, series, uid, bytes }: Slice): Rows {
  const [studyId, seriesId, id] = [newId(), newId(), newId()];
  const own = { institution_id: iid, study_id: studyId };
  const file = readDicom(bytes);
  const { modality, sopClassUid, transferSyntaxUid } = headerOf(file);
  const metadata = metadataOf(file, `${baseMark}/studies/${study}/series/${series}/instances/${uid}`);
  const levels = levelsOf(iid, studyId, [{ uid: series, instances: 1, metadata }])!;
  const list = JSON.stringify([]) as never;
  const unknown = { taken_at: null, description: null, thumbnail: null, job_id: null, deleted_at: null };
  const none = { volume: null, preview: null, thumbnail: null, job_id: null };
  return {
    study: {
      institution_id: iid,
      id: studyId,
      patient_id: null,
      kind: "dentalFilm",
      kind_certain: true,
      state: "ready",
      uid: study,
      modality,
      header: list,
      count: 1,
      bytes: bytes.length,
      created_by: createdBy,
      ...unknown,
    },
    series: {
      ...own,
      ...none,
      id: seriesId,
      kind: "pictures",
      uid: series,
      place: 0,
      modality,
      description: null,
      problems: list,
    },
    instance: {
      ...own,
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
      thumbnail: null,
      fault: null,
      job_id: null,
    },
    dicom_study: levels.study,
    dicom_series: levels.series[0]!,
    dicom_instance: {
      ...own,
      instance_id: id,
      series_uid: series,
      uid,
      sop_class: sopClassUid,
      number: 1,
      frames: 1,
      syntax: transferSyntaxUid,
      attributes: instanceLevel(parseDataset(metadata, "")),
      metadata,
    },
  };
}
