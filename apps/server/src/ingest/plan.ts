import { isEncapsulatedPdf } from "@arcada/imaging/dicom/encapsulated";
import { kindOf, kindOfPicture } from "@arcada/imaging/dicom/kind";
import { fileName } from "@arcada/imaging/mesh/material";
import type { DicomHeader } from "@arcada/imaging/dicom/header";
import type { PresentationHeader } from "@arcada/imaging/dicom/presentation";
import { groupSeries, type SeriesGroup } from "@arcada/imaging/volume/group";
import type { Series, Study } from "@arcada/contract/study/study.calls";
import type { StudyKind } from "@arcada/contract/study/study.rules";
import type { InstanceFormat } from "../tables/study.ts";
import { headerRows } from "./header-rows.ts";
import { identitiesOf, type Identity } from "./patient-match.ts";
import type { LookedAt } from "./pixel-tasks.ts";

/** A file that is imported, with the data read from it. */
export type Readable = { name: string } & (
  | { format: "dicom"; header: DicomHeader; sha256: string }
  | { format: "jpeg" | "png" | "tiff"; picture: LookedAt }
  | { format: "stl" | "ply" | "obj" | "pdf" }
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
export function planStudies<F extends Readable>(files: readonly F[], wish: StudyKind | null): PlannedStudy<F>[] {
  const dicom = files.filter(isDicom);
  const wanted = new Set(files.flatMap((file) => (file.format === "mtl" ? file.textures : [])));
  const isDress = (file: F) => file.format === "mtl" || (isTexture(file) && wanted.has(fileName(file.name)));
  const pictures = files.filter((file) => isPicture(file)).filter((file) => !isDress(file));
  const models = files.filter((file) => file.format === "stl" || file.format === "ply" || file.format === "obj");
  return [
    ...dicomStudies<F>(dicom, wish),
    ...pictures.map((file) => pictureStudy(file, wish)),
    ...files.filter(({ format }) => format === "pdf").map(documentStudy),
    ...(models.length > 0 ? [modelStudy([...models, ...files.filter(isDress)])] : []),
  ];
}

const isTexture = ({ format }: Readable): boolean => format === "jpeg" || format === "png";
type OfPicture<F> = F & { format: "jpeg" | "png" | "tiff"; picture: LookedAt };
const isPicture = <F extends Readable>(file: F): file is OfPicture<F> =>
  file.format === "jpeg" || file.format === "png" || file.format === "tiff";

type OfDicom<F> = F & { format: "dicom"; header: DicomHeader; sha256: string };
const isDicom = <F extends Readable>(file: F): file is OfDicom<F> => file.format === "dicom";

type Tagged<F> = DicomHeader & { file: OfDicom<F> };

function dicomStudies<F extends Readable>(files: OfDicom<F>[], wish: StudyKind | null): PlannedStudy<F>[] {
  const headers = distinctHeaders<F>(files);
  const groups = groupSeries(headers).toSorted(bySeriesNumber);
  // A file without a Study Instance UID is a study of its own: other such files are unrelated.
  const byStudy = Map.groupBy(
    groups,
    (group) => group.studyInstanceUid || group.instances[0]!.file.header.sopInstanceUid,
  );
  return [...byStudy.values()].map((ofStudy) => dicomStudy<F>(ofStudy, wish));
}

/**
 * A file that came twice is imported once. Different bytes under the same SOP Instance UID are another file and stay:
 * without their UID they count as an image of their own.
 */
function distinctHeaders<F extends Readable>(files: OfDicom<F>[]): Tagged<F>[] {
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

function dicomStudy<F extends Readable>(groups: SeriesGroup<Tagged<F>>[], wish: StudyKind | null): PlannedStudy<F> {
  const volume = groups.find(({ kind }) => kind === "volume");
  const shown = groups.find(({ instances }) => instances[0]!.hasPixels) ?? groups.find(isDocument);
  const first = (volume ?? shown ?? groups[0]!).instances[0]!;
  const states = groups.flatMap(({ instances }) => instances.flatMap(({ presentation }) => presentation ?? []));
  const guess = isEncapsulatedPdf(first) ? ({ kind: "document", certain: true } as const) : kindOf(first);
  const kind = volume
    ? ("ct" as const)
    : guess.kind !== "document" && wish && wish !== "model" && wish !== "ct"
      ? wish
      : guess.kind;
  return {
    kind,
    kindCertain: volume ? guess.certain && guess.kind === "ct" : kind === wish || guess.certain,
    uid: first.studyInstanceUid || null,
    takenAt: takenAt(first),
    description: first.studyDescription || first.seriesDescription || null,
    modality: first.modality || null,
    header: headerRows(first),
    people: identitiesOf(groups.flatMap(({ instances }) => instances)),
    series: groups.map((group) => dicomSeries<F>(group, states)),
  };
}

const isDocument = <F extends Readable>({ instances }: SeriesGroup<Tagged<F>>): boolean =>
  isEncapsulatedPdf(instances[0]!);

const dicomSeries = <F extends Readable>(
  group: SeriesGroup<Tagged<F>>,
  states: readonly PresentationHeader[],
): PlannedSeries<F> => ({
  kind: group.kind,
  uid: group.seriesInstanceUid || null,
  modality: group.instances[0]!.modality || null,
  description: group.instances[0]!.seriesDescription || group.instances[0]!.protocolName || null,
  problems: [...group.problems, ...presentationProblems(group, states), ...lossyProblems(group.instances)],
  files: group.instances.map(({ file }) => ({ file, sopUid: file.header.sopInstanceUid || null, format: "dicom" })),
});

/**
 * Marks a series of presentation states; and a volume to which presentation states or drawings belong, since it is
 * displayed without them.
 */
function presentationProblems<F extends Readable>(
  { kind, instances }: SeriesGroup<Tagged<F>>,
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

/** Marks a series of which any part was compressed with loss, with the highest ratio that is stated. */
function lossyProblems(headers: readonly DicomHeader[]): Series["problems"] {
  const lossy = headers.filter((header) => header.lossy);
  if (lossy.length === 0) return [];
  const ratios = lossy.map(({ lossyRatios }) => lossyRatios);
  const overall = (steps: readonly number[]) => steps.reduce((product, ratio) => product * ratio, 1);
  const strongest = ratios.toSorted((one, other) => overall(other) - overall(one))[0]!;
  return [lossyProblem(strongest.map((ratio) => `${Math.round(ratio * 10) / 10}:1`).join(", "))];
}

const lossyProblem = (detail: string): Series["problems"][number] => ({ code: "lossy", detail });

/** Devices write local time without a time zone, and it is stored and shown as it is: YYYY-MM-DDTHH:mm:ss. */
function takenAt({ studyDate, studyTime }: DicomHeader): string | null {
  const moment = studyDate && `${studyDate}T${(studyTime ?? "12:00:00").replace(":60", ":59").slice(0, 8)}`;
  return moment && moment > "1901" && !Number.isNaN(Date.parse(moment)) ? moment : null;
}

const withoutStudy = { uid: null, takenAt: null, modality: null, header: [], people: [] };
const withoutSeries = { uid: null, modality: null, description: null, problems: [] };

function pictureStudy<F extends Readable>(file: OfPicture<F>, wish: StudyKind | null): PlannedStudy<F> {
  const guess = kindOfPicture(file.picture);
  const wished = wish && wish !== "model" && wish !== "ct" ? wish : null;
  // People measure on grey images; a photo in JPEG needs no warning.
  const problems = (file.format === "jpeg" || file.picture.isLossy) && !file.picture.colour ? [lossyProblem("")] : [];
  return {
    ...withoutStudy,
    kind: wished ?? guess.kind,
    kindCertain: wished !== null || guess.certain,
    description: file.name,
    series: [{ ...withoutSeries, problems, kind: "pictures", files: [{ file, sopUid: null, format: file.format }] }],
  };
}

const documentStudy = <F extends Readable>(file: F): PlannedStudy<F> => ({
  ...withoutStudy,
  kind: "document",
  kindCertain: true,
  description: file.name,
  series: [{ ...withoutSeries, kind: "pictures", files: [{ file, sopUid: null, format: file.format }] }],
});

const modelStudy = <F extends Readable>(models: F[]): PlannedStudy<F> => ({
  ...withoutStudy,
  kind: "model",
  kindCertain: true,
  description: null,
  series: [
    { ...withoutSeries, kind: "models", files: models.map((file) => ({ file, sopUid: null, format: file.format })) },
  ],
});

/** Returns the jaw that a scan's name indicates; null when it names none, or both. */
export function jawOf(name: string): "upper" | "lower" | null {
  const upper = /upper|maxill|(^|[^a-z])(up|u|ul|oberkiefer|ok)([^a-z]|$)|上/i.test(name);
  const lower = /lower|mandib|(^|[^a-z])(low|l|ll|unterkiefer|uk)([^a-z]|$)|下/i.test(name);
  return upper === lower ? null : upper ? "upper" : "lower";
}
