import { jawOf, lowerTeeth, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { Material } from "@arcada/contract/order/prescription.choices";
import { ExchangeError } from "../exchange-error.ts";
import { mesialNeighbour } from "../lab-case/arrange-items.ts";
import type { CaseItem } from "../lab-case/lab-case.ts";
import { noProgramWords } from "../lab-case/lab-words.ts";
import type { ProgramWords } from "../lab-case/lab-words.ts";
import { childOf, childrenOf, isNamed, readXml, textOf } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import { element, writeXml } from "../xml/write-xml.ts";
import { exocadWordFor } from "./exocad-work.ts";

/** An order as it goes to exocad. */
export interface ExocadOrder {
  patient: { number: string; lastName: string; firstName: string };
  practice: { number: string; name: string };
  /** YYYY-MM-DD: the day in the name of the case's folder, too. */
  date: string;
  orderNumber: string;
  notes: string;
  items: readonly CaseItem[];
  isScrewRetained: boolean;
  antagonist: "scanned" | "none";
  /** True if the case has a mesh of scan bodies. */
  hasScanBodies: boolean;
  /** A GUID in braces-free lower case. */
  guid: string;
  /** 26 capitals that no other project has. */
  uniqueId: string;
}

/** The codes of exocad's usual configurations. */
const usualMaterials: Record<Material, { code: string; name: string }> = {
  zirconia: { code: "ZI", name: "Zirconia" },
  layeredZirconia: { code: "ZI", name: "Zirconia" },
  glassCeramic: { code: "LS2", name: "Lithium disilicate" },
  pressCeramic: { code: "LS2", name: "Lithium disilicate" },
  pmma: { code: "PMMA", name: "PMMA" },
  resin: { code: "RC", name: "Composite" },
  titanium: { code: "TI", name: "Titanium" },
  cobaltChrome: { code: "NP", name: "CoCr" },
  metalCeramic: { code: "NP", name: "CoCr" },
  preciousMetal: { code: "AU", name: "Precious metal" },
};

/** The materials that are veneered by hand: the framework below is milled. */
const veneered: readonly (Material | null)[] = ["layeredZirconia", "metalCeramic"];

/**
 * Writes an exocad project of an order from a project that the laboratory's own exocad wrote: `WorkParams` and the
 * `Parameters` of each kind of tooth hold that installation's configuration and cannot be invented.
 * @param template a `.dentalProject` of the laboratory; null writes a bare project, which no installation is known to open
 * @param words the laboratory's own words for kinds of work, materials and shades
 * @throws {ExchangeError} those of `readXml`, notExocad
 */
export function writeExocadProject(
  order: ExocadOrder,
  template: Uint8Array | null,
  words: ProgramWords = noProgramWords,
): Uint8Array {
  const base = template === null ? element("Treatment", []) : readXml(template);
  if (!isNamed(base, "Treatment")) throw new ExchangeError("notExocad", base.name.slice(0, 60));
  const own = [
    element("DateTime", `${order.date}T00:00:00`),
    element("TrayNo", order.orderNumber),
    element("Notes", describeNotes(order, words)),
    element("ProjectGUID", order.guid),
    element("ProjectUniqueId", order.uniqueId),
    element("Practice", [element("PracticeId", order.practice.number), element("PracticeName", order.practice.name)]),
    element("Patient", [
      element("PatientId", order.patient.number),
      element("PatientName", order.patient.lastName),
      element("PatientFirstName", order.patient.firstName),
    ]),
    element("AntagonistType", order.antagonist === "scanned" ? "DigitalImpressionScan" : "None"),
    element("Teeth", writeTeeth(order, childOf(base, "Teeth"), words)),
  ];
  return writeXml({ ...base, children: replaceChildren(base.children, own) });
}

/** The children of the template in their order, with ours in the places of theirs and new ones at the end. */
function replaceChildren(existing: readonly XmlElement[], own: readonly XmlElement[]): XmlElement[] {
  const replaced = existing.map((one) => own.find(({ name }) => isNamed(one, name)) ?? one);
  return [...replaced, ...own.filter(({ name }) => !existing.some((one) => isNamed(one, name)))];
}

/** Kinds that exocad has no word for are told to the technician. */
function describeNotes({ notes, items }: ExocadOrder, words: ProgramWords): string {
  const isTold = (kind: CaseItem["kind"]) => !isWritten(kind, words) || (kind === "onlay" && !words.kinds.onlay);
  const told = items.filter(({ kind, remark }) => remark || isTold(kind));
  const lines = told.map((one) =>
    [one.teeth.join(", "), one.kind, one.material, one.remark].filter(Boolean).join(" · "),
  );
  return [notes, ...lines].filter(Boolean).join("\n");
}

const isWritten = (kind: CaseItem["kind"], words: ProgramWords): boolean =>
  kind === "bridge" || kind === "customAbutment" || findWord(kind, words) !== undefined;

/**
 * A laboratory's own word is written only where exocad has none of its own: a laboratory that reads telescopes as crowns
 * does not want every crown to become a telescope.
 */
const findWord = (kind: CaseItem["kind"], { kinds }: ProgramWords): string | undefined =>
  kind === "onlay" ? (kinds.onlay ?? exocadWordFor.onlay) : (exocadWordFor[kind] ?? kinds[kind]);

interface ToothEntry {
  tooth: number;
  isPontic: boolean;
  type: string;
  material: Material | null;
  isConnected: boolean;
  shade: CaseItem["shade"];
  implantType: string;
  abutmentMaterial: Material | null;
}

function writeTeeth(order: ExocadOrder, template: XmlElement | undefined, words: ProgramWords): XmlElement[] {
  const samples = template ? childrenOf(template, "Tooth") : [];
  const made = listMade(order, words);
  const opposite = order.antagonist === "none" ? [] : made.slice(0, 1).flatMap(({ tooth }) => antagonistOf(tooth));
  // Neighbours are left out: an order does not say whether they are there.
  return [
    ...made.map((one) => writeMade(one, samples, words, order)),
    ...opposite.map((tooth) => writeAntagonist(tooth, samples)),
  ];
}

function listMade({ items, isScrewRetained }: ExocadOrder, words: ProgramWords): ToothEntry[] {
  const abutments = new Map(
    items.filter(({ kind }) => kind === "customAbutment").flatMap((one) => one.teeth.map((tooth) => [tooth, one])),
  );
  return items
    .filter(({ kind }) => isWritten(kind, words) && kind !== "customAbutment")
    .flatMap((item) =>
      item.teeth.map((tooth): ToothEntry => ({
        tooth,
        isPontic: isPontic(item, tooth),
        type: wordOf(item, tooth, words),
        material: item.material,
        isConnected: item.kind === "bridge" && item.teeth.includes(mesialNeighbour(tooth) ?? 0),
        shade: item.shade,
        implantType: abutments.has(tooth) ? "CustomAbutment" : isScrewRetained ? "WithoutAbutmentManual" : "None",
        abutmentMaterial: abutments.get(tooth)?.material ?? null,
      })),
    );
}

const isPontic = ({ kind, pontics }: CaseItem, tooth: number): boolean => kind === "pontic" || pontics.includes(tooth);

function wordOf(item: CaseItem, tooth: number, words: ProgramWords): string {
  const { kind, material } = item;
  if (isPontic(item, tooth)) return "AnatomicPontic";
  if (veneered.includes(material) && (kind === "crown" || kind === "bridge")) return "Coping";
  return kind === "bridge" ? "AnatomicCrown" : findWord(kind, words)!;
}

function writeMade(
  { tooth, isPontic: isBetween, type, material, isConnected, shade, implantType, abutmentMaterial }: ToothEntry,
  samples: readonly XmlElement[],
  words: ProgramWords,
  { hasScanBodies }: ExocadOrder,
): XmlElement {
  const named = nameMaterial(material, words);
  const abutment = nameMaterial(abutmentMaterial, words);
  const own = [
    element("Number", String(tooth)),
    element("ReconstructionType", type),
    element("MesialConnector", String(isConnected)),
    element("MaterialName", named?.name ?? ""),
    element("Material", named?.code ?? ""),
    element("ImplantType", implantType),
    ...(abutment ? [element("MaterialAbutment", abutment.code)] : []),
    element("ScanAbutmentScan", String(hasScanBodies && implantType !== "None")),
    element("PreparationType", isBetween ? "Healthy" : "Crown"),
    element("Color", shade === null ? "---" : (words.shades[shade] ?? shade)),
  ];
  return fromSample(samples, type, own);
}

function nameMaterial(material: Material | null, { materials }: ProgramWords): { code: string; name: string } | null {
  if (material === null) return null;
  const own = materials[material];
  return { code: own?.code ?? usualMaterials[material].code, name: own?.name ?? usualMaterials[material].name };
}

const writeAntagonist = (tooth: number, samples: readonly XmlElement[]): XmlElement =>
  fromSample(samples, "Antagonist", [
    element("Number", String(tooth)),
    element("ReconstructionType", "Antagonist"),
    element("MesialConnector", "false"),
    element("Material", "Healthy"),
    element("ImplantType", "None"),
    element("PreparationType", "Antagonist"),
    element("Color", "---"),
  ]);

/** The template's tooth of the same kind brings its `Parameters` along; without one there are none. */
function fromSample(samples: readonly XmlElement[], type: string, own: readonly XmlElement[]): XmlElement {
  const sample = samples.find((one) => textOf(one, "ReconstructionType")?.toLowerCase() === type.toLowerCase());
  return sample ? { ...sample, children: replaceChildren(sample.children, own) } : element("Tooth", own);
}

/** exocad wants one tooth of the opposite jaw: the one at the same place. */
function antagonistOf(tooth: number): number[] {
  const [own, other] = jawOf(tooth) === "maxilla" ? [upperTeeth, lowerTeeth] : [lowerTeeth, upperTeeth];
  const at = own.indexOf(tooth);
  return at < 0 ? [] : [other[at]!];
}
