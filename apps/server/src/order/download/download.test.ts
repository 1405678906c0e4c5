import { createHash, randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import type { ArchiveLayout } from "@arcada/contract/order/download.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { readExocadProject } from "@arcada/exchange/exocad/read-exocad-project";
import { crownOrderInput, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "PID-4711", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = Object.fromEntries(
  [...createCbctFiles(makeHead("order-zip"), wang, { size })].map(({ name, bytes }) => [`王小明 ${name}`, bytes]),
);
const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
interface Manifest {
  order: string;
  patient: string;
  files: { path: string; role: string; bytes: number; sha256: string }[];
}

let env: TestSetup;
let order: Order;
beforeAll(async () => {
  env = await setup({ clinic: { hidePatientNames: true } });
  const { clinic, dentist, lab, designer } = env;
  const patientId = await createPatient(clinic, { name: "王小明" });
  const taken = await uploadStudy(clinic, patientId, { ...slices, "王小明 upper.stl": smallScanStl() });
  const upload = await dentist.upload("王小明 lower.stl", smallScanStl(2));
  const sent = await dentist.call("order.save", {
    ...crownOrderInput(patientId, lab.iid, { noDigitalFiles: false }),
    studies: taken.studies,
    uploads: [{ upload, role: "lowerScan" }],
    send: true,
  });
  const accepted = await takeStep(lab, await lab.call("order.detail", { id: sent.id }), "accept", {
    promisedDate: "2030-01-01",
    assigneeId: designer.uid,
  });
  const design = await designer.upload("crown.stl", smallScanStl(3));
  order = await takeStep(designer, accepted, "submitDesign", { files: [{ upload: design, role: "design" }] });
});

const fetched = (who: TestUser, url: string, headers: Record<string, string> = {}) =>
  fetch(`${who.server.address}${url}`, { headers });
async function packedFor(who: TestUser, more: { files?: string[]; layout?: ArchiveLayout } = {}, language = "en") {
  const download = await who.call("order.download", { id: order.id, ...more }, { "accept-language": language });
  const answer = await fetched(who, download.url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const files = await readZip(bytes);
  return {
    answer,
    bytes,
    files,
    download,
    manifest: JSON.parse(present(files.get("manifest.json"), "manifest.json").toString()) as Manifest,
  };
}

describe("the archive of an order", () => {
  it("is on request a project of exocad: scans by its names, the prescription in its file, masked names masked", async () => {
    const { files, manifest, answer, bytes } = await packedFor(env.lab, { layout: "exocad" });
    expect(answer.status).toBe(200);
    if (answer.headers.has("content-length")) expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    const name = present([...files.keys()].find((path) => path.endsWith(".dentalProject")));
    const base = name.slice(0, -".dentalProject".length);
    expect(manifest.files.map(({ path }) => path)).toContain(`${base}-lowerjaw.stl`);
    const project = readExocadProject(present(files.get(name)), "case");
    expect(project.items).toMatchObject([{ kind: "crown", teeth: [11] }]);
    expect(project).toMatchObject({ orderNumber: order.number, remarks: [] });
    expect(`${[...files.keys()].join()}${present(files.get(name)).toString()}`).not.toContain("小明");
  });

  it("starts from the laboratory's own project and writes its words, and without names the template's neither", async () => {
    const { lab, dentist } = env;
    const template = `<Treatment><WorkParams>UEFDS0VE</WorkParams><Patient><PatientName>Bakerman</PatientName></Patient></Treatment>`;
    await lab.call("order.saveLabTemplate", {
      template: { name: "own.dentalProject", content: Buffer.from(template).toString("base64") },
    });
    await lab.call("order.saveLabWords", {
      words: [{ list: "materials", word: "Katana HT", code: "KHT", means: "zirconia" }],
      version: 0,
    });
    const projectOf = async (who: TestUser) => {
      const { files } = await packedFor(who, { layout: "exocad" });
      return present([...files].find(([path]) => path.endsWith(".dentalProject")))[1].toString();
    };
    const written = await projectOf(lab);
    expect(written).toContain("<WorkParams>UEFDS0VE</WorkParams>");
    expect(written).toContain("<Material>KHT</Material>");
    expect(written).not.toContain("Bakerman");
    // The clinic has no installation of its own in this order.
    expect(await projectOf(dentist)).not.toMatch(/WorkParams|KHT/);
  });

  it("has for 3Shape the scans by the names that it imports, the prescription as PDF, and no order file", async () => {
    const { files, manifest } = await packedFor(env.lab, { layout: "threeShape" });
    const scans = manifest.files.filter(({ role }) => role.endsWith("Scan")).map(({ path }) => path);
    expect(scans.toSorted()).toEqual(["Raw Antagonist scan.stl", "Raw Preparation scan.stl"]);
    const paper = present(files.get(`${order.number}.pdf`));
    expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
    expect([...files.keys()].filter((path) => path.endsWith(".xml"))).toEqual([]);
    expect([...files.keys()].join()).not.toContain("小明");
  });

  it("has every file of the order in folders in the reader's language, and states the hash of each", async () => {
    const { files, manifest, answer, bytes, download } = await packedFor(env.dentist, {}, "zh");
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    expect(answer.headers.get("content-disposition")).toContain(`${order.number}.zip`);
    expect(download.files).toBe(4);
    expect(manifest).toMatchObject({ order: order.number, patient: "王小明" });
    expect(manifest.files.map(({ path }) => path)).toEqual(
      [...files.keys()].filter((path) => path !== "manifest.json"),
    );
    for (const file of manifest.files)
      expect([file.path, file.bytes, file.sha256]).toEqual([
        file.path,
        present(files.get(file.path)).length,
        sha(present(files.get(file.path))),
      ]);
    expect(files.get("上颌扫描/王小明 upper.stl")).toEqual(Buffer.from(smallScanStl()));
    expect(files.get("设计第 1 版/crown.stl")).toEqual(Buffer.from(smallScanStl(3)));
    expect([...files.keys()].filter((path) => path.startsWith("CBCT/王小明 "))).toHaveLength(8);
  });

  it("resumes where it was interrupted, as long as nothing has changed", async () => {
    const { bytes, download, answer } = await packedFor(env.dentist);
    const etag = present(answer.headers.get("etag"), "etag");
    const part = await fetched(env.dentist, download.url, { range: "bytes=5000-", "if-range": etag });
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      `bytes 5000-${bytes.length - 1}/${bytes.length}`,
    ]);
    expect(Buffer.compare(Buffer.from(await part.arrayBuffer()), bytes.subarray(5000))).toBe(0);
    const other = await fetched(env.dentist, download.url, { range: "bytes=5000-", "if-range": '"other"' });
    expect(other.status).toBe(200);
    await other.body?.cancel();
    expect((await fetched(env.dentist, download.url, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  it("reaches a reader who is slower than the disk unaltered, although buffers are reused", async () => {
    const { dentist } = env;
    const scan = randomBytes(24_000_000);
    const upload = await dentist.upload("large.bin", scan);
    const patientId = await createPatient(env.clinic, { name: "Slow" });
    const uploads = [{ upload, role: "document" as const }];
    const { id } = await dentist.call("order.save", { ...crownOrderInput(patientId, null), uploads });
    const { url } = await dentist.call("order.download", { id });
    const answer = await new Promise<IncomingMessage>((resolve) => get(`${dentist.server.address}${url}`, resolve));
    const parts: Buffer[] = [];
    for await (const part of answer) {
      // Once the buffers in between are full, the archive waits for its reader.
      if (parts.length % 100 === 0) await pause(20);
      parts.push(part as Buffer);
    }
    const files = await readZip(Buffer.concat(parts));
    expect(sha(present([...files].find(([path]) => path.endsWith("large.bin")))[1])).toBe(sha(scan));
  });

  it("names no patient to a lab from which names are hidden: in no path, header, manifest or name", async () => {
    const { files, manifest, answer } = await packedFor(env.designer);
    expect(manifest.patient).toBe("王**");
    expect(files.size).toBe(12);
    for (const [path, bytes] of [...files, ["headers", Buffer.from(JSON.stringify([...answer.headers]))] as const])
      for (const word of ["小明", "Wang", "Xiaoming", "PID-4711", "19900101"])
        expect([path.includes(word), bytes.includes(word)], `${word} in ${path}`).toEqual([false, false]);
    const slice = present([...files].find(([path]) => path === "CBCT/0001.dcm"))[1];
    expect(readDicom(slice).text("x00100010")).toBe(order.number);
    for (const file of manifest.files) expect(sha(present(files.get(file.path)))).toBe(file.sha256);
  });

  it("has only the chosen files, and nothing that the caller may not download", async () => {
    const scan = present(order.files.find(({ role }) => role === "lowerScan"));
    expect([...(await packedFor(env.dentist, { files: [scan.id] })).files.keys()]).toEqual([
      "Lower scan/王小明 lower.stl",
      "manifest.json",
    ]);
    const stranger = (await setup()).clinic;
    expect(refusalOf(await stranger.ask("order.download", { id: order.id }))).toBe("notFound");
    expect(refusalOf(await env.dentist.ask("order.download", { id: order.id, files: [order.id] }))).toBe("notFound");
  });

  it("is refused to a lab that loses the order before it starts the download", async () => {
    const { dentist, lab } = env;
    const patientId = await createPatient(env.clinic, { name: "李雷" });
    const upload = await dentist.upload("upper.stl", smallScanStl(4));
    const sent = await dentist.call("order.save", {
      ...crownOrderInput(patientId, lab.iid, { noDigitalFiles: false }),
      uploads: [{ upload, role: "upperScan" }],
      send: true,
    });
    const { url } = await lab.call("order.download", { id: sent.id });
    expect((await fetched(lab, url)).status).toBe(200);
    await takeStep(dentist, sent, "cancel", { reason: "not needed any more" });
    expect((await fetched(lab, url)).status).toBe(403);
    expect(refusalOf(await lab.ask("order.download", { id: sent.id }))).toBe("notFound");
  });
});
