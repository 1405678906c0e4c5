/** Words of a prescription. */
export const caseTypes = ["restoration", "implant", "orthodontics", "other"] as const;
export type CaseType = (typeof caseTypes)[number];
export const workKinds = ["design", "machining"] as const;
export const orderRules = {
  dueDays: 7,
  /** A scan that is not older belongs to the order that is being written. */
  freshScanDays: 30,
  recallDispatchHours: 24,
  minOtherTextLength: 10,
  maxFiles: 500,
  maxItems: 32,
} as const;

export interface Prescription {
  caseType: CaseType;
  items: {
    teeth: number[];
    kind: string;
    material: string | null;
    shade: string | null;
    remark: string | null;
    pontics: number[];
  }[];
  workKinds: string[];
  jaws: string[];
  implantSystem: string | null;
  fixType: string | null;
  instructions: string | null;
  targetIid: string | null;
  dueDate: string | null;
  noDigitalFiles: boolean;
}

export type MissingField =
  | "targetIid"
  | "dueDate"
  | "workKinds"
  | "files"
  | "items"
  | "teeth"
  | "kind"
  | "material"
  | "bridgeTeeth"
  | "bridgeAbutments"
  | "scan"
  | "implantSystem"
  | "fixType"
  | "scanOrNote"
  | "jaws"
  | "bothArches"
  | "instructions";
/** Returns the fields that are missing before an order may be sent; names are keys of order.json under `missing`. */
export const missingFor = (rx: Prescription, files: { role: string }[]): MissingField[] => [
  ...missingCommonFields(rx, files),
  ...missingByType[rx.caseType](rx, files),
];

type MissingFieldsCheck = (rx: Prescription, files: { role: string }[]) => MissingField[];
const listIf = (isMissing: boolean, name: MissingField): MissingField[] => (isMissing ? [name] : []);
const hasScan = (rx: Prescription, files: { role: string }[]) =>
  rx.noDigitalFiles || files.some(({ role }) => role === "upperScan" || role === "lowerScan");

const missingCommonFields: MissingFieldsCheck = (rx, files) => [
  ...listIf(!rx.targetIid, "targetIid"),
  ...listIf(!rx.dueDate, "dueDate"),
  ...listIf(rx.workKinds.length === 0, "workKinds"),
  ...listIf(files.length === 0 && !rx.noDigitalFiles, "files"),
];
const missingItemFields: MissingFieldsCheck = (rx) => [
  ...listIf(rx.items.length === 0, "items"),
  ...listIf(
    rx.items.some(({ teeth }) => teeth.length === 0),
    "teeth",
  ),
  ...listIf(
    rx.items.some(({ kind }) => !kind),
    "kind",
  ),
  ...listIf(
    rx.items.some(({ material }) => !material),
    "material",
  ),
  ...listIf(
    rx.items.some(({ kind, teeth }) => kind === "bridge" && teeth.length < 2),
    "bridgeTeeth",
  ),
  ...listIf(
    rx.items.some(({ kind, teeth, pontics }) => kind === "bridge" && pontics.length >= teeth.length),
    "bridgeAbutments",
  ),
];
const missingByType: Record<CaseType, MissingFieldsCheck> = {
  restoration: (rx, files) => [...missingItemFields(rx, files), ...listIf(!hasScan(rx, files), "scan")],
  implant: (rx, files) => [
    ...missingItemFields(rx, files),
    ...listIf(!rx.implantSystem, "implantSystem"),
    ...listIf(!rx.fixType, "fixType"),
    ...listIf(!hasScan(rx, files) && !rx.instructions, "scanOrNote"),
  ],
  orthodontics: (rx, files) => [
    ...listIf(rx.jaws.length === 0, "jaws"),
    ...listIf(
      !rx.noDigitalFiles &&
        !(["upperScan", "lowerScan"] as const).every((role) => files.some((file) => file.role === role)),
      "bothArches",
    ),
    ...listIf(!rx.instructions, "instructions"),
  ],
  other: (rx) => listIf((rx.instructions ?? "").trim().length < orderRules.minOtherTextLength, "instructions"),
};

/** Implant and orthodontic work is planned first unless the sender chooses otherwise. */
export const needsSchemeByDefault = (caseType: CaseType): boolean =>
  caseType === "implant" || caseType === "orthodontics";

/** Returns the next state of an accepted order: scheme, else design, else straight to production. */
export const nextStateAfterAcceptance = (rx: { schemeRequired: boolean; workKinds: readonly string[] }) =>
  rx.schemeRequired ? "awaiting_scheme" : nextStateAfterScheme(rx);
export const nextStateAfterScheme = (rx: { workKinds: readonly string[] }) =>
  rx.workKinds.includes("design") ? "awaiting_design" : "awaiting_dispatch";
/** Design only ends digitally, when the design is confirmed. */
export const endsDigitally = (rx: { workKinds: readonly string[] }): boolean => !rx.workKinds.includes("machining");
