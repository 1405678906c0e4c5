import { sql } from "kysely";
import { presentationCalls } from "@arcada/contract/study/presentation-state.calls";
import {
  writePresentationState,
  type PresentationState,
} from "@arcada/imaging/dicom/presentation/write-presentation-state";
import type { DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";
import type { Db } from "../../platform/database/database.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { requireOwnStudy } from "../study.guards.ts";
import { trimEndMatching } from "../../platform/text/trim-characters.ts";
import type { Row } from "../../tables/row.ts";

export const presentationStateRoutes = routes(presentationCalls, {
  presentation: async ({ id, instanceId, frame, ...shown }, context) => {
    const { db, principal, now } = context;
    const study = await requireOwnStudy(context, id);
    context.subject = id;
    const metadata = (await findMetadata(db, principal.iid, study.id, instanceId)) ?? refuse("notFound");
    const image = readReferencedImage(metadata);
    if (frame >= image.frames) return refuse("badInput", { frame: "tooMany" });
    const { frames, ...referenced } = image;
    const bytes = writePresentationState({
      ...shown,
      identity: readIdentity(metadata),
      image: { ...referenced, ...(frames > 1 && { frame }) },
      uid: { series: createUid(), instance: createUid() },
      creator: "",
      at: now,
    });
    return { name: `${instanceId}-presentation.dcm`, dicom: Buffer.from(bytes).toString("base64") };
  },
});

/** DICOM JSON (PS3.18 F.2). */
type Metadata = Record<string, { vr: string; Value?: unknown[] } | undefined>;

/**
 * Null for an instance that is not a DICOM image, or has not been indexed yet. Addresses in it begin with a character
 * that JSON does not allow.
 */
async function findMetadata(db: Db, iid: string, studyId: string, instanceId: string): Promise<Metadata | null> {
  const { rows } = await sql<
    Row<"dicom_instance", "metadata">
  >`select replace(d.metadata, chr(1), '') as metadata from dicom_instance d
    join instance i on i.institution_id = d.institution_id and i.id = d.instance_id and i.picture is not null
    where d.institution_id = ${iid} and d.study_id = ${studyId} and d.instance_id = ${instanceId}`.execute(db);
  return rows[0] ? (JSON.parse(rows[0].metadata) as Metadata) : null;
}

const firstValue = (data: Metadata, tag: string): unknown => data[tag]?.Value?.[0];
const firstText = (data: Metadata, tag: string): string | null => {
  const value = firstValue(data, tag);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
};
const firstNumber = (data: Metadata, tag: string): number | null => {
  const value = Number(firstText(data, tag) ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
};

function readReferencedImage(data: Metadata): PresentationState["image"] & { frames: number } {
  const [slope, intercept] = [firstNumber(data, "00281053"), firstNumber(data, "00281052")];
  const [row, column] = (data["00280030"]?.Value ?? data["00181164"]?.Value ?? []).map(Number);
  return {
    sopClass: firstText(data, "00080016") ?? "",
    sopInstance: firstText(data, "00080018") ?? "",
    series: firstText(data, "0020000E") ?? "",
    columns: firstNumber(data, "00280011") ?? 1,
    rows: firstNumber(data, "00280010") ?? 1,
    frames: firstNumber(data, "00280008") ?? 1,
    ...(slope !== null && { rescale: { slope, intercept: intercept ?? 0 } }),
    ...(row && column && { spacing: { row, column } }),
  };
}

/** The attributes that identify the patient and the study of an image, as in the image. */
const readIdentity = (data: Metadata): DicomDataset =>
  identity.map(([tag, vr]) => {
    const value = vr === "PN" ? readPatientName(firstValue(data, tag)) : firstText(data, tag);
    return [Number.parseInt(tag, 16), vr, value];
  });

const identity = [
  ["00080020", "DA"],
  ["00080030", "TM"],
  ["00080050", "SH"],
  ["00080090", "PN"],
  ["00100010", "PN"],
  ["00100020", "LO"],
  ["00100030", "DA"],
  ["00100040", "CS"],
  ["0020000D", "UI"],
  ["00200010", "SH"],
] as const;

/** The three ways in which a name is written, as PS3.5 6.2 joins them. */
function readPatientName(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const { Alphabetic = "", Ideographic = "", Phonetic = "" } = value as Record<string, string | undefined>;
  return trimEndMatching([Alphabetic, Ideographic, Phonetic].join("="), /=/) || null;
}

/** PS3.5 B.2: a UUID as a decimal number. */
const createUid = (): string => `2.25.${BigInt(`0x${newId().replaceAll("-", "")}`)}`;
