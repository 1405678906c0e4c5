import type { PhantomPatient } from "@arcada/phantom/phantom-study";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createCephalogram } from "@arcada/phantom/radiograph/cephalogram";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { createArchScan, createCrownDesign } from "@arcada/phantom/scan/arch-scan";
import { writePly, writeStl } from "@arcada/imaging/mesh/write-mesh";
import type { DemoCase, ImageKind } from "./clinic-patients.ts";

export interface NamedBytes {
  name: string;
  bytes: Uint8Array;
}

/** The generated images of one patient, all of the same head. */
export function createImages({ entry, patient }: DemoCase, kind: ImageKind): NamedBytes[] {
  const head = makeHead(entry);
  const who: PhantomPatient = {
    id: entry,
    name: toDicomName(patient.name),
    sex: patient.sex === "male" ? "M" : "F",
    birthDate: (patient.birthDate ?? "").replaceAll("-", ""),
  };
  // Each kind was taken on its own occasion, so each is a study.
  const study = (description: string) => ({ key: kind, description, clinic: "Morninglight Dental" });
  const make: Record<ImageKind, () => NamedBytes[]> = {
    panorama: () => [createPanorama(head, who, study("Panorama"))],
    ceph: () => [createCephalogram(head, who, study("Lateral ceph"))],
    film: () => [createIntraoralRadiograph(head, who, study("Periapical film"))],
    ct: () => [...createCbctFiles(head, who, { study: study("CBCT") })],
    scans: () => [
      { name: "upper.ply", bytes: writePly(createArchScan(head, "upper")) },
      { name: "lower.ply", bytes: writePly(createArchScan(head, "lower")) },
    ],
  };
  return make[kind]();
}

/** A radiograph that a device sent with a mistyped birth date. A person must assign it to a patient. */
export function createStrayImage(): NamedBytes[] {
  const who: PhantomPatient = { id: "0042", name: "Wang^Fang", sex: "F", birthDate: "19850908" };
  const study = { key: "stray", description: "Periapical film", clinic: "Morninglight Dental" };
  return [createIntraoralRadiograph(makeHead("M-1005"), who, study)];
}

/** Returns the lab's designs: a crown for each tooth that the head still has. */
export function createDesigns(entry: string, teeth: number[]): NamedBytes[] {
  const head = makeHead(entry);
  return teeth.flatMap((tooth) => {
    const mesh = createCrownDesign(head, tooth);
    return mesh ? [{ name: `crown-${tooth}.stl`, bytes: writeStl(mesh) }] : [];
  });
}

/** DICOM person names: family^given for Latin names (PS3.5 6.2); Chinese ones are unchanged. */
const toDicomName = (name: string): string =>
  /^[\x20-\x7e]+$/.test(name) ? name.split(" ").toReversed().join("^") : name;
