import { commands, type Status, type SubOperations } from "./command-set.ts";
import type { MessageChannel } from "./message-channel.ts";
import { AssociationFailed, type OpenAssociation } from "./open-association.ts";
import { implicitLittleEndian } from "./presentation-contexts.ts";
import { sendObject, type OutgoingObject } from "./send-objects.ts";
import { ServiceRefused, type DimseService, type Operation, type ServiceRequest } from "./service.ts";

/** Returns the objects that a request names. Throws ServiceRefused. */
export type FindObjects = (request: ServiceRequest) => Promise<readonly OutgoingObject[]>;
/** Opens an association to the destination of a C-MOVE. Throws ServiceRefused if the title is not known. */
export type ConnectToDestination = (title: string, objects: readonly OutgoingObject[]) => Promise<OpenAssociation>;

/** C-GET (PS3.4 C.4.3): the objects come back over the association of the request. */
export const createGetService = (abstractSyntax: string, find: FindObjects): DimseService => ({
  field: commands.get,
  abstractSyntax,
  run: async (operation) => transfer(operation, operation.channel, await find(operation.request)),
});

/** C-MOVE (PS3.4 C.4.2): the objects go to another application. */
export const createMoveService = (
  abstractSyntax: string,
  find: FindObjects,
  connect: ConnectToDestination,
): DimseService => ({
  field: commands.move,
  abstractSyntax,
  run: async (operation) => {
    const { command } = operation.request;
    const objects = await find(operation.request);
    // An association for no object has no context to propose.
    if (objects.length === 0) return transfer(operation, operation.channel, objects);
    const association = await connect(command.destination, objects).catch((error: unknown) => {
      if (!(error instanceof AssociationFailed)) throw error;
      throw new ServiceRefused("noSuboperation", error.message);
    });
    try {
      const originator = { title: operation.request.callingTitle, message: command.message };
      await transfer(operation, association.channel, objects, originator);
    } finally {
      await association.release();
    }
  },
});

/** Sends the objects one by one, and tells the requester after each how many remain. */
async function transfer(
  operation: Operation,
  channel: MessageChannel,
  objects: readonly OutgoingObject[],
  originator?: { title: string; message: number },
): Promise<void> {
  const sendOne = (object: OutgoingObject) =>
    sendObject(channel, object, originator).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : "the association has ended";
      lost.push(problem);
      return { outcome: "failed" as const, problem };
    });
  const counts: SubOperations = { remaining: objects.length, completed: 0, failed: 0, warning: 0 };
  const failed: string[] = [];
  const lost: string[] = [];
  let comment = "";
  for (const object of objects) {
    if (operation.isCancelled()) break;
    // After an association that ended, or a peer that no longer answers, the others are not even tried.
    const result = lost[0] ? { outcome: "failed" as const, problem: lost[0] } : await sendOne(object);
    counts.remaining -= 1;
    if (result.outcome === "failed") {
      counts.failed += 1;
      failed.push(object.sopInstance);
      comment ||= result.problem;
    } else counts[result.outcome === "stored" ? "completed" : "warning"] += 1;
    if (counts.remaining > 0) await operation.respond("pending", { counts });
  }
  const isExplicit = operation.request.transferSyntax !== implicitLittleEndian;
  const list = failed.length > 0 ? encodeUidList(failed, isExplicit) : undefined;
  await operation.respond(finalStatus(operation, counts), { counts, comment }, list);
}

/** PS3.4 table C.4-2. */
function finalStatus(operation: Operation, { completed, failed, warning }: SubOperations): Status {
  if (operation.isCancelled()) return "cancelled";
  if (failed === 0 && warning === 0) return "success";
  return completed + warning === 0 ? "noSuboperation" : "someFailed";
}

/** More UIDs do not fit a value of explicit value representation, whose length has 16 bits. */
const maxUids = 1000;

/** A data set with Failed SOP Instance UID List (0008,0058) alone (PS3.4 C.4.2.1.6). */
function encodeUidList(uids: readonly string[], isExplicit: boolean): Buffer {
  const text = uids.slice(0, maxUids).join("\\");
  const value = Buffer.from(text.length % 2 === 1 ? `${text}\0` : text, "latin1");
  const header = Buffer.from([0x08, 0, 0x58, 0, 0, 0, 0, 0]);
  if (isExplicit) {
    header.write("UI", 4, "latin1");
    header.writeUInt16LE(value.length, 6);
  } else header.writeUInt32LE(value.length, 4);
  return Buffer.concat([header, value]);
}
