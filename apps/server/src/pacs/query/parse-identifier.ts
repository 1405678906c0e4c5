import { readDataSet, type StandaloneDataSet } from "@arcada/imaging/dicom/parse/read-data-set";
import type { Tag } from "@arcada/imaging/dicom/parse/tags";
import type { Level } from "../../dicomweb/qido/parse-query.ts";
import { explicitLittleEndian } from "../../dimse/presentation-contexts.ts";
import { ServiceRefused, type ServiceRequest } from "../../dimse/service.ts";

/** PS3.4 C.3: the levels of a query, from the patient to a single object. */
export type QueryLevel = "patient" | Level;

export interface QueryIdentifier {
  level: QueryLevel;
  /** The whole identifier: an answer contains the same elements. */
  asked: StandaloneDataSet;
  explicit: boolean;
  /** The values that restrict the answer, by tag of eight hexadecimal digits, as a QIDO-RS request has them. */
  keys: Record<string, string>;
}

const levels: Readonly<Record<string, QueryLevel>> = {
  PATIENT: "patient",
  STUDY: "study",
  SERIES: "series",
  IMAGE: "instance",
};
export const levelNames = { patient: "PATIENT", study: "STUDY", series: "SERIES", instance: "IMAGE" } as const;
/** The unique key of each level (PS3.4 C.6.1.1, C.6.2.1). */
export const uniqueKeys = {
  patient: "00100020",
  study: "0020000D",
  series: "0020000E",
  instance: "00080018",
} as const satisfies Record<QueryLevel, string>;

const [maxElements, maxKeyLength] = [200, 32_000];
/** They describe the query itself and match nothing. */
const notMatched = new Set(["00080005", "00080052", "00080053", "00080054", "00080056", "00080201"]);

/** Parses the identifier of a C-FIND, C-MOVE or C-GET. Throws ServiceRefused. */
export function parseIdentifier({ identifier, transferSyntax }: ServiceRequest, hasPatients: boolean): QueryIdentifier {
  const explicit = transferSyntax === explicitLittleEndian;
  const asked = readIdentifier(identifier, explicit);
  const name = asked.item.text("x00080052")?.toUpperCase() ?? "";
  const level = levels[name];
  if (!level || (level === "patient" && !hasPatients))
    throw new ServiceRefused("otherThanSaid", `no such Query/Retrieve Level: ${name.slice(0, 16)}`);
  const keys: Record<string, string> = {};
  for (const { tag, items } of asked.elements) {
    const key = tag.slice(1).toUpperCase();
    if (items !== null || notMatched.has(key) || key.endsWith("0000")) continue;
    const value = asked.item.texts(tag as Tag).join("\\");
    if (value.length > maxKeyLength) throw new ServiceRefused("otherThanSaid", `a long value of ${key}`);
    if (value !== "") keys[key] = value;
  }
  return { level, asked, explicit, keys };
}

function readIdentifier(identifier: Buffer, explicit: boolean): StandaloneDataSet {
  try {
    const asked = readDataSet(identifier, { explicit });
    if (asked.elements.length > maxElements) throw new RangeError("many keys");
    return asked;
  } catch {
    throw new ServiceRefused("otherThanSaid", "the identifier cannot be read");
  }
}
