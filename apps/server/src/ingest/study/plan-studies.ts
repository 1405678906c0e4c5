import { encapsulatedModelFormat, isDocumentObject, isSegmentation } from "@arcada/imaging/dicom/parse/document-object";
import { guessImageKind, guessPlainImageKind } from "@arcada/imaging/dicom/parse/image-kind";
import { getBaseFileName } from "@arcada/imaging/mesh/obj-materials";
import type { DicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import type { PresentationHeader } from "@arcada/imaging/dicom/presentation/presentation-state";
import { groupSeries, type SeriesGroup } from "@arcada/imaging/volume/find-volumes-in-series";
import type { Series, Study } from "@arcada/contract/study/study.schema";
import type { PhotoView } from "@arcada/contract/study/mount-layouts";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { InstanceFormat } from "../../tables/study-columns.ts";
import { buildHeaderRows } from "./header-rows.ts";
import { distinctIdentities, type Identity } from "./patient-identity.ts";
import type { InspectedImage } from "../convert/pixel-task-types.ts";

/** A planned file whose bytes are in the store. */
export interface StoredFile {
  name: string;
  sha256: string;
  bytes: number;
  /** The name of the upload from which it came. */
  sent: string;
  /** Set if it is indexed already: a slice of a series that now gets more slices. */
  instance?: string;
}

/** A file that is imported, with the data read from it. */
export type ReadableFile = { name: string; photoView?: PhotoView } & (
  | { format: "dicom"; header: DicomHeader; sha256: string }
  | { format: "jpeg" | "png" | "tiff"; image: InspectedImage }
  | { format: "stl" | "ply" | "obj" | "3mf" | "pdf" | "mp4" }
  | { format: "mtl"; textures: string[] }
);
export interface PlannedFile<F> {
  file: F;
  sopUid: string | null;
  format: InstanceFormat;
}
export interface PlannedSeries<F> {
  kind: Series["kind"];
  uid: string | null;
  modality: string | null;
  description: string | null;
  problems: Series["problems"];
  files: PlannedFile<F>[];
}
export interface PlannedStudy<F> {
  kind: StudyKind;
  kindCertain: boolean;
  photoView: PhotoView | null;
  uid: string | null;
  takenAt: string | null;
  description: string | null;
  modality: string | null;
  header: Study["header"];
  /** The people whom the files name; several if the files do not agree. */
  people: Identity[];
  series: PlannedSeries<F>[];
}

/**
 * Groups the files of one upload into studies: DICOM by its study, all models together with their materials, each other
 * image by itself.
 */
export function planStudies<F extends ReadableFile>(
  files: readonly F[],
  requestedKind: StudyKind | null,
): PlannedStudy<F>[] {
  const dicom = files.filter(isDicom);
  const wanted = new Set(files.flatMap((file) => (file.format === "mtl" ? file.textures : [])));
  const isMaterial = (file: F) => file.format === "mtl" || (isTexture(file) && wanted.has(getBaseFileName(file.name)));
  const images = files.filter((file) => isImage(file)).filter((file) => !isMaterial(file));
  const models = files.filter(({ format }) => isModelFormat(format));
  return [
    ...planDicomStudies<F>(dicom, requestedKind),
    ...images.map((file) => planImageStudy(file, requestedKind)),
    ...files.filter(({ format }) => format === "pdf").map((file) => planFixedStudy(file, "document")),
    ...files.filter(({ format }) => format === "mp4").map((file) => planFixedStudy(file, "video")),
    ...(models.length > 0 ? [planModelStudy([...models, ...files.filter(isMaterial)])] : []),
  ];
}

const isModelFormat = (format: InstanceFormat): boolean =>
  format === "stl" || format === "ply" || format === "obj" || format === "3mf";
const isTexture = ({ format }: ReadableFile): boolean => format === "jpeg" || format === "png";
type ImageFile<F> = F & { format: "jpeg" | "png" | "tiff"; image: InspectedImage };
const isImage = <F extends ReadableFile>(file: F): file is ImageFile<F> =>
  file.format === "jpeg" || file.format === "png" || file.format === "tiff";

type DicomSource<F> = F & { format: "dicom"; header: DicomHeader; sha256: string };
const isDicom = <F extends ReadableFile>(file: F): file is DicomSource<F> => file.format === "dicom";

type TaggedHeader<F> = DicomHeader & { file: DicomSource<F> };

function planDicomStudies<F extends ReadableFile>(
  files: DicomSource<F>[],
  requestedKind: StudyKind | null,
): PlannedStudy<F>[] {
  const headers = distinctHeaders<F>(files);
  const groups = groupSeries(headers).toSorted(bySeriesNumber);
  // A file without a Study Instance UID is a separate study: other such files are unrelated.
  const byStudy = Map.groupBy(
    groups,
    (group) => group.studyInstanceUid || group.instances[0]!.file.header.sopInstanceUid,
  );
  return [...byStudy.values()].map((ofStudy) => planDicomStudy<F>(ofStudy, requestedKind));
}

/**
 * A file that came twice is imported once. Different bytes under the same SOP Instance UID are another file and stay:
 * without their UID they count as an image of their own.
 */
function distinctHeaders<F extends ReadableFile>(files: DicomSource<F>[]): TaggedHeader<F>[] {
  const contents = new Set<string>();
  const uids = new Set<string>();
  return files.flatMap((file) => {
    const { sopInstanceUid } = file.header;
    if (contents.has(file.sha256)) return [];
    const repeated = uids.has(sopInstanceUid);
    contents.add(file.sha256);
    uids.add(sopInstanceUid);
    return [{ ...file.header, file, ...(repeated && { sopInstanceUid: "" }) }];
  });
}

const seriesNumber = (group: SeriesGroup): number => group.instances[0]?.seriesNumber ?? Infinity;
const bySeriesNumber = (one: SeriesGroup, other: SeriesGroup): number =>
  (seriesNumber(one) === seriesNumber(other) ? 0 : seriesNumber(one) - seriesNumber(other)) ||
  other.instances.length - one.instances.length;

function planDicomStudy<F extends ReadableFile>(
  groups: SeriesGroup<TaggedHeader<F>>[],
  requestedKind: StudyKind | null,
): PlannedStudy<F> {
  const volume = groups.find(({ kind }) => kind === "volume");
  const shown =
    groups.find(({ instances }) => instances[0]!.hasPixels) ?? groups.find(isModel) ?? groups.find(isDocument);
  const first = (volume ?? shown ?? groups[0]!).instances[0]!;
  const states = groups.flatMap(({ instances }) => instances.flatMap(({ presentation }) => presentation ?? []));
  const guess = encapsulatedModelFormat(first)
    ? ({ kind: "model", isCertain: true } as const)
    : isDocumentObject(first) || isSegmentation(first)
      ? ({ kind: "document", isCertain: true } as const)
      : guessImageKind(first);
  const kind = volume
    ? ("ct" as const)
    : guess.kind !== "document" &&
        guess.kind !== "model" &&
        requestedKind &&
        requestedKind !== "model" &&
        requestedKind !== "ct"
      ? requestedKind
      : guess.kind;
  return {
    kind,
    photoView: null,
    kindCertain: volume ? guess.isCertain && guess.kind === "ct" : kind === requestedKind || guess.isCertain,
    uid: first.studyInstanceUid || null,
    takenAt: acquisitionTime(first),
    description: first.studyDescription || first.seriesDescription || null,
    modality: first.modality || null,
    header: buildHeaderRows(first),
    people: distinctIdentities(groups.flatMap(({ instances }) => instances)),
    series: groups.map((group) => planDicomSeries<F>(group, states)),
  };
}

const isModel = <F extends ReadableFile>({ instances }: SeriesGroup<TaggedHeader<F>>): boolean =>
  instances.every((header) => encapsulatedModelFormat(header) !== null);
const isDocument = <F extends ReadableFile>({ instances }: SeriesGroup<TaggedHeader<F>>): boolean =>
  isDocumentObject(instances[0]!);

const planDicomSeries = <F extends ReadableFile>(
  group: SeriesGroup<TaggedHeader<F>>,
  states: readonly PresentationHeader[],
): PlannedSeries<F> => ({
  kind: isModel(group) ? "models" : group.kind,
  uid: group.seriesInstanceUid || null,
  modality: group.instances[0]!.modality || null,
  description: group.instances[0]!.seriesDescription || group.instances[0]!.protocolName || null,
  problems: [...group.problems, ...findPresentationProblems(group, states), ...findLossyProblems(group.instances)],
  files: group.instances.map(({ file }) => ({ file, sopUid: file.header.sopInstanceUid || null, format: "dicom" })),
});

/**
 * Reports a problem for a series of presentation states; and for a volume to which presentation states or drawings
 * belong, since it is displayed without them.
 */
function findPresentationProblems<F extends ReadableFile>(
  { kind, instances }: SeriesGroup<TaggedHeader<F>>,
  states: readonly PresentationHeader[],
): Series["problems"] {
  if (instances[0]!.presentation) return [{ code: "presentation", detail: instances[0]!.presentation.label }];
  if (kind !== "volume") return [];
  const uids = new Set(instances.map(({ sopInstanceUid }) => sopInstanceUid));
  const about = states.filter(({ pictures }) => pictures.some((uid) => uids.has(uid)));
  const drawn = instances.filter(({ hasOverlay }) => hasOverlay).length;
  return [
    ...(about.length > 0 ? [{ code: "presentationUnused", detail: about.map(({ label }) => label).join(", ") }] : []),
    ...(drawn > 0 ? [{ code: "overlayUnused", detail: String(drawn) }] : []),
  ];
}

/** Reports a problem for a series of which any part was compressed with loss, with the highest ratio that is stated. */
function findLossyProblems(headers: readonly DicomHeader[]): Series["problems"] {
  const lossy = headers.filter((header) => header.lossy);
  if (lossy.length === 0) return [];
  const ratios = lossy.map(({ lossyRatios }) => lossyRatios);
  const overall = (steps: readonly number[]) => steps.reduce((product, ratio) => product * ratio, 1);
  const strongest = ratios.toSorted((one, other) => overall(other) - overall(one))[0]!;
  return [toLossyProblem(strongest.map((ratio) => `${Math.round(ratio * 10) / 10}:1`).join(", "))];
}

const toLossyProblem = (detail: string): Series["problems"][number] => ({ code: "lossy", detail });

/** Devices write local time without a time zone, and it is stored and shown as it is: YYYY-MM-DDTHH:mm:ss. */
function acquisitionTime({ studyDate, studyTime }: DicomHeader): string | null {
  const moment = studyDate && `${studyDate}T${(studyTime ?? "12:00:00").replace(":60", ":59").slice(0, 8)}`;
  return moment && moment > "1901" && !Number.isNaN(Date.parse(moment)) ? moment : null;
}

const withoutStudy = { photoView: null, uid: null, takenAt: null, modality: null, header: [], people: [] };
const withoutSeries = { uid: null, modality: null, description: null, problems: [] };

function planImageStudy<F extends ReadableFile>(file: ImageFile<F>, requestedKind: StudyKind | null): PlannedStudy<F> {
  const guess = guessPlainImageKind(file.image);
  const requested = requestedKind && requestedKind !== "model" && requestedKind !== "ct" ? requestedKind : null;
  // People measure on grey images; a photo in JPEG needs no warning.
  const problems = (file.format === "jpeg" || file.image.isLossy) && !file.image.colour ? [toLossyProblem("")] : [];
  return {
    ...withoutStudy,
    kind: requested ?? guess.kind,
    photoView: file.photoView ?? null,
    kindCertain: requested !== null || guess.isCertain,
    description: file.name,
    series: [{ ...withoutSeries, problems, kind: "pictures", files: [{ file, sopUid: null, format: file.format }] }],
  };
}

const planFixedStudy = <F extends ReadableFile>(file: F, kind: "document" | "video"): PlannedStudy<F> => ({
  ...withoutStudy,
  kind,
  kindCertain: true,
  description: file.name,
  series: [{ ...withoutSeries, kind: "pictures", files: [{ file, sopUid: null, format: file.format }] }],
});

const planModelStudy = <F extends ReadableFile>(models: F[]): PlannedStudy<F> => ({
  ...withoutStudy,
  kind: "model",
  kindCertain: true,
  description: null,
  series: [
    { ...withoutSeries, kind: "models", files: models.map((file) => ({ file, sopUid: null, format: file.format })) },
  ],
});

/** Returns the jaw that a scan's name indicates; null when it names none, or both. */
export function jawInName(name: string): "upper" | "lower" | null {
  const upper = /upper|maxill|(^|[^a-z])(up|u|ul|oberkiefer|ok)([^a-z]|$)|上/i.test(name);
  const lower = /lower|mandib|(^|[^a-z])(low|l|ll|unterkiefer|uk)([^a-z]|$)|下/i.test(name);
  return upper === lower ? null : upper ? "upper" : "lower";
}
