import { readFileSync } from "node:fs";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { screens } from "@arcada/contract/screens";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { writePly, writeStl } from "@arcada/imaging/mesh/write";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { film } from "@arcada/imaging/phantom/film";
import { makeHead } from "@arcada/imaging/phantom/head";
import { pano } from "@arcada/imaging/phantom/panorama";
import { archScan } from "@arcada/imaging/phantom/scan";
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
  ceph: { study: string; item: string };
  /** The addresses of links, each with the whole secret. */
  shared: Record<"panorama" | "ct" | "models", string>;
}

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
    ceph: { study: row!.studyId, item: row!.instanceId },
    shared: {
      panorama: await shares(studies.panorama),
      ct: await shares(studies.ct),
      models: await shares(studies.models),
    },
  };
}

function material(): Record<"panorama" | "earlier" | "film" | "otherFilm" | "ct" | "models", Files> {
  const head = makeHead("gallery");
  const who = { id: "7", name: "Wang^Fang", sex: "F", birthDate: "19850909" } as const;
  const size = { columns: 176, rows: 176, slices: 136, voxel: 0.85 };
  const visit = (key: string) => ({ key, description: key });
  const slices = [...cbctFiles(head, who, { size, study: visit("ct") })];
  const real = realFile("panorama");
  return {
    panorama: [["panorama.dcm", pano(head, who, visit("panorama")).bytes]],
    earlier: [["earlier.dcm", real ? readFileSync(real) : pano(head, who, visit("earlier")).bytes]],
    film: [["film.dcm", film(head, who).bytes]],
    otherFilm: [["other.dcm", film(makeHead("other"), who).bytes]],
    ct: [["ct.zip", madeZip(slices.map(({ name, bytes }) => ({ name, data: bytes })))]],
    models: [
      ["upper.ply", writePly(archScan(head, "upper"))],
      ["lower.stl", writeStl(archScan(head, "lower"))],
    ],
  };
}
