import { parseToothName } from "@arcada/contract/kernel/tooth-numbers";
import type { ItemKind } from "@arcada/contract/order/prescription.choices";
import { ExchangeError } from "../exchange-error.ts";
import { arrangeItems } from "../lab-case/arrange-items.ts";
import type { ToothWork } from "../lab-case/arrange-items.ts";
import { emptyCase } from "../lab-case/lab-case.ts";
import type { CaseItem, CaseRemark, LabCase } from "../lab-case/lab-case.ts";
import { mapMaterial, mapShade, noMapping } from "../lab-case/work-mapping.ts";
import type { WorkMapping } from "../lab-case/work-mapping.ts";
import { isNamed, readXml } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";

/**
 * Reads the order file of 3Shape Dental Manager (`<order>/<order>.xml`). Objects are found by their type, wherever they
 * stand. Tooth numbers are Universal; the words of `Items`, mostly FDI, do not count.
 * @throws {ExchangeError} notThreeShape, noOrder, severalOrders, and those of `readXml`
 */
export function readThreeShapeOrder(bytes: Uint8Array, mapping: WorkMapping = noMapping): LabCase {
  const root = readXml(bytes);
  if (!isNamed(root, "DentalContainer")) throw new ExchangeError("notThreeShape", root.name.slice(0, 60));
  const objects = findObjects(root);
  const orders = objects.filter(({ type }) => type === "tdm_item_order");
  if (orders.length === 0) throw new ExchangeError("noOrder");
  if (orders.length > 1) throw new ExchangeError("severalOrders", String(orders.length));
  const order = orders[0]!;
  const { works, connections, remarks, isScrewRetained } = readWorks(objects, order, mapping);
  const arranged = arrangeItems(works, connections);
  const items = [...arranged.items, ...readWorkWithoutTeeth(objects)];
  const patient = readPatient(order);
  return {
    ...emptyCase("threeShape", order.value("IntOrderID")),
    orderNumber: order.value("ExtOrderID") ?? order.value("ClientOrderNo"),
    patient: patient.names,
    practice: order.value("Customer"),
    date: secondsToDay(order.value("CreateDate")),
    dueDate: readDueDate(objects),
    notes: order.value("OrderComments"),
    caseType: items.some(({ kind }) => kind === "customAbutment" || kind === "bar") ? "implant" : "restoration",
    fixType: isScrewRetained ? "screw" : null,
    items,
    remarks: [...remarks, ...arranged.remarks, ...patient.remarks],
  };
}

interface TypedObject {
  /** In lower case: `tdm_item_order`. */
  type: string;
  /** The value of a property; null where it is missing or empty. */
  value: (name: string) => string | null;
}

function findObjects(root: XmlElement): TypedObject[] {
  const found: TypedObject[] = [];
  const open = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    open.push(...element.children.toReversed());
    const type = element.attributes.type;
    if (isNamed(element, "Object") && type?.toLowerCase().startsWith("tdm_item_")) found.push(toObject(element, type));
  }
  return found;
}

function toObject(element: XmlElement, type: string): TypedObject {
  const values = new Map(
    element.children
      .filter((one) => isNamed(one, "Property"))
      .map(({ attributes }) => [(attributes.name ?? "").toLowerCase(), (attributes.value ?? "").trim()]),
  );
  return { type: type.toLowerCase(), value: (name) => values.get(name.toLowerCase()) || null };
}

/** A class of 3Shape (`CacheToothTypeClass`) in the words of an Arcada order. */
interface ThreeShapeWork {
  kind: ItemKind;
  isPontic?: true;
  isScrewRetained?: true;
  /** Nearly the same: a person should look at it. */
  isNearly?: true;
}

const nearlyCrown: ThreeShapeWork = { kind: "crown", isNearly: true };

/** By the lower-case word; null: nothing is ordered for this tooth. */
const threeShapeWorks: Readonly<Record<string, ThreeShapeWork | null>> = {
  tecrown: { kind: "crown" },
  tecoping: nearlyCrown,
  teanatomicalcoping: nearlyCrown,
  tetemporarycrown: nearlyCrown,
  teprovisional: nearlyCrown,
  tescrewretained: { kind: "crown", isScrewRetained: true },
  tescrewretainedcrown: { kind: "crown", isScrewRetained: true },
  teinlay: { kind: "inlay" },
  teonlay: { kind: "onlay" },
  teveneer: { kind: "veneer" },
  teabutment: { kind: "customAbutment" },
  teabutmentwaxup: { kind: "customAbutment", isNearly: true },
  tebar: { kind: "bar" },
  tebarsegment: { kind: "bar" },
  tepostandcore: { kind: "postCore" },
  teantagonist: null,
  teadjacent: null,
  tehealthy: null,
  temissing: null,
  tenone: null,
};

function readWorks(objects: readonly TypedObject[], order: TypedObject, mapping: WorkMapping) {
  const models = new Map(
    objects
      .filter(({ type }) => type === "tdm_item_modelelement")
      .map((one) => [one.value("ModelElementID") ?? "", one]),
  );
  const elements = objects
    .filter(({ type }) => type === "tdm_item_toothelement")
    .filter((one) => !placeKinds.has(modelKind(models.get(one.value("ModelElementID") ?? ""))));
  const read = elements.map((element) => {
    const model = models.get(element.value("ModelElementID") ?? "");
    return readElement(element, { model, order, mapping });
  });
  const remarks = read.flatMap((one) => one.remarks);
  const works = read.flatMap((one) => one.works);
  return {
    works: dropRepeated(works, remarks),
    remarks,
    isScrewRetained: read.some((one) => one.isScrewRetained),
    connections: findConnections(objects, read),
  };
}

interface ReadElement {
  id: string | null;
  tooth: number | null;
  works: ToothWork[];
  remarks: CaseRemark[];
  isScrewRetained: boolean;
}

function readElement(
  element: TypedObject,
  { model, order, mapping }: { model: TypedObject | undefined; order: TypedObject; mapping: WorkMapping },
): ReadElement {
  const written = element.value("ToothNumber");
  const id = element.value("ToothElementID");
  const nothing: ReadElement = { id, tooth: null, works: [], remarks: [], isScrewRetained: false };
  // Only permanent teeth are known to be numbered so.
  const tooth = /^\d{1,2}$/.test(written ?? "") ? parseToothName(String(Number(written)), "universal") : null;
  if (tooth === null) return { ...nothing, remarks: [{ kind: "unknownTooth", teeth: [], word: written }] };
  const word = element.value("CacheToothTypeClass") ?? "";
  const work = findWork(word, element, mapping);
  if (work === null) return { ...nothing, tooth };
  const of = (name: string) => model?.value(name) ?? null;
  const materialWords = [of("MaterialID"), of("CacheMaterialName") ?? order.value("CacheMaterialName")];
  const { material, remark: ofMaterial } = mapMaterial(work.kind, materialWords, mapping);
  const { shade, remark: ofShade } = mapShade(work.kind, of("CacheColor") ?? order.value("CacheColor"), mapping);
  const isKept = work.isNearly ?? work.kind === "other";
  const remark = isKept ? word : null;
  return {
    id,
    tooth,
    works: [{ tooth, kind: work.kind, isPontic: work.isPontic ?? false, material, shade, remark }],
    isScrewRetained: work.isScrewRetained ?? false,
    remarks: [describeWork(work, word), ofMaterial, ofShade].flatMap((one) =>
      one ? [{ ...one, teeth: [tooth] }] : [],
    ),
  };
}

/** Null: nothing is made for this tooth. */
function findWork(word: string, element: TypedObject, { kinds }: WorkMapping): ThreeShapeWork | null {
  const lower = word.toLowerCase();
  if (Object.hasOwn(kinds, lower)) {
    const kind = kinds[lower]!;
    return kind && { kind, ...(kind === "pontic" && { isPontic: true }) };
  }
  if (element.value("PostAndCore")?.toLowerCase() === "true") return { kind: "postCore" };
  if (Object.hasOwn(threeShapeWorks, lower)) return threeShapeWorks[lower]!;
  // teAnatomicPontic, tePontic, teReducedPontic …
  if (lower.endsWith("pontic"))
    return {
      kind: "pontic",
      isPontic: true,
      ...(!["tepontic", "teanatomicpontic"].includes(lower) && { isNearly: true }),
    };
  return { kind: "other" };
}

const describeWork = (work: ThreeShapeWork, word: string): Omit<CaseRemark, "teeth"> | null => {
  if (work.isNearly) return { kind: "workNearlyEqual", word };
  return work.kind === "other" ? { kind: "unknownWork", word } : null;
};

/** A redesign repeats its tooth elements. An abutment and a crown on one tooth are two works. */
function dropRepeated(works: readonly ToothWork[], remarks: CaseRemark[]): ToothWork[] {
  const seen = new Set<string>();
  return works.filter(({ tooth, kind }) => {
    const key = `${tooth} ${kind}`;
    if (seen.has(key)) remarks.push({ kind: "toothTwice", teeth: [tooth], word: kind });
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Tooth elements that share a connector's link are neighbours of one bridge. */
function findConnections(objects: readonly TypedObject[], read: readonly ReadElement[]): [number, number][] {
  const connectors = new Set(
    objects
      .filter(
        ({ type, value }) => type === "tdm_item_link" && value("CacheLinkTypeClass")?.toLowerCase() === "ltconnector",
      )
      .map(({ value }) => value("LinkID")),
  );
  const teeth = new Map(read.map(({ id, tooth }) => [id, tooth]));
  const byLink = new Map<string, number[]>();
  for (const { type, value } of objects) {
    const link = value("LinkID");
    const tooth = teeth.get(value("ToothElementID"));
    if (type !== "tdm_item_linktoothelement" || link === null || !connectors.has(link) || tooth == null) continue;
    byLink.set(link, [...(byLink.get(link) ?? []), tooth]);
  }
  return [...byLink.values()].flatMap((members) =>
    members.slice(1).map((tooth, at): [number, number] => [members[at]!, tooth]),
  );
}

/** Works that a jaw carries: the teeth of their elements only say which jaw. */
const jawWorks: Readonly<Record<string, ItemKind>> = {
  mesplint: "other",
  medenture: "other",
  memodel: "other",
  mesurgicalguide: "surgicalGuide",
};
const placeKinds = new Set(Object.keys(jawWorks));
const modelKind = (model: TypedObject | undefined): string => (model?.value("ModelElementType") ?? "").toLowerCase();

function readWorkWithoutTeeth(objects: readonly TypedObject[]): CaseItem[] {
  const kinds = new Set(objects.filter(({ type }) => type === "tdm_item_modelelement").map((one) => modelKind(one)));
  return [...kinds].flatMap((one) => {
    const kind = jawWorks[one];
    // A printed model comes along with every restoration.
    if (kind === undefined || one === "memodel") return [];
    return { teeth: [], kind, material: null, shade: null, stumpShade: null, pontics: [], remark: one };
  });
}

/** The first name is often empty, and the last name holds the full name. */
function readPatient(order: TypedObject): { names: LabCase["patient"]; remarks: CaseRemark[] } {
  const lastName = order.value("Patient_LastName");
  const firstName = order.value("Patient_FirstName");
  const names = { number: order.value("Patient_RefNo"), lastName, firstName };
  const isFull = firstName === null && lastName !== null && /[\s,]/.test(lastName);
  return { names, remarks: isFull ? [{ kind: "nameInOneField", teeth: [], word: lastName }] : [] };
}

function readDueDate(objects: readonly TypedObject[]): string | null {
  const days = objects
    .filter(({ type }) => type === "tdm_item_modelelement")
    .flatMap(({ value }) => secondsToDay(value("DeliveryDate")) ?? []);
  return days.toSorted()[0] ?? null;
}

/** Seconds since 1970; 0 stands for none. */
function secondsToDay(text: string | null): string | null {
  if (text === null || !/^\d{1,11}$/.test(text) || Number(text) === 0) return null;
  const date = new Date(Number(text) * 1000);
  return date.getUTCFullYear() > 2100 ? null : date.toISOString().slice(0, 10);
}
