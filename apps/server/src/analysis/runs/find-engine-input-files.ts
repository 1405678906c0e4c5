import { sql } from "kysely";
import type { EngineInfo } from "@arcada/contract/analysis/observation";
import { isFixedKind } from "@arcada/contract/study/study.rules";
import type { Db } from "../../platform/database/database.ts";
import type { StorageArea } from "../../platform/storage/file-store.ts";
import { decryptSecret } from "../../platform/security/encrypted-secret.ts";
import { secret } from "../../platform/runtime/services.ts";
import type { InstanceTable } from "../../tables/schema.generated.ts";
import type { AnalysisRecord } from "./analysis.store.ts";
import type { EngineChoice, EngineSource } from "../engines/engine-task-types.ts";
import type { EngineTrust } from "../engines/engine-trust-settings.ts";
import type { InstalledEngine, RemoteRow } from "../engines/engines.store.ts";
import type { Row } from "../../tables/row.ts";

interface StoredFile {
  area: StorageArea;
  sha256: string;
}
/** Stored files, and the engine's input once each of them has a path. */
interface FileInputs<T> {
  files: StoredFile[];
  build: (paths: string[]) => T;
}

/** Returns the input of an engine; null if the derived files of a volume that viewers need are not there (any more). */
export async function findEngineSource(
  db: Db,
  { institution_id: iid, ...row }: AnalysisRecord,
): Promise<FileInputs<EngineSource> | null> {
  if (row.instance_id !== null) return findImageSource(db, iid, row.instance_id);
  const { rows } = await sql<Row<"series", "volume">>`select volume from series
    where institution_id = ${iid} and id = ${row.series_id}`.execute(db);
  const volume = rows[0]?.volume;
  const groups = await sql<
    Row<"converted_file", "sha256">
  >`select sha256 from converted_file where institution_id = ${iid}
    and study_id = ${row.study_id} and owner_id = ${row.series_id} and role = 'group' order by place`.execute(db);
  if (!volume || volume.partial || groups.rows.length === 0) return null;
  return {
    files: groups.rows.map(({ sha256 }) => ({ area: "converted", sha256 })),
    build: (paths) => ({ kind: "volume", geometry: volume as never, path: null, groups: paths }),
  };
}

async function findImageSource(db: Db, iid: string, id: string): Promise<FileInputs<EngineSource> | null> {
  const { rows } = await sql<
    Row<"instance", "sha256" | "format" | "picture"> & Row<"study", "kind">
  >`select i.sha256, i.format, i.picture, s.kind from instance i
    join study s on s.institution_id = i.institution_id and s.id = i.study_id
    where i.institution_id = ${iid} and i.id = ${id}`.execute(db);
  const found = rows[0];
  if (!found || found.kind === "model" || isFixedKind(found.kind) || !isImageFormat(found.format)) return null;
  const { sha256, format, kind: shows } = found;
  const spacing = found.picture?.spacing ?? null;
  return {
    files: [{ area: "originals", sha256 }],
    build: ([path = ""]) => ({ kind: "picture", path, format, shows, spacing }),
  };
}
const isImageFormat = (format: InstanceTable["format"]): format is "dicom" | "jpeg" | "png" =>
  format === "dicom" || format === "jpeg" || format === "png";

export function toEngineChoice(engine: InstalledEngine, trust: EngineTrust): FileInputs<EngineChoice> {
  if (engine.source === "builtIn") return { files: [], build: () => ({ kind: "measurement" }) };
  if (engine.source === "remote") {
    const server = toRemoteServer(engine.row);
    return { files: [], build: () => ({ kind: "remote", server, reach: trust.reach }) };
  }
  if (engine.source === "included") {
    const { path, info } = engine.pack;
    return {
      files: [],
      build: () => ({ kind: "pack", path, trust: trust.included.trust, expected: toExpected(info) }),
    };
  }
  const { sha256, info } = engine.row;
  return {
    files: [{ area: "originals", sha256 }],
    build: ([path = ""]) => ({ kind: "pack", path, trust: trust.packs, expected: toExpected(info) }),
  };
}
const toExpected = ({ id, version, card }: EngineInfo) => ({ id, version, sha256: card.sha256 });
const toRemoteServer = ({ id, address, model, model_version, token, manifest, card }: RemoteRow) => ({
  address,
  model,
  modelVersion: model_version,
  token: token === null ? null : decryptSecret(secret(), id, token).toString(),
  manifest,
  card,
});
