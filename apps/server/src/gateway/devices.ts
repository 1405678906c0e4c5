import { gatheredBytes, openIncoming, type IncomingFile } from "../dimse/incoming-file.ts";
import type { Announced, Sender } from "../dimse/association.ts";
import type { Find } from "../dimse/finding.ts";
import { openReceiver, type Receiver } from "../dimse/receiver.ts";
import type { GatewayConfig } from "./gateway.config.ts";
import type { Queue } from "./queue.ts";

/**
 * Listens for the clinic's devices: objects that they send are queued, and searches are answered from the clinic's work
 * list.
 */
export const listenForDevices = (config: GatewayConfig, queue: Queue, find: Find): Promise<Receiver> =>
  openReceiver(
    {
      host: config.GATEWAY_HOST,
      port: config.GATEWAY_PORT,
      setting: "GATEWAY_PORT",
      title: config.GATEWAY_AE_TITLE,
    },
    async (title) => (config.GATEWAY_CALLING_AES.has(title) ? senderOf(queue, find) : null),
  );

function senderOf(queue: Queue, find: Find): Sender {
  const gathered = Buffer.allocUnsafeSlow(gatheredBytes);
  return {
    find,
    open: (announced) => openReserved(queue, announced, gathered),
    keep: async (file, { sopInstance }) => {
      const whole = await file.whole();
      const lies = whole !== null && (await file.settle().then(isTrue, isFalse));
      if (!lies) {
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
async function openReserved(queue: Queue, announced: Announced, gathered: Buffer): Promise<IncomingFile> {
  if (!queue.reserve(headBytes)) throw new Error("the queue is full");
  let reserved = headBytes;
  const give = (bytes: number): void => {
    queue.release(bytes);
    reserved -= bytes;
  };
  const file = await openIncoming(announced, gathered, queue.incoming).catch((error: unknown) => {
    give(reserved);
    throw error;
  });
  return {
    ...file,
    add: async (bytes) => {
      if (!queue.reserve(bytes.length)) return false;
      reserved += bytes.length;
      return file.add(bytes);
    },
    whole: async () => {
      const whole = await file.whole();
      if (whole) give(reserved - whole.bytes);
      return whole;
    },
    drop: async () => {
      give(reserved);
      await file.drop();
    },
  };
}
