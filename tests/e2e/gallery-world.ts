import { readFileSync } from "node:fs";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import type { Mark } from "@arcada/contract/study/mark";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { writePly, writeStl } from "@arcada/imaging/mesh/write";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { pano } from "@arcada/imaging/phantom/panorama";
import { archScan } from "@arcada/imaging/phantom/scan";
import { atRest } from "@arcada/imaging/surface/movement";
import { madeZip } from "../../apps/server/src/ingest/made-zip.ts";
import { ingestOver } from "../../demo/ingest-over.ts";
import type { Product } from "../product.ts";
import { tracedFilm } from "./ceph-film.ts";
import { realFile } from "./material.ts";
import { house } from "./order-material.ts";

/** One patient with something for every viewer. */
export interface GalleryWorld {
  token: string;
  patient: string;
  studies: Record<"panorama" | "earlier" | "film" | "ct" | "models", string>;
  /** A volume to which the lower jaw's scan is registered. */
  fitted: string;
  ceph: { study: string; item: string };
  /** The addresses of links, each with the whole secret. */
  shared: Record<"panorama" | "ct" | "models", string>;
}

type Session = Awaited<ReturnType<typeof house>>["session"];
type Files = readonly (readonly [name: string, bytes: Uint8Array])[];

export async function galleryWorld(product: Product): Promise<GalleryWorld> {
  const files = material();
  const { session } = await house(product, "clinic", "晨光口腔", "gallery@clinic.test");
  const { token } = session;
  const person = { name: "王芳", sex: "female", birthDate: "1985-09-09" } as const;
  const { id: patient } = await product.gets(patientCalls.create, person, session);
  const takesIn = async (parts: Files): Promise<string> => {
    const uploads = await Promise.all(parts.map(([name, bytes]) => product.upload(token, name, bytes)));
    const wish = { patientId: patient, uploads, acceptMismatch: true };
    const { id } = await product.gets(studyCalls.open, wish, session);
    const { studies } = await ingestOver(() => product.gets(studyCalls.job, { id }, session));
    return studies[0]!;
  };
  const studies = {
    panorama: await takesIn(files.panorama),
    earlier: await takesIn(files.earlier),
    film: await takesIn(files.film),
    ct: await takesIn(files.ct),
    models: await takesIn(files.models),
  };
  await takesIn(files.otherFilm);
  const fitted = await takesIn(files.fitted);
  await liesOn(product, session, fitted, studies.models);
  await isConverted(product, session, [...Object.values(studies), fitted]);
  const traced = tracedFilm();
  const uploads = [await product.upload(token, traced.name, traced.bytes)];
  const wish = { patientId: patient, uploads, kind: "lateralCeph", acceptMismatch: true } as const;
  const { id } = await product.gets(studyCalls.open, wish, session);
  await ingestOver(() => product.gets(studyCalls.job, { id }, session));
  const [row] = await product.gets(cephCalls.list, { patientId: patient }, session);
  const shares = async (study: string): Promise<string> => {
    const factor = { kind: "none" } as const;
    const wanted = { kind: "study", id: study, label: "Dr. Li", factor, nameless: true, warned: true } as const;
    const { secret } = await product.gets(shareCalls.create, { ...wanted, days: shareRules.usualDays }, session);
    return `${screens.studyShared.path}#${secret}`;
  };
  return {
    token,
    patient,
    studies,
    fitted,
    ceph: { study: row!.studyId, item: row!.instanceId },
    shared: {
      panorama: await shares(studies.panorama),
      ct: await shares(studies.ct),
      models: await shares(studies.models),
    },
  };
}

/** Every walk begins on images on which nobody has drawn. */
export async function wipesMarks(product: Product, { token, studies }: GalleryWorld): Promise<void> {
  for (const id of Object.values(studies)) {
    const { version, marks } = await product.gets(studyCalls.marks, { id }, { token });
    if (marks.length > 0) await product.gets(studyCalls.saveMarks, { id, version, marks: [] }, { token });
  }
}

/** Scan and volume of a generated head have its own space in common. */
async function liesOn(product: Product, session: Session, volume: string, scans: string): Promise<void> {
  const instancesOf = async (id: string) =>
    (await product.gets(studyCalls.detail, { id }, session)).series.flatMap(({ instances }) => instances);
  const [[slice], models] = [await instancesOf(volume), await instancesOf(scans)];
  const rows = Object.fromEntries(atRest.map((value, at) => [`m${at}`, value]));
  const lies: Mark = {
    id: "lies",
    tool: "registration",
    instanceId: models.find(({ name }) => name === "lower.stl")!.id,
    plane: "volume",
    points: Array.from({ length: 6 }, () => [0, 0, 0]),
    text: null,
    settings: { onto: slice!.id, study: scans, rms: 0, pairs: 3, ...rows },
  };
  await product.gets(studyCalls.saveMarks, { id: volume, version: 0, marks: [lies] }, session);
}

/**
 * Waits for the conversion: a page that is opened sooner requests files that do not exist yet, which its console
 * reports.
 */
export async function isConverted(product: Product, session: Session, studies: readonly string[]): Promise<void> {
  const isReady = async (id: string) => (await product.gets(studyCalls.conversion, { id }, session)).state === "ready";
  const end = Date.now() + 300_000;
  for (const id of studies)
    while (!(await isReady(id))) {
      if (Date.now() > end) throw new Error("a study of the gallery is not made ready");
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
}

function material(): Record<"panorama" | "earlier" | "film" | "otherFilm" | "ct" | "fitted" | "models", Files> {
  const head = makeHead("gallery");
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 176, rows: 176, slices: 136, voxel: 0.85 };
  const visit = (key: string) => ({ key, description: key });
  const volume = (key: string) =>
    madeZip([...cbctFiles(head, who, { size, study: visit(key) })].map(({ name, bytes }) => ({ name, data: bytes })));
  const real = realFile("panorama");
  return {
    panorama: [["panorama.dcm", pano(head, who, visit("panorama")).bytes]],
    earlier: [["earlier.dcm", real ? readFileSync(real) : pano(head, who, visit("earlier")).bytes]],
    film: [["film.dcm", film(head, who).bytes]],
    otherFilm: [["other.dcm", film(makeHead("other"), who).bytes]],
    ct: [["ct.zip", volume("ct")]],
    fitted: [["fitted.zip", volume("fitted")]],
    models: [
      ["upper.ply", writePly(archScan(head, "upper"))],
      ["lower.stl", writeStl(archScan(head, "lower"))],
    ],
  };
}
