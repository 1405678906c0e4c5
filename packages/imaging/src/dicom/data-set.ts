import dicomParser from "dicom-parser";
import type { DataSet } from "dicom-parser";
import { DicomError } from "./error.ts";
import { itemOf, type DicomItem } from "./item.ts";
import { asFile } from "./preamble.ts";
import type { Tag } from "./tags.ts";

/** A stand-alone data set, with the order and encoding of its elements. */
export interface BareDataSet {
  item: DicomItem;
  elements: readonly BareElement[];
}
export interface BareElement {
  tag: Tag;
  /** Absent in implicit value representation. */
  vr: string | undefined;
  /** The items of a sequence; null for other elements. */
  items: readonly BareDataSet[] | null;
}

/**
 * Reads a data set that came over a line without a file around it, little endian.
 * @throws DicomError notDicom where the bytes are no such data set.
 */
export function readDataSet(bytes: Uint8Array, { explicit }: { explicit: boolean }): BareDataSet {
  try {
    const dataSet = dicomParser.parseDicom(asFile(bytes, explicit), { inflater: notDeflated });
    return bareOf(dataSet, itemOf(dataSet));
  } catch (thrown) {
    throw new DicomError("notDicom", thrown instanceof Error ? thrown.message : "unreadable");
  }
}

/** A first element of group 0002 could claim that the rest is. */
const notDeflated = (): never => {
  throw new DicomError("notDicom", "deflated");
};

function bareOf(dataSet: DataSet, item: DicomItem): BareDataSet {
  const elements = Object.values(dataSet.elements).flatMap((element): BareElement[] => {
    const tag = element.tag as Tag;
    if (tag < "x00030000") return [];
    const inner = item.sequence(tag);
    const sets = (element.items ?? []).flatMap((one) => (one.dataSet ? [one.dataSet] : []));
    const items = element.items ? sets.map((set, place) => bareOf(set, inner[place])) : null;
    return [{ tag, vr: element.vr, items }];
  });
  return { item, elements: elements.toSorted((one, other) => (one.tag < other.tag ? -1 : 1)) };
}
