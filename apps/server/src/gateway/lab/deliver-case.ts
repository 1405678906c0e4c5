import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { labAgentCalls } from "@arcada/contract/order/lab-agent.calls";
import type { AgentOrder } from "@arcada/contract/order/lab-agent.calls";
import { syncFolder } from "../../platform/storage/durable-writes.ts";
import { callCloud } from "../cloud-calls.ts";
import type { OpenDownload, SendRequest } from "../cloud-connection.ts";
import { fetchFile } from "../fetch-file.ts";
import type { CaseRecord, CaseRecords } from "./case-record.ts";
import { BrokenCase, readMarker, unpackCase } from "./unpack-case.ts";

export interface DeliveryOptions {
  ask: SendRequest;
  download: OpenDownload;
  records: CaseRecords;
  /** The folder that exocad watches. */
  labFolder: string;
  /** The folder of archives under way. */
  incoming: string;
}

/** The archive has headers and a project file beside the announced bytes of its files. */
const archiveMargin = 64_000_000;

/**
 * Puts an order into the laboratory's folder as a case of exocad: it is unpacked beside its place and appears there
 * whole. A kill at any moment leaves no case, or one that the next start recognises by its marker.
 */
export async function deliverCase(options: DeliveryOptions, order: AgentOrder): Promise<CaseRecord> {
  const { records, labFolder, incoming } = options;
  const begun = records.find(order.id);
  if (begun && (await readMarker(path.join(labFolder, begun.folder))) === order.id)
    return finish(records, { ...begun, state: "delivered" });
  const archive = path.join(incoming, `${order.id}.zip`);
  const { url, bytes } = await callCloud(options.ask, labAgentCalls.fetch, { id: order.id });
  await fetchFile(options.download, url, archive, bytes + archiveMargin);
  const unpacking = unpackingFolder(labFolder, order.id);
  await rm(unpacking, { recursive: true, force: true });
  await mkdir(unpacking);
  const name = await unpackCase(archive, unpacking, order.id).catch(async (error: unknown) => {
    if (error instanceof BrokenCase) await rm(archive, { force: true });
    throw error;
  });
  await syncFolder(path.join(unpacking, name));
  const record = { ...newRecord(order), folder: await freeName(labFolder, name) };
  await records.save(record);
  await rename(path.join(unpacking, name), path.join(labFolder, record.folder));
  await syncFolder(labFolder);
  const done = await finish(records, { ...record, state: "delivered" });
  await rm(unpacking, { recursive: true, force: true });
  await rm(archive, { force: true });
  return done;
}

/**
 * Removes what a kill left half unpacked, and recognises cases whose records are lost: they are in the folder already.
 * @throws errors of the file system if the folder cannot be used
 */
export async function recoverCases({ records, labFolder }: DeliveryOptions): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(labFolder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const at = path.join(labFolder, entry.name);
    if (unpackingName.test(entry.name)) await rm(at, { recursive: true, force: true });
    else {
      const order = await readMarker(at);
      if (order !== null && !records.find(order)) found.set(order, entry.name);
    }
  }
  return found;
}

/** The record of an order whose case lies in the folder although no record says so. */
export const adoptCase = (records: CaseRecords, order: AgentOrder, folder: string): Promise<CaseRecord> =>
  finish(records, { ...newRecord(order), folder, state: "delivered" });

async function finish(records: CaseRecords, record: CaseRecord): Promise<CaseRecord> {
  await records.save(record);
  return record;
}

const newRecord = ({ id, number, content }: AgentOrder): CaseRecord => ({
  order: id,
  number,
  folder: "",
  state: "delivering",
  content,
  designKey: null,
  designs: 0,
  pending: null,
  refused: null,
  problem: null,
  closedAt: null,
});

/** On the same drive as its place, so that it can be moved there in one step. */
const unpackingFolder = (labFolder: string, order: string): string => path.join(labFolder, `.arcada-${order}`);
const unpackingName = /^\.arcada-[0-9a-f-]{36}$/;

/** Two orders of a patient on one day have one name; the folder of another case is never touched. */
async function freeName(labFolder: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}_${number}`;
    if ((await stat(path.join(labFolder, free)).catch(() => null)) === null) return free;
  }
}
