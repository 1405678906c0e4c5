import { createHash } from "node:crypto";
import path from "node:path";
import { labAgentCalls } from "@arcada/contract/order/lab-agent.calls";
import type { AgentOrder } from "@arcada/contract/order/lab-agent.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { removeFile } from "../../platform/storage/durable-writes.ts";
import { callCloud } from "../cloud-calls.ts";
import { CloudRefused, transferSilenceMs, type SendRequest } from "../cloud-connection.ts";
import { uploadFile } from "../resumable-upload.ts";
import type { CaseRecord, CaseRecords } from "./case-record.ts";
import type { DesignFile, DesignFinder, FoundDesign } from "./design-files.ts";

export interface SendingOptions {
  ask: SendRequest;
  records: CaseRecords;
  designs: DesignFinder;
  /** The folder of the addresses of uploads in progress. */
  incoming: string;
  log: (line: string) => void;
}

/** Arcada itself says no to this design; an action at the same time, a full store and too many requests pass. */
const isFinal = (error: unknown): error is CloudRefused =>
  error instanceof CloudRefused &&
  error.code !== 0 &&
  ([400, 404, 413, 415, 422].includes(error.status) || error.code === refusals.orderActionNotAllowed.code);

/** The design and the order of a refusal: the same again would be refused again. */
export const refusalKey = ({ key }: FoundDesign, { state, step, designRevision }: AgentOrder): string =>
  [key, state, step, designRevision].join(" ");

/**
 * Sends a design as a new revision. The files go first; then what is to be submitted is written down, so that a kill
 * repeats the same request, which Arcada counts once.
 */
export async function sendDesign(
  options: SendingOptions,
  record: CaseRecord,
  found: FoundDesign,
  order: AgentOrder,
): Promise<CaseRecord> {
  try {
    const files: { upload: string; sha256: string }[] = [];
    for (const file of found.files)
      files.push({ upload: await uploadFile(options.ask, toUpload(options, record, file)), sha256: file.sha256 });
    // exocad wrote into a file meanwhile: the next look begins anew.
    if (!(await options.designs.areUnchanged(found.files))) {
      await forgetUploads(options, record, found.files);
      return record;
    }
    const pending = { ...record, pending: { designKey: found.key, files }, content: order.content };
    await options.records.save(pending);
    return await submitPending(options, pending, order);
  } catch (error) {
    if (!isFinal(error)) throw error;
    await forgetUploads(options, record, found.files);
    return { ...record, pending: null, refused: refusalKey(found, order), problem: "designRefused" };
  }
}

/** Submits the design whose files Arcada has. */
export async function submitPending(
  { ask, records, incoming, log }: SendingOptions,
  record: CaseRecord,
  order: AgentOrder,
): Promise<CaseRecord> {
  const { pending } = record;
  if (!pending) return record;
  try {
    const { revision, isNew } = await callCloud(
      ask,
      labAgentCalls.submit,
      { id: record.order, files: pending.files },
      { key: requestKey(record.order, pending), silentMs: transferSilenceMs },
    );
    if (isNew) log(`sent revision ${revision} of the design of order ${record.number}`);
  } catch (error) {
    if (!isFinal(error)) throw error;
    log(`Arcada does not take the design of order ${record.number}: refusal ${error.code}`);
    const refused = [pending.designKey, order.state, order.step, order.designRevision].join(" ");
    // Arcada forgot the uploads: the next look sends the files again.
    const again = error.status === 404 ? {} : { refused, problem: "designRefused" as const };
    const dropped = { ...record, pending: null, ...again };
    for (const { sha256 } of pending.files) await removeFile(addressFile(incoming, record, sha256));
    await records.save(dropped);
    return dropped;
  }
  const sent = {
    ...record,
    designKey: pending.designKey,
    designs: record.designs + 1,
    pending: null,
    refused: null,
    problem: null,
  };
  await records.save(sent);
  for (const { sha256 } of pending.files) await removeFile(addressFile(incoming, record, sha256));
  return sent;
}

/** The same request has the same key: other uploads of the same design are another one. */
const requestKey = (order: string, { files }: NonNullable<CaseRecord["pending"]>): string =>
  createHash("sha256")
    .update(JSON.stringify([order, files]))
    .digest("hex");

const addressFile = (incoming: string, { order }: CaseRecord, sha256: string): string =>
  path.join(incoming, `${order}-${sha256.slice(0, 32)}.upload`);

const toUpload = ({ incoming }: SendingOptions, record: CaseRecord, { path: at, bytes, name, sha256 }: DesignFile) => ({
  path: at,
  bytes,
  name,
  addressFile: addressFile(incoming, record, sha256),
});

async function forgetUploads(options: SendingOptions, record: CaseRecord, files: readonly DesignFile[]): Promise<void> {
  for (const { sha256 } of files) await removeFile(addressFile(options.incoming, record, sha256));
}
