import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { systems } from "../../domain/fhir/fhir-datatypes.ts";
import { orderItemExtension, prescriptionExtension, prescriptionParts } from "../resources/order-converters.ts";
import type { BodyReader } from "./body-reader.ts";

type Json = Record<string, unknown>;
interface ReadItem {
  kind: unknown;
  teeth: number[];
  pontics: number[];
  material: string | null;
  shade: string | null;
  stumpShade: string | null;
  remark: string | null;
}

/**
 * Reads the kinds of work and the items of `orderDetail`. Teeth belong to an item by its extension; `bodySite` alone
 * gives them to a single item.
 */
export function readOrderDetails(reader: BodyReader): { workKinds: unknown[]; items: ReadItem[] } {
  const workKinds: unknown[] = [];
  const items: ReadItem[] = [];
  for (const [index, detail] of reader.list("orderDetail", 50).entries()) {
    const place = `orderDetail[${index}]`;
    reader.allowIn(detail, place, ["coding", "text", "extension"]);
    const codings = reader.listOf(detail.coding, `${place}.coding`, 10);
    const work = codings.find(({ system }) => system === systems.workKind);
    const item = codings.find(({ system }) => system === systems.itemKind);
    if (work) workKinds.push(work.code);
    else if (item) items.push(readItem(reader, detail, item, place));
    else reader.reject(place);
  }
  addTeethOfBodySite(reader, items);
  return { workKinds, items };
}

const textNames = ["material", "shade", "stumpShade", "remark"] as const;

function readItem(reader: BodyReader, detail: Json, coding: Json, place: string): ReadItem {
  const item: ReadItem = {
    kind: coding.code,
    teeth: [],
    pontics: [],
    material: null,
    shade: null,
    stumpShade: null,
    remark: null,
  };
  for (const extension of reader.listOf(detail.extension, `${place}.extension`, 5)) {
    if (extension.url !== orderItemExtension) {
      reader.reject(`${place}.extension`);
      continue;
    }
    for (const part of reader.listOf(extension.extension, `${place}.extension.extension`, 60))
      readItemPart(reader, item, part, `${place}.extension`);
  }
  return item;
}

function readItemPart(reader: BodyReader, item: ReadItem, part: Json, place: string): void {
  const name = textNames.find((one) => one === part.url);
  if (name) item[name] = reader.textOf(part.valueString ?? part.valueCode, `${place}.${name}`) ?? null;
  else if (part.url === "tooth" || part.url === "pontic")
    item[part.url === "tooth" ? "teeth" : "pontics"].push(readTooth(reader, part.valueCode, place));
  else reader.reject(`${place}.extension`);
}

function readTooth(reader: BodyReader, code: unknown, place: string): number {
  const tooth = typeof code === "string" && /^\d\d$/.test(code) ? Number(code) : 0;
  return allTeeth.includes(tooth) ? tooth : reader.fail(`${place}.tooth`, "toothUnknown");
}

function addTeethOfBodySite(reader: BodyReader, items: ReadItem[]): void {
  const teeth = reader.list("bodySite", 32).map((site, index) => {
    const place = `bodySite[${index}]`;
    reader.allowIn(site, place, ["coding", "text"]);
    const codings = reader.listOf(site.coding, `${place}.coding`, 10);
    const tooth = codings.find(({ system }) => system === systems.tooth || system === systems.exampleTooth);
    return readTooth(reader, tooth?.code, place);
  });
  const named = new Set(items.flatMap((item) => item.teeth));
  const missing = [...new Set(teeth)].filter((tooth) => !named.has(tooth));
  const [only, ...others] = items;
  if (missing.length === 0) return;
  if (only && others.length === 0 && only.teeth.length === 0) only.teeth = missing;
  // A tooth that no item has says nothing about the work on it.
  else reader.reject("bodySite");
}

const isPart = (name: unknown): name is keyof typeof prescriptionParts =>
  typeof name === "string" && Object.hasOwn(prescriptionParts, name);

/** Reads the parts that R4 has no element for. A part that is not named keeps its value. */
export function readPrescriptionParts(reader: BodyReader): Json {
  const read: Json = {};
  for (const [index, extension] of reader.list("extension", 20).entries()) {
    if (extension.url !== prescriptionExtension) {
      reader.reject(`extension[${index}]`);
      continue;
    }
    for (const part of reader.listOf(extension.extension, `extension[${index}].extension`, 20)) {
      if (!isPart(part.url)) {
        reader.reject(`extension[${index}].extension`);
        continue;
      }
      const value = part[prescriptionParts[part.url]];
      read[part.url] = part.url === "jaws" ? [...((read.jaws as unknown[] | undefined) ?? []), value] : value;
    }
  }
  return read;
}
