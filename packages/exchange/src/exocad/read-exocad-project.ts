import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { ExchangeError } from "../exchange-error.ts";
import { arrangeItems, mesialNeighbour } from "../lab-case/arrange-items.ts";
import type { ToothWork } from "../lab-case/arrange-items.ts";
import { emptyCase } from "../lab-case/lab-case.ts";
import type { CaseRemark, LabCase } from "../lab-case/lab-case.ts";
import { mapMaterial, mapShade, noMapping } from "../lab-case/work-mapping.ts";
import type { WorkMapping } from "../lab-case/work-mapping.ts";
import { childOf, childrenOf, isNamed, readXml, textOf } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import { exocadWorks } from "./exocad-work.ts";
import type { ExocadWork } from "./exocad-work.ts";

/**
 * Reads the project file of exocad DentalCAD (`<case>.dentalProject`). Missing elements, unknown words and foreign tooth
 * numbers become remarks; only a file of another kind is refused.
 * @param name the file's name without extension, which begins the names of the case's meshes
 * @throws {ExchangeError} notExocad, and those of `readXml`
 */
export function readExocadProject(bytes: Uint8Array, name: string, mapping: WorkMapping = noMapping): LabCase {
  const root = readXml(bytes);
  if (!isNamed(root, "Treatment")) throw new ExchangeError("notExocad", root.name.slice(0, 60));
  const patient = childOf(root, "Patient");
  const teeth = readTeeth(root, mapping);
  const hasImplant = teeth.some(({ implantType }) => implantType !== "none");
  const { items, remarks } = arrangeItems(
    teeth.flatMap(({ works }) => works),
    teeth.flatMap(({ connection }) => (connection ? [connection] : [])),
  );
  return {
    ...emptyCase("exocad", name),
    orderNumber: textOf(root, "TrayNo"),
    patient: {
      // DentalDB writes 0 for a patient without a number.
      number: nonZero(textOf(patient, "PatientId")),
      lastName: textOf(patient, "PatientName"),
      firstName: textOf(patient, "PatientFirstName"),
    },
    practice: textOf(childOf(root, "Practice"), "PracticeName"),
    date: readDay(textOf(root, "DateTime")),
    notes: textOf(root, "Notes"),
    caseType: hasImplant ? "implant" : "restoration",
    fixType: teeth.some(({ implantType }) => implantType.startsWith("withoutabutment")) ? "screw" : null,
    items,
    remarks: [...teeth.flatMap((one) => one.remarks), ...remarks],
  };
}

interface ReadTooth {
  works: ToothWork[];
  connection: [number, number] | null;
  implantType: string;
  remarks: CaseRemark[];
}

function readTeeth(root: XmlElement, mapping: WorkMapping): ReadTooth[] {
  const elements = childrenOf(root, "Teeth").flatMap((one) => childrenOf(one, "Tooth"));
  const projectShade = textOf(root, "ToothColor");
  const seen = new Set<number>();
  const listed = new Set(elements.map((one) => Number(textOf(one, "Number"))));
  return elements.map((element) => {
    const tooth = Number(textOf(element, "Number"));
    if (!allTeeth.includes(tooth)) return onlyRemark("unknownTooth", [], textOf(element, "Number"));
    if (seen.has(tooth)) return onlyRemark("toothTwice", [tooth], textOf(element, "ReconstructionType"));
    seen.add(tooth);
    return readTooth(element, tooth, { mapping, projectShade, listed });
  });
}

const onlyRemark = (kind: CaseRemark["kind"], teeth: number[], word: string | null): ReadTooth => ({
  works: [],
  connection: null,
  implantType: "none",
  remarks: [{ kind, teeth, word }],
});

interface Surroundings {
  mapping: WorkMapping;
  projectShade: string | null;
  /** The numbers of all teeth of the project. */
  listed: ReadonlySet<number>;
}

function readTooth(element: XmlElement, tooth: number, { mapping, projectShade, listed }: Surroundings): ReadTooth {
  const word = textOf(element, "ReconstructionType") ?? "";
  const work = findWork(word, mapping);
  if (work === null) return { works: [], connection: null, implantType: "none", remarks: [] };
  const materialWords = [textOf(element, "Material"), textOf(element, "MaterialName")];
  const { material, remark: ofMaterial } = mapMaterial(work.kind, materialWords, mapping);
  const { shade, remark: ofShade } = mapShade(work.kind, ownShade(element) ?? projectShade, mapping);
  const { connection, isLoose } = readConnection(element, tooth, listed);
  const implantType = (textOf(element, "ImplantType") ?? "none").toLowerCase();
  const isKept = work.isNearly ?? work.kind === "other";
  const remarks = [
    ofWork(work, word),
    ofMaterial,
    ofShade,
    isLoose && { kind: "connectorWithoutNeighbour", word: null },
  ];
  const abutment = implantType === "customabutment" ? [readAbutment(element, tooth, mapping)] : [];
  return {
    works: [
      { tooth, kind: work.kind, isPontic: work.isPontic ?? false, material, shade, remark: isKept ? word : null },
      ...abutment.map((one) => one.work),
    ],
    connection,
    implantType,
    remarks: [...remarks, ...abutment.map((one) => one.remark)].flatMap((one) =>
      one ? [{ ...one, teeth: [tooth] } as CaseRemark] : [],
    ),
  };
}

/** Null: nothing is made for this tooth. */
function findWork(word: string, { kinds }: WorkMapping): ExocadWork | null {
  const lower = word.toLowerCase();
  if (Object.hasOwn(kinds, lower)) {
    const kind = kinds[lower]!;
    return kind && { kind, ...(kind === "pontic" && { isPontic: true }) };
  }
  return Object.hasOwn(exocadWorks, lower) ? exocadWorks[lower]! : { kind: "other" };
}

const ofWork = (work: ExocadWork, word: string): Omit<CaseRemark, "teeth"> | null => {
  if (work.isNearly) return { kind: "workNearlyEqual", word };
  return work.kind === "other" ? { kind: "unknownWork", word } : null;
};

function readAbutment(element: XmlElement, tooth: number, mapping: WorkMapping) {
  const { material, remark } = mapMaterial("customAbutment", [textOf(element, "MaterialAbutment")], mapping);
  const work: ToothWork = { tooth, kind: "customAbutment", isPontic: false, material, shade: null, remark: null };
  return { work, remark };
}

/** "---" means that the project's shade counts. */
function ownShade(element: XmlElement): string | null {
  const text = textOf(element, "Color");
  return text === null || /^-+$/.test(text) ? null : text;
}

function readConnection(element: XmlElement, tooth: number, listed: ReadonlySet<number>) {
  const isConnected = textOf(element, "MesialConnector")?.toLowerCase() === "true";
  const neighbour = isConnected ? mesialNeighbour(tooth) : undefined;
  if (neighbour === undefined) return { connection: null, isLoose: false };
  if (!listed.has(neighbour)) return { connection: null, isLoose: true };
  return { connection: [tooth, neighbour] as [number, number], isLoose: false };
}

const nonZero = (text: string | null): string | null => (text === null || /^0+$/.test(text) ? null : text);

const readDay = (text: string | null): string | null => /^\d{4}-\d\d-\d\d/.exec(text ?? "")?.[0] ?? null;
