import dicomParser from "dicom-parser";
import type { DataSet } from "dicom-parser";
import { DicomError } from "../dicom-error.ts";
import { createDicomItem, type DicomItem } from "./dicom-item.ts";
import { wrapDataSet } from "./preamble.ts";
import type { Tag } from "./tags.ts";

/** A stand-alone data set, with the order and encoding of its elements. */
export interface StandaloneDataSet {
  item: DicomItem;
  elements: readonly StandaloneElement[];
}
export interface StandaloneElement {
  tag: Tag;
  /** Absent in implicit value representation. */
  vr: string | undefined;
  /** The items of a sequence; null for other elements. */
  items: readonly StandaloneDataSet[] | null;
}

/**
 * Reads a data set that came over a line without a file around it, little endian.
 * @throws DicomError notDicom where the bytes are no such data set.
 */
export function readDataSet(bytes: Uint8Array, { explicit }: { explicit: boolean }): StandaloneDataSet {
  try {
    const dataSet = dicomParser.parseDicom(wrapDataSet(bytes, explicit), { inflater: rejectDeflated });
    return toStandalone(dataSet, createDicomItem(dataSet));
  } catch (thrown) {
    throw new DicomError("notDicom", thrown instanceof Error ? thrown.message : "unreadable");
  }
}

/** A first element of group 0002 could claim that the rest is. */
const rejectDeflated = (): never => {
  throw new DicomError("notDicom", "deflated");
};

function toStandalone(dataSet: DataSet, item: DicomItem): StandaloneDataSet {
  const elements = Object.values(dataSet.elements).flatMap((element): StandaloneElement[] => {
    const tag = element.tag as Tag;
    if (tag < "x00030000") return [];
    const inner = item.sequence(tag);
    const sets = (element.items ?? []).flatMap((one) => (one.dataSet ? [one.dataSet] : []));
    const items = element.items ? sets.map((set, index) => toStandalone(set, inner[index])) : null;
    return [{ tag, vr: element.vr, items }];
  });
  return { item, elements: elements.toSorted((one, other) => (one.tag < other.tag ? -1 : 1)) };
}
