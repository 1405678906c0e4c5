import type { DicomItem } from "@arcada/imaging/dicom/parse/dicom-item";
import { readDataSet } from "@arcada/imaging/dicom/parse/read-data-set";
import { joinBytes } from "@arcada/imaging/join-bytes";
import { encodeElement, encodeItem, type Encoding } from "@arcada/imaging/dicom/write/encode-element";
import { commands, statusCodes } from "../dimse/command-set.ts";
import type { MessageChannel } from "../dimse/message-channel.ts";
import {
  commitmentInstance,
  commitmentModel,
  explicitLittleEndian,
  implicitLittleEndian,
} from "../dimse/presentation-contexts.ts";
import { ServiceRefused, type DimseService } from "../dimse/service.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { CommitmentReport, CommittedObject } from "@arcada/contract/pacs/commitment-report";
import { connectToDestination, DestinationFailed, type PacsAddress } from "./connect-to-destination.ts";

const maxObjects = 5000;
/** PS3.4 J.3.2.2: the only action. PS3.4 J.3.3.1: event 1 reports success, event 2 that some objects failed. */
const [requestAction, successEvent, failureEvent] = [1, 1, 2];
const noSuchObject = 0x0112;

interface CommitmentOptions {
  /** Returns the UIDs of those objects that are safely stored. */
  findKept: (objects: readonly CommittedObject[]) => Promise<ReadonlySet<string>>;
  /** Queues the report for a new association; false if there is no application to which it could go. */
  queueReport: (report: CommitmentReport) => Promise<boolean>;
}

/**
 * Storage Commitment Push Model as its provider (PS3.4 J.3). The report goes over a new association if the requester is
 * a destination of the clinic, because most peers release at once; else over the association of the request.
 */
export const createCommitmentService = ({ findKept, queueReport }: CommitmentOptions): DimseService => ({
  field: commands.action,
  abstractSyntax: commitmentModel,
  run: async ({ request, respond, channel, context }) => {
    const explicit = request.transferSyntax === explicitLittleEndian;
    if (request.command.type !== requestAction) throw new ServiceRefused("unrecognizedAction", "no such action");
    if (request.command.sopInstance !== commitmentInstance)
      throw new ServiceRefused("invalidInstance", "not the well-known instance");
    const { transaction, objects } = readRequest(request.identifier, explicit);
    const kept = await findKept(objects);
    const report: CommitmentReport = {
      transaction,
      kept: objects.filter(({ sopInstance }) => kept.has(sopInstance)),
      failed: objects
        .filter(({ sopInstance }) => !kept.has(sopInstance))
        .map((one) => ({ ...one, reason: noSuchObject })),
    };
    const isQueued = await queueReport(report);
    await respond("success");
    // The operation ends here, so that the peer may go on with other messages before it reads the report.
    if (!isQueued) void sendReport(channel, context, explicit, report).catch(() => {});
  },
});

function readRequest(identifier: Buffer, explicit: boolean): { transaction: string; objects: CommittedObject[] } {
  let item: DicomItem;
  try {
    ({ item } = readDataSet(identifier, { explicit }));
  } catch {
    throw new ServiceRefused("invalidArgument", "the data set cannot be read");
  }
  const transaction = item.text("x00081195") ?? "";
  const objects = item
    .sequence("x00081199")
    .map((one) => ({ sopClass: one.text("x00081150") ?? "", sopInstance: one.text("x00081155") ?? "" }));
  const isUid = (text: string): boolean => /^[0-9.]{1,64}$/.test(text);
  if (!isUid(transaction) || objects.length === 0 || objects.length > maxObjects)
    throw new ServiceRefused("invalidArgument", "no Transaction UID, or no referenced objects");
  if (!objects.every(({ sopClass, sopInstance }) => isUid(sopClass) && isUid(sopInstance)))
    throw new ServiceRefused("invalidArgument", "a referenced object without UIDs");
  return { transaction, objects };
}

async function sendReport(
  channel: MessageChannel,
  context: number,
  explicit: boolean,
  report: CommitmentReport,
): Promise<number> {
  const request = {
    field: commands.eventReport,
    sopClass: commitmentModel,
    sopInstance: commitmentInstance,
    type: report.failed.length === 0 ? successEvent : failureEvent,
  };
  return (await channel.request(context, request, encodeReport(report, { explicit, little: true }))).status;
}

/** Reports over a new association, on which this side has the role of the provider. Throws DestinationFailed. */
export async function reportCommitment(config: Config, address: PacsAddress, report: CommitmentReport): Promise<void> {
  const transferSyntaxes = [explicitLittleEndian, implicitLittleEndian];
  const association = await connectToDestination(
    config,
    address,
    [{ id: 1, abstractSyntax: commitmentModel, transferSyntaxes }],
    [{ sopClass: commitmentModel, isScu: false, isScp: true }],
  );
  try {
    const context = association.channel.contexts[0];
    if (!context) throw new DestinationFailed("rejected", "the application takes no reports of storage commitment");
    const explicit = context.transferSyntax === explicitLittleEndian;
    const status = await sendReport(association.channel, context.id, explicit, report);
    if (status !== statusCodes.success)
      throw new DestinationFailed("objects", `the application answers the report with status ${status.toString(16)}`);
  } finally {
    await association.release();
  }
}

function encodeReport({ transaction, kept, failed }: CommitmentReport, encoding: Encoding): Uint8Array {
  const element = (tag: string, vr: string, value: Uint8Array) =>
    encodeElement({ tag, ...(encoding.explicit && { vr }) }, value, encoding);
  const uid = (tag: string, text: string) =>
    element(tag, "UI", Buffer.from(text.length % 2 === 1 ? `${text}\0` : text, "latin1"));
  const reference = ({ sopClass, sopInstance }: CommittedObject) => [
    uid("x00081150", sopClass),
    uid("x00081155", sopInstance),
  ];
  const sequence = (tag: string, items: readonly (readonly Uint8Array[])[]) =>
    element(tag, "SQ", joinBytes(items.map((item) => encodeItem(false, joinBytes([...item]), encoding))));
  const reason = (code: number) => element("x00081197", "US", Uint8Array.of(code & 0xff, code >> 8));
  return joinBytes([
    uid("x00081195", transaction),
    ...(failed.length > 0
      ? [
          sequence(
            "x00081198",
            failed.map((one) => [...reference(one), reason(one.reason)]),
          ),
        ]
      : []),
    ...(kept.length > 0 ? [sequence("x00081199", kept.map(reference))] : []),
  ]);
}
