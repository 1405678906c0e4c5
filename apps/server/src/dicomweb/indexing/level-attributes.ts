import { baseUrlPlaceholder, serialiseDataset, type JsonDataset, type JsonElement } from "../dicom-json.ts";

const instanceTags = [
  "00080005 00080008 00080016 00080018 00080056 00080201 00083002",
  "0020000D 0020000E 00200013 00280008 00280010 00280011 00280100",
];
const seriesTags = [
  "00080005 00080021 00080031 00080060 00080070 00080201 0008103E 00181030 00180015",
  "0020000D 0020000E 00200011 00200060 00400244 00400245 00400275",
];
const studyTags = [
  "00080005 00080020 00080030 00080050 00080056 00080080 00080090 00080201 00081030",
  "00100010 00100020 00100021 00100030 00100040 0020000D 00200010",
];

/** The attributes that a search returns for an instance (PS3.18 table 10.6.3-5). */
export const instanceAttributes = (dataset: JsonDataset): string =>
  pickAttributes(dataset, instanceTags, {
    "00080056": onlineAvailability,
    "00081190": toUrlElement(
      `/studies/${readUid(dataset, "0020000D")}/series/${readUid(dataset, "0020000E")}/instances/${readUid(dataset, "00080018")}`,
    ),
  });

/** The attributes of a series (table 10.6.3-4), from one of its instances. */
export const seriesAttributes = (dataset: JsonDataset, instances: number): string =>
  pickAttributes(dataset, seriesTags, {
    "00081190": toUrlElement(`/studies/${readUid(dataset, "0020000D")}/series/${readUid(dataset, "0020000E")}`),
    "00201209": { vr: "IS", Value: [instances] },
  });

/** The attributes of a study (table 10.6.3-3), from one of its instances. */
export const studyAttributes = (
  dataset: JsonDataset,
  all: { modalities: string[]; series: number; instances: number },
): string =>
  pickAttributes(dataset, studyTags, {
    "00080056": onlineAvailability,
    "00080061": all.modalities.length > 0 ? { vr: "CS", Value: all.modalities } : { vr: "CS" },
    "00081190": toUrlElement(`/studies/${readUid(dataset, "0020000D")}`),
    "00201206": { vr: "IS", Value: [all.series] },
    "00201208": { vr: "IS", Value: [all.instances] },
  });

const onlineAvailability: JsonElement = { vr: "CS", Value: ["ONLINE"] };
// The placeholder must stay unescaped, which JSON.stringify would not allow.
const toUrlElement = (path: string): JsonElement => ({ vr: "UR", BulkDataURI: `${baseUrlPlaceholder}${path}` });

export function readUid(dataset: JsonDataset, tag: string): string {
  const uid = dataset[tag]?.Value?.[0];
  return typeof uid === "string" ? uid : "";
}

function pickAttributes(dataset: JsonDataset, tags: readonly string[], more: JsonDataset): string {
  const own = tags
    .join(" ")
    .split(" ")
    .flatMap((tag) => (dataset[tag] ? [[tag, dataset[tag]] as const] : []));
  return serialiseDataset({ ...Object.fromEntries(own), ...more }).replace(
    /"00081190":\{"vr":"UR","BulkDataURI":("[^"]*")\}/,
    '"00081190":{"vr":"UR","Value":[$1]}',
  );
}
