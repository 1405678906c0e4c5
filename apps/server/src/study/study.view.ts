import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import type { Instance, Series, Study, StudyRow } from "@arcada/contract/study/study.schema";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { FileAddress } from "../platform/storage/file-url.ts";
import {
  guessedName,
  coarseCopyPlace,
  overlayPlace,
  surfacePlace,
  type InstanceFormat,
  type ImageInfo,
} from "../tables/study-columns.ts";
import type { DerivedFileRow, InstanceRow, SeriesRow, StudyRecord } from "./study.store.ts";
import { toVolume } from "./volume.view.ts";
import type { JobRow } from "./upload-job/upload-job.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

/** Makes a short-lived address. The caller has already checked that the reader may have the file. */
export type SignFile = (file: FileAddress) => string;

/** The reader of a study. Another institution may know the patient by a masked name only. */
export interface StudyReader {
  sign: SignFile;
  /** True for the institution that imported the study. */
  owns: boolean;
  masked: boolean;
  /** The order for whose receiver files are de-identified; null if they may be read unchanged. */
  clean: string | null;
  /** The reader is a viewer: it receives none of the single files of a volume. */
  brief?: boolean;
  /** Returns true if the reader may have the original bytes of a file. */
  mayTake(file: { dicom: boolean }): boolean;
}

export const toStudyRow = (row: StudyRecord, sign: SignFile): StudyRow => ({
  ...pickColumns(
    row,
    "id",
    "patient_id",
    "kind",
    "kind_certain",
    "photo_view",
    "state",
    "taken_at",
    "created_at",
    "description",
    "modality",
    "count",
    "bytes",
  ),
  thumbnailUrl: buildThumbnailUrl(row.institution_id, row.thumbnail, sign),
});

interface StudyParts {
  study: StudyRecord;
  patientName: string;
  /** The person whom the files name. */
  fileName: string | null;
  series: SeriesRow[];
  instances: InstanceRow[];
  converted: DerivedFileRow[];
  damaged: ReadonlySet<string>;
}

const damagedRefusal: RefusalName = "fileDamaged";

export function toStudy(
  { study, patientName, fileName, series, instances, converted, damaged }: StudyParts,
  reader: StudyReader,
): Study {
  const byOwner = Map.groupBy(converted, (file) => file.owner_id);
  const seen = instances.map((one) => (damaged.has(one.sha256) ? { ...one, fault: damagedRefusal } : one));
  const bySeries = Map.groupBy(seen, (instance) => instance.series_id);
  return {
    ...toStudyRow(study, reader.sign),
    patientId: reader.owns ? study.patient_id : null,
    patientName,
    ...(reader.masked && { description: null }),
    named: reader.owns && fileName !== null ? { name: fileName, guessed: isNameGuessed(study) } : null,
    header: study.header.filter(({ key }) => key !== guessedName && !(reader.masked && mayNamePatient(key))),
    series: series.map((row) => ({
      ...toSeries(row, bySeries.get(row.id) ?? [], byOwner, reader),
      volume: toVolume(row, study, byOwner.get(row.id) ?? [], reader.sign),
    })),
  };
}

export const isNameGuessed = ({ header }: Pick<StudyRecord, "header">): boolean =>
  header.some(({ key }) => key === guessedName);

// People put the patient's name into free text, too.
const mayNamePatient = (key: string): boolean => key.endsWith("Description") || key === "ProtocolName";

type DerivedFilesByOwner = Map<string, DerivedFileRow[]>;

const toSeries = (
  row: SeriesRow,
  instances: InstanceRow[],
  converted: DerivedFilesByOwner,
  reader: StudyReader,
): Omit<Series, "volume"> => ({
  id: row.id,
  kind: row.kind,
  modality: row.modality,
  description: reader.masked ? null : row.description,
  count: instances.length,
  thumbnailUrl: buildThumbnailUrl(row.institution_id, row.thumbnail, reader.sign),
  problems: row.problems,
  instances: instances
    .filter((one, place) => !reader.brief || row.kind !== "volume" || place === 0 || one.thumbnail || one.fault)
    .map((instance) => toInstance(instance, converted, reader)),
});

/** Formats that cannot be de-identified (decision 75). */
const unclean: readonly InstanceFormat[] = ["tiff", "pdf", "mp4"];

const types: Record<InstanceFormat, string> = {
  dicom: "application/dicom",
  jpeg: "image/jpeg",
  png: "image/png",
  tiff: "image/tiff",
  stl: "model/stl",
  ply: "application/octet-stream",
  obj: "application/octet-stream",
  mtl: "application/octet-stream",
  "3mf": "model/3mf",
  pdf: "application/pdf",
  mp4: "video/mp4",
};

function toInstance(row: InstanceRow, converted: DerivedFilesByOwner, reader: StudyReader): Instance {
  const name = reader.masked ? neutralFileName(row) : row.name;
  const file = {
    area: "originals",
    iid: row.institution_id,
    sha256: row.sha256,
    name,
    type: types[row.format],
    ...(reader.clean && { clean: reader.clean }),
  } as const;
  // Not every format can be de-identified.
  const mayTake = reader.mayTake({ dicom: row.format === "dicom" }) && !(reader.clean && unclean.includes(row.format));
  const original = mayTake ? reader.sign({ ...file, download: true }) : null;
  return {
    id: row.id,
    name,
    alsoNamed: reader.masked ? [] : row.also_named,
    bytes: row.bytes,
    sha256: row.sha256,
    originalUrl: original,
    thumbnailUrl: buildThumbnailUrl(row.institution_id, row.thumbnail, reader.sign),
    fault: row.fault,
    document: row.document && {
      url: original && documentUrl(row, converted.get(row.id) ?? [], reader, original),
      isPdf: row.format === "pdf" || findDocument(converted.get(row.id) ?? [])?.type === "application/pdf",
    },
    // A frame of it may show a name or a face.
    video: row.video && { ...row.video, url: reader.masked || reader.clean ? null : reader.sign(file) },
    picture: toImage(row, converted.get(row.id) ?? [], reader),
    model: row.model
      ? {
          ...row.model,
          url: signSurface(row, converted.get(row.id) ?? [], reader.sign) ?? reader.sign(file),
          glb: toStreamingCopy(row, converted.get(row.id) ?? [], reader.sign),
        }
      : null,
  };
}

/** The surface out of a DICOM file, which has no words in it; null for a scan that is a file by itself. */
function signSurface(row: InstanceRow, files: readonly DerivedFileRow[], sign: SignFile): string | null {
  const file = files.find(({ role, place }) => role === "mesh" && place === surfacePlace);
  const name = `model.${row.model?.format}`;
  return file ? sign({ area: "converted", iid: row.institution_id, sha256: file.sha256, name, type: file.type }) : null;
}

const findDocument = (files: readonly DerivedFileRow[]): DerivedFileRow | undefined =>
  files.find(({ role }) => role === "document");

/** A document is never shown inside these pages: it is handed to the browser as a file. */
function documentUrl(
  row: InstanceRow,
  files: readonly DerivedFileRow[],
  reader: StudyReader,
  original: string,
): string | null {
  // A document cannot be de-identified, not even within a DICOM file.
  if (reader.masked || reader.clean) return null;
  if (row.format === "pdf") return original;
  const file = findDocument(files);
  // A report or another object that nothing here opens is saved as the DICOM file that it is.
  if (!file) return original;
  const extension = { "model/stl": "stl", "model/obj": "obj" }[file.type] ?? "pdf";
  const name = `${row.name.replace(/\.(dcm|dicom)$/i, "")}.${extension}`;
  return reader.sign({
    area: "converted",
    iid: row.institution_id,
    sha256: file.sha256,
    name,
    type: file.type,
    download: true,
  });
}

// People put the patient's name into file names.
const neutralFileName = (row: InstanceRow): string =>
  `${row.place + 1}.${row.format === "dicom" ? "dcm" : row.format === "jpeg" ? "jpg" : row.format}`;

function toStreamingCopy({ model }: InstanceRow, files: readonly DerivedFileRow[], sign: SignFile) {
  const copyAt = (wanted: number, error: number | undefined) => {
    const file = files.find(({ role, place }) => role === "mesh" && place === wanted);
    if (!file || error === undefined) return null;
    const { institution_id: iid, sha256, type } = file;
    return { url: sign({ area: "converted", iid, sha256, name: "model.glb", type }), error };
  };
  const copy = copyAt(0, model?.glbError);
  return copy && { ...copy, coarse: copyAt(coarseCopyPlace, model?.coarseError) };
}

function toImage(
  { picture: image, institution_id }: InstanceRow,
  files: DerivedFileRow[],
  reader: StudyReader,
): Instance["picture"] {
  if (!image) return null;
  const own = files.filter(({ role }) => role === "picture");
  const address = (file: DerivedFileRow, named: { name: string; gzip?: boolean }) =>
    reader.sign({ area: "converted", iid: institution_id, sha256: file.sha256, type: file.type, ...named });
  const frames = own
    .filter(({ place }) => place < overlayPlace)
    .map((file) => address(file, imageFileName(image, file)));
  const overlays = own
    .filter(({ place }) => place >= overlayPlace && !reader.masked)
    .map((file) => address(file, { name: "overlay.bits", gzip: true }));
  const [url] = frames;
  if (url === undefined) return null;
  const { presentation } = image;
  return {
    ...image,
    presentation: presentation && reader.masked ? deidentifyPresentation(presentation) : presentation,
    url,
    frames,
    overlays,
  };
}
// Annotations drawn over images may contain names too.
const deidentifyPresentation = ({ drawn, ...rest }: NonNullable<ImageInfo["presentation"]>) => ({
  ...rest,
  label: "",
  drawn: drawn && { ...drawn, graphics: [], words: [] },
});

const imageFileName = ({ format }: ImageInfo, { type }: DerivedFileRow) =>
  format === "grey16"
    ? { name: "picture.u16", gzip: true }
    : { name: type === "image/webp" ? "picture.webp" : "picture.jpg" };

export const buildThumbnailUrl = (iid: string, sha256: string | null, sign: SignFile): string | null =>
  sha256 === null ? null : sign({ area: "converted", iid, sha256, name: "thumbnail.webp", type: "image/webp" });

export const toIngestJob = (row: JobRow): IngestJob => ({
  ...pickColumns(
    row,
    "id",
    "patient_id",
    "state",
    "progress",
    "stage",
    "studies",
    "refused",
    "added",
    "known",
    "known_files",
    "questions",
    "refusal",
  ),
});
