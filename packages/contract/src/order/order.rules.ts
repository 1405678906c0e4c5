/** Words of a prescription. */
export const caseTypes = ["restoration", "implant", "orthodontics", "other"] as const;
export type CaseType = (typeof caseTypes)[number];
export const workKinds = ["design", "machining"] as const;
export const orderRules = {
  dueDays: 7,
  recallDispatchHours: 24,
  otherTextLeast: 10,
  filesMost: 500,
  itemsMost: 32,
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

/** Returns the fields that are missing before an order may be sent; names are keys of order.json under `missing`. */
export const missingFor = (rx: Prescription, files: { role: string }[]): string[] => [
  ...missingAlways(rx, files),
  ...missingByType[rx.caseType](rx, files),
];

type Check = (rx: Prescription, files: { role: string }[]) => string[];
const when = (lacks: boolean, name: string): string[] => (lacks ? [name] : []);
const hasScan = (rx: Prescription, files: { role: string }[]) =>
  rx.noDigitalFiles || files.some(({ role }) => role === "upperScan" || role === "lowerScan");

const missingAlways: Check = (rx, files) => [
  ...when(!rx.targetIid, "targetIid"),
  ...when(!rx.dueDate, "dueDate"),
  ...when(rx.workKinds.length === 0, "workKinds"),
  ...when(files.length === 0 && !rx.noDigitalFiles, "files"),
];
const items: Check = (rx) => [
  ...when(rx.items.length === 0, "items"),
  ...when(
    rx.items.some(({ teeth }) => teeth.length === 0),
    "teeth",
  ),
  ...when(
    rx.items.some(({ kind }) => !kind),
    "kind",
  ),
  ...when(
    rx.items.some(({ material }) => !material),
    "material",
  ),
  ...when(
    rx.items.some(({ kind, teeth }) => kind === "bridge" && teeth.length < 2),
    "bridgeTeeth",
  ),
  ...when(
    rx.items.some(({ kind, teeth, pontics }) => kind === "bridge" && pontics.length >= teeth.length),
    "bridgeAbutments",
  ),
];
const missingByType: Record<CaseType, Check> = {
  restoration: (rx, files) => [...items(rx, files), ...when(!hasScan(rx, files), "scan")],
  implant: (rx, files) => [
    ...items(rx, files),
    ...when(!rx.implantSystem, "implantSystem"),
    ...when(!rx.fixType, "fixType"),
    ...when(!hasScan(rx, files) && !rx.instructions, "scanOrNote"),
  ],
  orthodontics: (rx, files) => [
    ...when(rx.jaws.length === 0, "jaws"),
    ...when(
      !rx.noDigitalFiles &&
        !(["upperScan", "lowerScan"] as const).every((role) => files.some((file) => file.role === role)),
      "bothArches",
    ),
    ...when(!rx.instructions, "instructions"),
  ],
  other: (rx) => when((rx.instructions ?? "").trim().length < orderRules.otherTextLeast, "instructions"),
};

/** Implant and orthodontic work is planned first unless the sender chooses otherwise. */
export const schemeByDefault = (caseType: CaseType): boolean => caseType === "implant" || caseType === "orthodontics";

/** Returns the next state of an accepted order: scheme, else design, else straight to production. */
export const routeOf = (rx: { schemeRequired: boolean; workKinds: readonly string[] }) =>
  rx.schemeRequired ? "awaiting_scheme" : afterScheme(rx);
export const afterScheme = (rx: { workKinds: readonly string[] }) =>
  rx.workKinds.includes("design") ? "awaiting_design" : "awaiting_dispatch";
/** Design only ends digitally, when the design is confirmed. */
export const isDigital = (rx: { workKinds: readonly string[] }): boolean => !rx.workKinds.includes("machining");
