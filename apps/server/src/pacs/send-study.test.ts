import { createServer } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { readDicomHeader } from "@arcada/imaging/dicom/parse/dicom-header";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { isToolInstalled, startStorescp } from "@arcada/testing/peers/dcmtk";
import { refusalOf } from "@arcada/testing/refusal-of";
import { getTestServer, setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { openReceiver, type DimseReceiver } from "../dimse/receiver.ts";
import type { AnnouncedObject } from "../dimse/incoming-file.ts";

let env: TestSetup;
let studyId: string;
let studyUid: string;
beforeAll(async () => {
  await getTestServer({ DICOM_NETWORKS: "127.0.0.0/8" });
  env = await setup();
  const patient = await createPatient(env.clinic);
  const { number } = await env.clinic.call("patient.detail", { id: patient });
  const person = { id: number, name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
  const size = { columns: 32, rows: 32, slices: 4, voxel: 4 };
  const files = [...createCbctFiles(makeHead("send"), person, { size })].map(({ bytes }) => bytes);
  studyUid = readDicomHeader(readDicom(files[0])).studyInstanceUid;
  const viewer = new DicomwebClient(env.clinic);
  await viewer.store(files);
  await viewer.waitForResults(`/studies/${studyUid}/instances`, 4);
  studyId = (await env.clinic.call("study.list", { patientId: patient }))[0]?.id ?? "";
}, 60_000);

interface Archive {
  receiver: DimseReceiver;
  taken: { announced: AnnouncedObject; bytes: number }[];
}
/** A PACS that keeps nothing but what it was sent; `status` answers each object. */
type Answer = "success" | "outOfResources";
async function openArchive(title: string, status: (place: number) => Answer | Promise<Answer>): Promise<Archive> {
  const taken: Archive["taken"] = [];
  const options = { host: "127.0.0.1", port: 0, setting: "PORT", title };
  const receiver = await openReceiver(options, async () => ({
    open: async (announced) => {
      let bytes = 0;
      return {
        id: announced.sopInstance,
        add: async (piece) => {
          bytes += piece.length;
          return true;
        },
        finish: async () => {
          taken.push({ announced, bytes });
          return { id: announced.sopInstance, bytes, sha256: "" };
        },
        sync: async () => {},
        drop: async () => {},
      };
    },
    keep: async (file) => {
      await file.finish();
      return status(taken.length - 1);
    },
    done: async () => {},
  }));
  return { receiver, taken };
}

const destination = (name: string, port: number) => ({ name, title: name, host: "127.0.0.1", port, tls: false });
const taskOf = async (id: string) => (await env.clinic.call("pacs.tasks", {})).list.find((one) => one.id === id);

describe("a study that is sent to a PACS", () => {
  it("arrives with every object as it is stored, and the task says so", async ({ onTestFinished }) => {
    const archive = await openArchive("WHOLE", () => "success");
    onTestFinished(() => archive.receiver.close());
    const { id } = await env.clinic.call("pacs.saveDestination", destination("WHOLE", archive.receiver.port));
    expect(await env.clinic.call("pacs.tryDestination", { id })).toMatchObject({ problem: null });
    const task = await env.clinic.call("pacs.send", { studyId, destinationId: id });
    await expect.poll(async () => (await taskOf(task.id))?.state, { timeout: 20_000 }).toBe("sent");
    expect(await taskOf(task.id)).toMatchObject({ total: 4, done: 4, problem: null, tries: 1 });
    expect(archive.taken.length).toBe(4);
    expect(archive.taken.every(({ announced }) => announced.transferSyntax === "1.2.840.10008.1.2.1")).toBe(true);
  });

  it("is sent again without the objects that arrived, after the PACS refused one", async ({ onTestFinished }) => {
    const archive = await openArchive("FULL", (place) => (place === 2 ? "outOfResources" : "success"));
    onTestFinished(() => archive.receiver.close());
    const { id } = await env.clinic.call("pacs.saveDestination", destination("FULL", archive.receiver.port));
    const task = await env.clinic.call("pacs.send", { studyId, destinationId: id });
    await expect.poll(async () => (await taskOf(task.id))?.problem, { timeout: 20_000 }).toBe("objects");
    expect(await taskOf(task.id)).toMatchObject({ state: "waiting", done: 3, detail: expect.stringContaining("A700") });
    await env.clinic.call("pacs.retry", { id: task.id });
    await expect.poll(async () => (await taskOf(task.id))?.state, { timeout: 20_000 }).toBe("sent");
    expect(archive.taken.length).toBe(5);
  });

  it("is sent once, however often people ask for it, and stops when it is cancelled", async ({ onTestFinished }) => {
    const asked = Promise.withResolvers<"success">();
    const archive = await openArchive("ONCE", (place) => (place < 4 ? "outOfResources" : asked.promise));
    onTestFinished(() => archive.receiver.close());
    const { id } = await env.clinic.call("pacs.saveDestination", destination("ONCE", archive.receiver.port));
    const first = await env.clinic.call("pacs.send", { studyId, destinationId: id });
    await expect.poll(async () => (await taskOf(first.id))?.problem, { timeout: 20_000 }).toBe("objects");
    expect(await env.clinic.call("pacs.cancel", { id: first.id })).toMatchObject({ state: "cancelled" });
    const second = await env.clinic.call("pacs.send", { studyId, destinationId: id });
    expect(second.id).not.toBe(first.id);
    expect((await env.clinic.call("pacs.retry", { id: first.id })).id).toBe(second.id);
    expect((await env.clinic.call("pacs.send", { studyId, destinationId: id })).id).toBe(second.id);
    asked.resolve("success");
    await expect.poll(async () => (await taskOf(second.id))?.state, { timeout: 20_000 }).toBe("sent");
    expect(archive.taken.length).toBe(8);
    expect((await taskOf(first.id))?.state).toBe("cancelled");
  });

  it("waits with a clear reason while nobody listens, hangs, or is reached by the title of another", async ({
    onTestFinished,
  }) => {
    const archive = await openArchive("RIGHT", () => "success");
    onTestFinished(() => archive.receiver.close());
    const rude = createServer((socket) => socket.end(Buffer.from([2, 0, 0xff, 0xff, 0xff, 0xff])));
    await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void rude.close());
    const { port } = rude.address() as { port: number };
    const problems = [
      [destination("NOBODY", 1), "refused"],
      [destination("WRONG", archive.receiver.port), "rejected"],
      [destination("LIAR", port), "network"],
    ] as const;
    for (const [input, problem] of problems) {
      const { id } = await env.clinic.call("pacs.saveDestination", input);
      expect(await env.clinic.call("pacs.tryDestination", { id }), input.name).toMatchObject({ problem });
    }
  });

  it("is never that of another clinic, which has a PACS of its own", async () => {
    const other = await setup();
    const { id } = await other.clinic.call("pacs.saveDestination", destination("FOREIGN", 1));
    expect(refusalOf(await other.clinic.ask("pacs.send", { studyId, destinationId: id }))).toBe("notFound");
    const { id: own } = await env.clinic.call("pacs.saveDestination", destination("OWN", 1));
    expect(refusalOf(await other.clinic.ask("pacs.send", { studyId, destinationId: own }))).toBe("notFound");
  });

  it("cannot be led into a network that the operator has not allowed", async () => {
    const input = { ...destination("INNER", 104), host: "169.254.169.254" };
    expect(refusalOf(await env.clinic.ask("pacs.saveDestination", input))).toBe("pacsAddress");
  });
});

it.skipIf(!isToolInstalled("storescp"))(
  "DCMTK's storescp receives a study",
  { timeout: 40_000 },
  async ({ onTestFinished }) => {
    const storescp = await startStorescp("STORESCP");
    onTestFinished(storescp.close);
    const { id } = await env.clinic.call("pacs.saveDestination", destination("STORESCP", storescp.port));
    await expect
      .poll(async () => (await env.clinic.call("pacs.tryDestination", { id })).problem, { timeout: 10_000 })
      .toBeNull();
    const task = await env.clinic.call("pacs.send", { studyId, destinationId: id });
    await expect.poll(async () => (await taskOf(task.id))?.state, { timeout: 20_000 }).toBe("sent");
    const dumped = storescp.dump();
    expect(dumped.length).toBe(4);
    expect(dumped[0]).toContain(studyUid);
  },
);
