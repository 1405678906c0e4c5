import { readFileSync } from "node:fs";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import type { Annotation } from "@arcada/contract/study/annotation";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { annotationCalls } from "@arcada/contract/study/annotation.calls";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { writePly, writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { identityTransform } from "@arcada/imaging/geometry/rigid-transform";
import { craftZip } from "../../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../../demo/wait-for-ingest.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { loadTracedRadiograph } from "../viewer/traced-radiograph.ts";
import { findRealFile } from "../support/test-files.ts";
import { createInstitutionAccount } from "../support/order-files.ts";
import { present } from "@arcada/testing/require-present";

/** One patient with something for every viewer. */
export interface GallerySetup {
  token: string;
  patient: string;
  studies: Record<"panorama" | "earlier" | "film" | "ct" | "models", string>;
  /** A volume to which the lower jaw's scan is registered. */
  registeredVolume: string;
  ceph: { study: string; item: string };
  /** The addresses of links, each with the whole secret. */
  shared: Record<"panorama" | "ct" | "models", string>;
}

type Session = Awaited<ReturnType<typeof createInstitutionAccount>>["session"];
type Files = readonly (readonly [name: string, bytes: Uint8Array])[];

export async function setupGallery(product: Product): Promise<GallerySetup> {
  const files = generateFiles();
  const { session } = await createInstitutionAccount(product, "clinic", "晨光口腔", "gallery@clinic.test");
  const { token } = session;
  const person = { name: "王芳", sex: "female", birthDate: "1985-09-09" } as const;
  const { id: patient } = await product.call(patientCalls.create, person, session);
  const importStudy = async (parts: Files): Promise<string> => {
    const uploads = await Promise.all(parts.map(([name, bytes]) => product.upload(token, name, bytes)));
    const input = { patientId: patient, uploads, acceptMismatch: true };
    const { id } = await product.call(uploadJobCalls.open, input, session);
    const { studies } = await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session));
    return studies[0];
  };
  const studies = {
    panorama: await importStudy(files.panorama),
    earlier: await importStudy(files.earlier),
    film: await importStudy(files.film),
    ct: await importStudy(files.ct),
    models: await importStudy(files.models),
  };
  await importStudy(files.otherFilm);
  const fitted = await importStudy(files.fitted);
  await registerScan(product, session, fitted, studies.models);
  await waitUntilConverted(product, session, [...Object.values(studies), fitted]);
  const traced = loadTracedRadiograph();
  const uploads = [await product.upload(token, traced.name, traced.bytes)];
  const input = { patientId: patient, uploads, kind: "lateralCeph", acceptMismatch: true } as const;
  const { id } = await product.call(uploadJobCalls.open, input, session);
  await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session));
  const [row] = await product.call(cephCalls.list, { patientId: patient }, session);
  const createShareLink = async (study: string): Promise<string> => {
    const factor = { kind: "none" } as const;
    const wanted = { kind: "study", id: study, label: "Dr. Li", factor, nameless: true, warned: true } as const;
    const { secret } = await product.call(shareCalls.create, { ...wanted, days: shareRules.defaultDays }, session);
    return `${screens.studyShared.path}#${secret}`;
  };
  return {
    token,
    patient,
    studies,
    registeredVolume: fitted,
    ceph: { study: row.studyId, item: row.instanceId },
    shared: {
      panorama: await createShareLink(studies.panorama),
      ct: await createShareLink(studies.ct),
      models: await createShareLink(studies.models),
    },
  };
}

/** Every walk begins on images on which nobody has drawn. */
export async function clearAnnotations(product: Product, { token, studies }: GallerySetup): Promise<void> {
  for (const id of Object.values(studies)) {
    const { version, marks: annotations } = await product.call(annotationCalls.marks, { id }, { token });
    if (annotations.length > 0) await product.call(annotationCalls.saveMarks, { id, version, marks: [] }, { token });
  }
}

/** Scan and volume of a generated head have its own space in common. */
async function registerScan(product: Product, session: Session, volume: string, scans: string): Promise<void> {
  const instancesOf = async (id: string) =>
    (await product.call(studyCalls.detail, { id }, session)).series.flatMap(({ instances }) => instances);
  const [[slice], models] = [await instancesOf(volume), await instancesOf(scans)];
  const rows = Object.fromEntries(identityTransform.map((value, at) => [`m${at}`, value]));
  const registration: Annotation = {
    id: "lies",
    tool: "registration",
    instanceId: present(models.find(({ name }) => name === "lower.stl")).id,
    plane: "volume",
    points: Array.from({ length: 6 }, () => [0, 0, 0]),
    text: null,
    settings: { onto: slice.id, study: scans, rms: 0, pairs: 3, ...rows },
  };
  await product.call(annotationCalls.saveMarks, { id: volume, version: 0, marks: [registration] }, session);
}

/**
 * Waits for the conversion: a page that is opened sooner requests files that do not exist yet, which its console
 * reports.
 */
export async function waitUntilConverted(
  product: Product,
  session: Session,
  studies: readonly string[],
): Promise<void> {
  const isReady = async (id: string) =>
    (await product.call(conversionCalls.conversion, { id }, session)).state === "ready";
  const end = Date.now() + 300_000;
  for (const id of studies)
    while (!(await isReady(id))) {
      if (Date.now() > end) throw new Error("a study of the gallery is not made ready");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
}

function generateFiles(): Record<"panorama" | "earlier" | "film" | "otherFilm" | "ct" | "fitted" | "models", Files> {
  const head = makeHead("gallery");
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 176, rows: 176, slices: 136, voxel: 0.85 };
  const visit = (key: string) => ({ key, description: key });
  const volume = (key: string) =>
    craftZip(
      [...createCbctFiles(head, who, { size, study: visit(key) })].map(({ name, bytes }) => ({ name, data: bytes })),
    );
  const real = findRealFile("panorama");
  return {
    panorama: [["panorama.dcm", createPanorama(head, who, visit("panorama")).bytes]],
    earlier: [["earlier.dcm", real ? readFileSync(real) : createPanorama(head, who, visit("earlier")).bytes]],
    film: [["film.dcm", createIntraoralRadiograph(head, who).bytes]],
    otherFilm: [["other.dcm", createIntraoralRadiograph(makeHead("other"), who).bytes]],
    ct: [["ct.zip", volume("ct")]],
    fitted: [["fitted.zip", volume("fitted")]],
    models: [
      ["upper.ply", writePly(createArchScan(head, "upper"))],
      ["lower.stl", writeStl(createArchScan(head, "lower"))],
    ],
  };
}
