import { type ChildProcess, fork } from "node:child_process";
import { Agent, get } from "node:http";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { type CbctSize, createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { craftZip } from "../../../apps/server/src/ingest/archive/crafted-zip.ts";
import { sendFile } from "../../../demo/upload-file.ts";
import { waitForIngest } from "../../../demo/wait-for-ingest.ts";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";

export interface BusyOrganisationSettings {
  port: number;
  /** The session of the person who uploads and exports. */
  token: string;
  patientId: string;
  /** Orders are sent to this laboratory. */
  labIid: string;
  /** One event stream is held for each. */
  streamTokens: string[];
  /** The number of different CBCTs: they are drawn before the work begins, and repeat. */
  cbcts: number;
}
/** The work of a busy organisation. The product sends its webhooks to receivers that never answer. */
export type Work = "uploads" | "exports" | "streams" | "webhooks";
export type DoneWork = Record<Exclude<Work, "streams"> | "events", number>;

/**
 * An organisation that uploads CBCTs, exports all of its data, holds many event streams, or causes webhooks, as long as it
 * is asked to. It is a process of its own, which stands for many computers: the server's processes come first.
 */
export class BusyOrganisation {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ["works"], { execArgv: ["--expose-gc"] });

  static async open(settings: BusyOrganisationSettings): Promise<BusyOrganisation> {
    const opened = new BusyOrganisation();
    await opened.#ask("open", settings);
    return opened;
  }
  begin = (work: Work): Promise<null> => this.#ask("begin", work);
  /** Resolves when nothing of its work runs any more. */
  end = (): Promise<DoneWork> => this.#ask("end", null);
  stop(): void {
    this.#child.kill();
  }

  #ask<N extends keyof Answers>(name: N, given: unknown): Promise<Awaited<ReturnType<Answers[N]>>> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the busy organisation ended with ${code}`));
      this.#child.once("exit", onExit);
      this.#child.once("message", (answer) => {
        this.#child.off("exit", onExit);
        resolve(answer as Awaited<ReturnType<Answers[N]>>);
      });
      this.#child.send({ name, given });
    });
  }
}

const uploadsAtOnce = 8;
/** People cause changes of orders in a large clinic far less often. */
const webhookEveryMs = 200;
const changeEveryMs = 200;

type Answers = ReturnType<typeof createWorker>;
function createWorker() {
  let settings: BusyOrganisationSettings;
  let studies: Uint8Array[] = [];
  const web = new Product({}, "/nowhere");
  const done: DoneWork = { uploads: 0, exports: 0, events: 0, webhooks: 0 };
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  let [isOver, begun] = [true, 0];
  let working: Promise<unknown> = Promise.resolve();
  const session = () => ({ token: settings.token });

  const importCbcts = async (): Promise<void> => {
    while (!isOver) {
      const bytes = present(studies[begun++ % studies.length], "study");
      const uploads = [await sendFile(web.address, settings.token, "cbct.zip", bytes)];
      const input = { patientId: settings.patientId, uploads, acceptMismatch: true };
      const { id } = await web.call(uploadJobCalls.open, input, session());
      await waitForIngest(() => web.call(uploadJobCalls.job, { id }, session()));
      done.uploads += 1;
    }
  };
  const exportAll = async (): Promise<void> => {
    while (!isOver) {
      const { id } = await web.call(dataExportCalls.export, { password: goodPassword }, session());
      const isRunning = async () =>
        ["waiting", "running"].includes((await web.call(dataExportCalls.exportJob, { id }, session())).state);
      while (!isOver && (await isRunning())) await sleep(200);
      if (isOver) await web.ask(dataExportCalls.cancelExport, { id }, session());
      else done.exports += 1;
    }
  };
  const openStream = (token: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${web.address}/v1/notice/stream`, { agent, headers: { token } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
        answer
          .on("error", () => {})
          .on("data", (text: Buffer) => void (done.events += text.includes("data: ") ? 1 : 0));
        resolve();
      }).on("error", reject);
    });
  const holdStreams = async (): Promise<void> => {
    await Promise.all(settings.streamTokens.map(openStream));
    // Somebody works meanwhile: each change is told to all streams.
    while (!isOver) {
      await savePatient();
      await sleep(changeEveryMs);
    }
  };
  const causeWebhooks = async (): Promise<void> => {
    const order = { ...prescription(settings.patientId, settings.labIid), send: true };
    while (!isOver) {
      await web.call(orderCalls.save, order, session());
      done.webhooks += 1;
      await sleep(webhookEveryMs);
    }
  };
  const savePatient = () =>
    web.call(
      patientCalls.create,
      { name: "Busy", sex: "other", birthDate: "1990-01-01", evenIfDuplicate: true },
      session(),
    );
  const works: Record<Work, () => Promise<unknown>> = {
    uploads: () => Promise.all(Array.from({ length: uploadsAtOnce }, importCbcts)),
    exports: exportAll,
    streams: holdStreams,
    webhooks: causeWebhooks,
  };
  return {
    open: async (given: BusyOrganisationSettings) => {
      settings = given;
      web.port = given.port;
      const drawn = drawSlices("large", { columns: 160, rows: 160, slices: 96, voxel: 0.6 });
      studies = Array.from({ length: given.cbcts }, (_, n) => zipSlices(drawn.map((slice) => changeUids(slice, n))));
      setPriority(constants.priority.PRIORITY_LOW);
      return null;
    },
    begin: async (work: Work) => {
      isOver = false;
      working = works[work]();
      working.catch(() => {});
      return null;
    },
    end: async () => {
      isOver = true;
      await working;
      agent.destroy();
      return { ...done };
    },
  };
}

/** The slices of a CBCT as DICOM files. */
export function drawSlices(name: string, size: CbctSize): Uint8Array[] {
  const identity = { id: name, name, sex: "O", birthDate: "19900101" } as const;
  return [...createCbctFiles(makeHead(name), identity, { size })].map(({ bytes }) => bytes);
}
export const zipSlices = (slices: readonly Uint8Array[]): Uint8Array =>
  craftZip(slices.map((data, place) => ({ name: `I${place}`, data })));

/** A copy of a slice as one of another CBCT: each UID is 2.25 and a number, whose first four digits are changed. */
function changeUids(slice: Uint8Array, to: number): Uint8Array {
  const copy = Buffer.from(slice);
  const root = "2.25.";
  for (let at = copy.indexOf(root); at !== -1 && at < maxHeaderBytes; at = copy.indexOf(root, at + 1))
    copy.write(String(1000 + to), at + root.length, "latin1");
  return copy;
}
const maxHeaderBytes = 3000;

if (process.argv[2] === "works") {
  const worker = createWorker();
  process.on("message", async ({ name, given }: { name: keyof Answers; given: never }) => {
    process.send?.(await worker[name](given));
  });
}
