import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { emptyFigures } from "@arcada/analysis/pack/engine-trial-figures";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { trialFormat, describeTrial } from "@arcada/contract/analysis/engine-trial";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { ChosenKind } from "@arcada/contract/study/study.rules";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import {
  buildCard,
  buildManifest,
  writePack as writePackFile,
  type PackFixture,
} from "@arcada/testing/analysis/write-engine-pack";
import { demoAccounts } from "../../../apps/server/src/domain/demo-accounts.ts";
import { publicKeyOf } from "../../../apps/server/src/platform/security/signing-key.ts";
import { craftZip } from "../../../apps/server/src/ingest/archive/crafted-zip.ts";
import { waitForIngest } from "../../../demo/wait-for-ingest.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { loadTracedRadiograph } from "../viewer/traced-radiograph.ts";
import { findRealFile, createScratchFolder } from "../support/test-files.ts";
import { createInstitutionAccount } from "../support/order-files.ts";
import { present } from "@arcada/testing/require-present";

const folder = createScratchFolder();
const head = makeHead("health");
const ceph = loadTracedRadiograph();

/** The model suggests these four boxes in the panorama, whatever it shows. */
const boxes = { dims: [4, 4], floats: Float32Array.from([8, 8, 12, 15, 14, 8, 18, 15, 44, 17, 50, 25, 38, 8, 42, 15]) };
const model = (): Uint8Array =>
  buildModel({
    input: [1, 1, 32, 64],
    outputs: [
      { name: "b", rank: 2 },
      { name: "s", rank: 1 },
      { name: "c", rank: 1 },
    ],
    nodes: ["b", "s", "c"].map((name) => ({ op: "Identity", inputs: [`${name}0`], outputs: [name] })),
    weights: {
      b0: boxes,
      s0: { dims: [4], floats: Float32Array.from([0.9, 0.8, 0.7, 0.6]) },
      c0: { dims: [4], floats: Float32Array.from([0, 1, 2, 3]) },
    },
  });
const suggestedCodes = ["FINDING_caries", "FINDING_filling", "FINDING_periapicalRadiolucency", "FINDING_crown"];
const manifest = (id: string): object => ({
  ...buildManifest(),
  id,
  task: "boxes@1",
  outputs: { boxes: "b", scores: "s", classes: "c" },
  produces: suggestedCodes,
  post: { classes: suggestedCodes.map((code, at) => ({ code, fdi: [16, 15, 36, 26][at] })), threshold: 0.1 },
  calibration: {
    set: "bench set",
    n: 400,
    bins: [
      [0.5, 0.4],
      [1, 0.93],
    ],
  },
});
const card = {
  ...buildCard,
  clearance: "none",
  metrics: [{ name: "F1", value: 0.93, n: 400, set: "bench set", date: "2026-03-01" }],
};

/** Writes a pack whose model suggests four findings; `more` replaces parts of it. */
export const writePack = (name: string, more: Partial<PackFixture> = {}): Promise<string> =>
  writePackFile(path.join(folder, name), { model: model(), manifest: manifest("bench.findings"), card, ...more });
export const wrongHashPack: Partial<PackFixture> = {
  manifest: { ...manifest("bench.findings"), version: "2.0.0", sha256: "0".repeat(64) },
};

/** The key pair of the institution that tests packs here. */
const trialKeyPair = generateKeyPairSync("ed25519");
export const trialKeys = `house=${publicKeyOf(trialKeyPair.privateKey)}`;
/** A pack of teeth, and the file of a trial that it passed. */
export async function writeTriedPack(): Promise<{ pack: string; trial: string }> {
  const one = buildModel({
    input: [1, 1, 32, 64],
    outputs: [{ name: "map", rank: 4 }],
    nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
  });
  const pack = await writePackFile(path.join(folder, "teeth.zip"), { model: one, card });
  const sum = createHash("sha256").update(readFileSync(pack)).digest("hex");
  const counted = {
    images: 91,
    teeth: 2680,
    boxes: 2671,
    found: 2640,
    numbered: 2588,
    missing: { named: 241, right: 209 },
  };
  const figures = { ...emptyFigures, ...counted, claims: [{ claim: 0.97, n: 2671, right: 2588 }] };
  const at = new Date().toISOString();
  const result = { engine: "test.teeth", version: "1.0.0", pack: sum, set: sum, at, figures };
  const signature = sign(null, Buffer.from(describeTrial(result)), trialKeyPair.privateKey).toString("base64");
  const trial = path.join(folder, "teeth.trial.json");
  writeFileSync(trial, JSON.stringify({ format: trialFormat, ...result, algorithm: "Ed25519", signature }));
  return { pack, trial };
}

/** A server of models that speaks the Open Inference Protocol, version 2. */
export class ModelServer {
  readonly server: Server;
  readonly host: string;
  /** The bodies of the inference requests that it received. */
  readonly inferenceBodies: Buffer[] = [];
  readonly manifest = JSON.stringify(manifest("remote.findings"));
  readonly card = JSON.stringify(card);
  private constructor(server: Server) {
    this.server = server;
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  static async open(): Promise<ModelServer> {
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const answer = responses[request.url ?? ""];
        if (request.url?.endsWith("/infer")) opened.inferenceBodies.push(body);
        response.writeHead(answer ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const opened = new ModelServer(server);
    return opened;
  }
  close(): void {
    this.server.close().closeAllConnections();
  }
}

const shapes = { b: [4, 4], s: [4], c: [4] };
const values = { b: [...boxes.floats], s: [0.9, 0.8, 0.7, 0.6], c: [0, 1, 2, 3] };
const responses: Record<string, object> = {
  "/v2/health/ready": {},
  "/v2": { name: "bench", version: "1", extensions: [] },
  "/v2/models/findings": {
    name: "findings",
    inputs: [{ name: "in", datatype: "FP32", shape: [-1, 1, 32, 64] }],
    outputs: (["b", "s", "c"] as const).map((name) => ({ name, datatype: "FP32", shape: shapes[name] })),
  },
  "/v2/models/findings/infer": {
    outputs: (["b", "s", "c"] as const).map((name) => ({
      name,
      datatype: "FP32",
      shape: shapes[name],
      data: values[name],
    })),
  },
};

export interface HealthSetup {
  token: string;
  /** This patient has a panorama, two traced radiographs, a volume, other radiographs and photographs. */
  patient: string;
  /** The same person, entered a second time. */
  duplicatePatient: string;
  /** A patient without any records. */
  emptyPatient: string;
  panorama: string;
  tracings: { studyId: string; instanceId: string }[];
}

async function allowEnginePacks(product: Product, institutionId: string): Promise<void> {
  const operator = present(demoAccounts.accounts.find(({ role }) => role === "operator"));
  const { token } = await product.call(signInCalls.login, {
    account: operator.account,
    password: demoAccounts.password,
  });
  await product.call(analysisCalls.allowPacks, { institutionId, allowed: true }, { token });
}

export async function setupHealthRecord(product: Product, email: string): Promise<HealthSetup> {
  const { iid, session } = await createInstitutionAccount(product, "clinic", "晨光口腔", email);
  await allowEnginePacks(product, iid);
  const who = { name: "王小明", sex: "male", birthDate: "1990-01-02" } as const;
  const { id: patient } = await product.call(
    patientCalls.create,
    { ...who, phone: "13800010002", allergies: "青霉素 Penicillin" },
    session,
  );
  const other = { ...who, phone: "13800010003", remark: "Second card", evenIfDuplicate: true };
  const { id: again } = await product.call(patientCalls.create, other, session);
  const nobody = { name: "林小雨", sex: "female", birthDate: "1998-05-06" } as const;
  const { id: empty } = await product.call(patientCalls.create, nobody, session);
  const importStudy = async (name: string, bytes: Uint8Array, kind?: ChosenKind): Promise<string> => {
    const uploads = [await product.upload(session.token, name, bytes)];
    const input = { patientId: patient, uploads, acceptMismatch: true, ...(kind && { kind }) };
    const { id } = await product.call(uploadJobCalls.open, input, session);
    return (await waitForIngest(() => product.call(uploadJobCalls.job, { id }, session))).studies[0];
  };
  const named = { id: "H-1", name: "Wang^Xiaoming", sex: "M", birthDate: "19900102" } as const;
  const real = findRealFile("panorama");
  const panorama = await importStudy(
    "panorama.dcm",
    real ? readFileSync(real) : createPanorama(head, named, { key: "panorama", description: "Panorama" }).bytes,
    "panorama",
  );
  await importStudy(ceph.name, ceph.bytes, "lateralCeph");
  await importStudy(`later-${ceph.name}`, await darkenImage(ceph.bytes), "lateralCeph");
  for (const fdi of [16, 13, 11, 36])
    await importStudy(`film-${fdi}.dcm`, createIntraoralRadiograph(head, named, {}, fdi).bytes, "dentalFilm");
  const size = { columns: 64, rows: 64, slices: 48, voxel: 2.4 };
  const slices = [...createCbctFiles(head, named, { size, study: { key: "cbct", description: "CBCT" } })];
  await importStudy("cbct.zip", craftZip(slices.map(({ name, bytes }) => ({ name, data: bytes }))));
  const tracings = await addTracings(product, session, patient);
  return { token: session.token, patient, duplicatePatient: again, emptyPatient: empty, panorama, tracings };
}

/** Makes the same radiograph a little darker, which gives a different file. */
const darkenImage = (bytes: Uint8Array): Promise<Buffer> =>
  ceph.name.endsWith(".jpg") ? sharp(bytes).linear(0.95).jpeg().toBuffer() : Promise.resolve(Buffer.from(bytes));

/** The first as it is, the later with a lower jaw that has grown. */
async function addTracings(product: Product, session: { token: string }, patientId: string) {
  const films = await product.call(cephCalls.list, { patientId }, session);
  const { from, to, mm } = ceph.knownDistance;
  const width = mm / Math.hypot(to[0] - from[0], to[1] - from[1]);
  const calibration = { source: "points", width, magnification: ceph.magnification, line: null } as const;
  const moveGrownPoint = (id: string, [x, y]: readonly [number, number]): [number, number] =>
    ["B", "Pog", "Gn", "Me", "Go", "L1", "Li", "PogS"].includes(id)
      ? ceph.quarterTurns === 1
        ? [x + 70, y - 40]
        : [x + 40, y + 70]
      : [x, y];
  for (const [at, { studyId, instanceId }] of films.toReversed().entries()) {
    const landmarks = Object.fromEntries(
      Object.entries(ceph.landmarks).map(([id, spot]) => [id, at === 0 ? spot : moveGrownPoint(id, spot)]),
    );
    const content = { landmarks, aspect: 1, calibration, population: "white", remark: null } as const;
    await product.call(cephCalls.save, { studyId, instanceId, version: 0, content }, session);
  }
  return films.map(({ studyId, instanceId }) => ({ studyId, instanceId }));
}
