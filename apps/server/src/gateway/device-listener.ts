import { writeBufferBytes, openIncomingFile, type IncomingFile, type AnnouncedObject } from "../dimse/incoming-file.ts";
import type { ObjectReceiver } from "../dimse/association.ts";
import { createFindService, type FindHandler } from "../dimse/find-response.ts";
import { worklistModel } from "../dimse/presentation-contexts.ts";
import { openReceiver, type DimseReceiver } from "../dimse/receiver.ts";
import type { GatewayConfig } from "./gateway.config.ts";
import type { SendQueue } from "./send-queue.ts";

/**
 * Listens for the clinic's devices: objects that they send are queued, and searches are answered from the clinic's work
 * list.
 */
export const listenForDevices = (config: GatewayConfig, queue: SendQueue, find: FindHandler): Promise<DimseReceiver> =>
  openReceiver(
    {
      host: config.GATEWAY_HOST,
      port: config.GATEWAY_PORT,
      setting: "GATEWAY_PORT",
      title: config.GATEWAY_AE_TITLE,
    },
    async (title) => (config.GATEWAY_CALLING_AES?.has(title) ? createSender(queue, find) : null),
  );

function createSender(queue: SendQueue, find: FindHandler): ObjectReceiver {
  const writeBuffer = Buffer.allocUnsafeSlow(writeBufferBytes);
  return {
    services: [createFindService(worklistModel, find)],
    open: (announced) => openReservedFile(queue, announced, writeBuffer),
    keep: async (file, { sopInstance }) => {
      const whole = await file.finish();
      const isStored = whole !== null && (await file.sync().then(isTrue, isFalse));
      if (!isStored) {
        await file.drop();
        return "outOfResources";
      }
      try {
        await queue.take(file.id, sopInstance, whole.bytes);
        return "success";
      } catch (error) {
        await file.drop();
        throw error;
      }
    },
    done: async () => {},
  };
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
/** Reserved for the file head, before anything else is known of the size. */
const headBytes = 1024;

/** Opens a file whose bytes are reserved in the disk budget while it arrives. */
async function openReservedFile(
  queue: SendQueue,
  announced: AnnouncedObject,
  writeBuffer: Buffer,
): Promise<IncomingFile> {
  if (!queue.reserve(headBytes)) throw new Error("the queue is full");
  let reserved = headBytes;
  const releaseBytes = (bytes: number): void => {
    queue.release(bytes);
    reserved -= bytes;
  };
  const file = openIncomingFile(announced, writeBuffer, queue.incoming);
  return {
    ...file,
    add: async (bytes) => {
      if (!queue.reserve(bytes.length)) return false;
      reserved += bytes.length;
      return file.add(bytes);
    },
    finish: async () => {
      const whole = await file.finish();
      if (whole) releaseBytes(reserved - whole.bytes);
      return whole;
    },
    drop: async () => {
      releaseBytes(reserved);
      await file.drop();
    },
  };
}
