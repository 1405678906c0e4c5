import type { PhantomPatient } from "@arcada/imaging/phantom/study";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { ceph } from "@arcada/imaging/phantom/ceph";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { pano } from "@arcada/imaging/phantom/panorama";
import { archScan, crownDesign } from "@arcada/imaging/phantom/scan";
import { writePly, writeStl } from "@arcada/imaging/mesh/write";
import type { DemoCase, ImageKind } from "./cases.ts";

export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/** The generated images of one patient, all of the same head. */
export function imagesOf({ entry, patient }: DemoCase, kind: ImageKind): NamedBytes[] {
  const head = makeHead(entry);
  const who: PhantomPatient = {
    id: entry,
    name: dicomName(patient.name),
    sex: patient.sex === "male" ? "M" : "F",
    birthDate: (patient.birthDate ?? "").replaceAll("-", ""),
  };
  // Each kind was taken on its own occasion, so each is a study.
  const visit = (description: string) => ({ key: kind, description, clinic: "Morninglight Dental" });
  const make: Record<ImageKind, () => NamedBytes[]> = {
    panorama: () => [pano(head, who, visit("Panorama"))],
    ceph: () => [ceph(head, who, visit("Lateral ceph"))],
    film: () => [film(head, who, visit("Periapical film"))],
    ct: () => [...cbctFiles(head, who, { study: visit("CBCT") })],
    scans: () => [
      { name: "upper.ply", bytes: writePly(archScan(head, "upper")) },
      { name: "lower.ply", bytes: writePly(archScan(head, "lower")) },
    ],
  };
  return make[kind]();
}

/** A radiograph that a device sent with a mistyped birth date. A person must assign it to a patient. */
export function strayImage(): NamedBytes[] {
  const who: PhantomPatient = { id: "0042", name: "Wang^Fang", sex: "F", birthDate: "19850908" };
  const visit = { key: "stray", description: "Periapical film", clinic: "Morninglight Dental" };
  return [film(makeHead("M-1005"), who, visit)];
}

/** Returns the lab's designs: a crown for each tooth that the head still has. */
export function designOf(entry: string, teeth: number[]): NamedBytes[] {
  const head = makeHead(entry);
  return teeth.flatMap((tooth) => {
    const mesh = crownDesign(head, tooth);
    return mesh ? [{ name: `crown-${tooth}.stl`, bytes: writeStl(mesh) }] : [];
  });
}

/** DICOM person names: family^given for Latin names (PS3.5 6.2); Chinese ones are unchanged. */
const dicomName = (name: string): string =>
  /^[\x20-\x7e]+$/.test(name) ? name.split(" ").toReversed().join("^") : name;
