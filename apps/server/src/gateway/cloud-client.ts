import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { z } from "zod";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { inboxCalls } from "@arcada/contract/study/inbox.calls";
import type { GatewayConfig } from "./gateway.config.ts";
import {
  type OpenDownload,
  openConnection,
  parseJson,
  toCloudRefused,
  transferSilenceMs,
  type RequestBody,
} from "./cloud-connection.ts";
import type { QueuedObject } from "./send-queue.ts";
import { callCloud } from "./cloud-calls.ts";
import { completeUploads, sendResumable, uploadFile } from "./resumable-upload.ts";
import type { ResumableFile } from "./resumable-upload.ts";

/** The outcome for the objects of a batch, by UID. */
export interface StoreResult {
  kept: ReadonlySet<string>;
  /** Reason (0008,1197). */
  failed: ReadonlyMap<string, number>;
  /** Reasons for objects whose UIDs Arcada could not state. */
  nameless: readonly number[];
}
export interface CloudClient {
  store(batch: readonly QueuedObject[]): Promise<StoreResult>;
  /** Sends an object that is too large to start over when the connection breaks. */
  resume(object: QueuedObject): Promise<StoreResult>;
  /** Sends a file of a watched folder; resolves to the upload's id. */
  upload(file: ResumableFile): Promise<string>;
  /** Turns uploads into studies, once for each key. */
  complete(input: Input<typeof inboxCalls.send>, key: string): Promise<void>;
  hello(input: Input<typeof deviceCalls.hello>): Promise<Output<typeof deviceCalls.hello>>;
  worklist(query: Input<typeof deviceCalls.worklist>): Promise<Output<typeof deviceCalls.worklist>>;
  /** Returns the newest package of this program above a version. */
  latestProgram(present: Input<typeof upgradeCalls.latest>): Promise<Output<typeof upgradeCalls.latest>["package"]>;
  download: OpenDownload;
  close(): void;
}

/** Arcada as this device sees it: every request carries its key, over TLS. Throws CloudRefused, or network errors. */
export function createCloudClient(config: GatewayConfig): CloudClient {
  const { ask, download, close } = openConnection(config);
  return {
    hello: (input) => callCloud(ask, deviceCalls.hello, input),
    worklist: (query) => callCloud(ask, deviceCalls.worklist, query),
    store: async (batch) => {
      const answer = await ask("POST", "/dicomweb/studies", {
        body: filesBody(batch),
        headers: { accept: "application/dicom+json" },
        silentMs: transferSilenceMs,
      });
      const parsedEnvelope = stored.safeParse(parseJson(answer.text));
      // PS3.18 table 10.5.3-1: with 409 all objects have failed, with 202 some.
      if (![200, 202, 409].includes(answer.status) || !parsedEnvelope.success) throw toCloudRefused(answer);
      return parsedEnvelope.data;
    },
    resume: async (object) => {
      await sendResumable(ask, object);
      return { kept: new Set([object.uid]), failed: new Map(), nameless: [] };
    },
    upload: (file) => uploadFile(ask, file),
    latestProgram: async (present) => (await callCloud(ask, upgradeCalls.latest, present)).package,
    download,
    complete: (input, key) => completeUploads(ask, input, key),
    close,
  };
}

const first = <T extends z.ZodType>(value: T) => z.object({ Value: z.tuple([value], z.unknown()) });
const row = z.object({ "00081155": first(z.string()).optional(), "00081197": first(z.number()).optional() });
const rows = z.object({ Value: z.array(row).default([]) }).optional();
/** PS3.18 I.2.2: the objects that were stored, and those that failed. */
const stored = z
  .object({ "00081198": rows, "00081199": rows })
  .refine((answer) => answer["00081198"] !== undefined || answer["00081199"] !== undefined)
  .transform((answer): StoreResult => {
    const uidOf = (object: z.output<typeof row>): string | undefined => object["00081155"]?.Value[0];
    const reasonOf = (object: z.output<typeof row>): number => object["00081197"]?.Value[0] ?? 0x0110;
    const refused = answer["00081198"]?.Value ?? [];
    const named = refused.flatMap((object) => {
      const uid = uidOf(object);
      return uid === undefined ? [] : [[uid, reasonOf(object)] as const];
    });
    return {
      kept: new Set((answer["00081199"]?.Value ?? []).flatMap((object) => uidOf(object) ?? [])),
      failed: new Map(named),
      nameless: refused.filter((object) => uidOf(object) === undefined).map(reasonOf),
    };
  });

/** The boundary is random: the author of a file cannot know it, so that no file can end its part. */
function filesBody(batch: readonly QueuedObject[]): RequestBody {
  const boundary = randomUUID();
  const before = Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`);
  const between = Buffer.from("\r\n");
  const after = Buffer.from(`--${boundary}--\r\n`);
  const each = before.length + between.length;
  return {
    type: `multipart/related; type="application/dicom"; boundary=${boundary}`,
    bytes: batch.reduce((sum, { bytes }) => sum + bytes + each, after.length),
    pieces: async function* () {
      for (const { path } of batch) {
        yield before;
        yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
        yield between;
      }
      yield after;
    },
  };
}
