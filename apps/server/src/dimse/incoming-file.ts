import { createHash } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { UploadParts } from "../platform/upload/upload-parts.ts";
import { implementation } from "./pdu.ts";

/** Description of an object, known before its bytes arrive. */
export interface AnnouncedObject {
  sopClass: string;
  sopInstance: string;
  transferSyntax: string;
  callingTitle: string;
}

/** An object that is being written to the disk as the file that it will be. */
export interface IncomingFile {
  id: string;
  /** False: it cannot be written. */
  add(bytes: Buffer): Promise<boolean>;
  /** All bytes have arrived, and the file can be read. Null: it cannot be written. */
  finish(): Promise<{ id: string; bytes: number; sha256: string } | null>;
  /** Resolves when the bytes would survive a power failure; its directory entry is synchronised separately. */
  sync(): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Bytes of a file that are gathered before they are written: a disk prefers few long writes. Each association has one
 * such buffer.
 */
export const writeBufferBytes = 640 * 1024;

/** Bytes that are hashed at once, while the peer sends the next. */
const hashedBytes = 128 * 1024;

/**
 * Begins the file of an object (PS3.10 7.1); the data set follows as it arrives from the peer. Nobody waits until the file
 * is open: a fault of the disk shows at the first write.
 */
export function openIncomingFile(
  announced: AnnouncedObject,
  writeBuffer: Buffer,
  folder: Pick<UploadParts, "open" | "remove">,
): IncomingFile {
  const id = newId();
  const opened = folder.open(id);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= opened.then((file) => file.close()).catch(() => {}));
  opened.catch(() => {});
  const hash = createHash("sha256");
  let [buffered, hashed, flushed] = [0, 0, 0];
  const hashUpTo = (end: number): void => {
    hash.update(writeBuffer.subarray(hashed, end));
    hashed = end;
  };
  const flush = async (): Promise<boolean> => {
    try {
      const file = await opened;
      const written = file.write(writeBuffer.subarray(0, buffered));
      // Another thread writes meanwhile.
      hashUpTo(buffered);
      await written;
      flushed += buffered;
      [buffered, hashed] = [0, 0];
      return true;
    } catch {
      return false;
    }
  };
  const makeReadable = () =>
    opened
      .then((file) => file.flush())
      .then(
        () => true,
        () => false,
      );
  const add = async (chunk: Buffer): Promise<boolean> => {
    if (flushed + buffered + chunk.length > studyRules.fileBytes) return false;
    for (let at = 0; at < chunk.length;) {
      if (buffered === writeBuffer.length && !(await flush())) return false;
      const copied = chunk.copy(writeBuffer, buffered, at);
      buffered += copied;
      at += copied;
      if (buffered - hashed >= hashedBytes) hashUpTo(buffered);
    }
    return true;
  };
  // The head is shorter than the buffer, so that it is added at once.
  void add(buildFileHead(announced));
  return {
    id,
    add,
    finish: async () =>
      (await flush()) && (await makeReadable()) ? { id, bytes: flushed, sha256: hash.digest("hex") } : null,
    sync: () => opened.then((file) => file.sync()).finally(() => void close()),
    drop: async () => {
      await close();
      await folder.remove(id);
    },
  };
}

/**
 * Returns the preamble and file meta information; the same for the same object from the same sender, so that a
 * repetition is recognised.
 */
function buildFileHead({ sopClass, sopInstance, transferSyntax, callingTitle }: AnnouncedObject): Buffer {
  const meta = Buffer.concat([
    Buffer.from([2, 0, 1, 0, 0x4f, 0x42, 0, 0, 2, 0, 0, 0, 0, 1]),
    encodeElement(0x02, "UI", sopClass),
    encodeElement(0x03, "UI", sopInstance),
    encodeElement(0x10, "UI", transferSyntax),
    encodeElement(0x12, "UI", implementation.uid),
    encodeElement(0x13, "SH", implementation.version),
    encodeElement(0x16, "AE", callingTitle),
  ]);
  const length = Buffer.from([2, 0, 0, 0, 0x55, 0x4c, 4, 0, 0, 0, 0, 0]);
  length.writeUInt32LE(meta.length, 8);
  return Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), length, meta]);
}

function encodeElement(number: number, vr: string, value: string): Buffer {
  const text = Buffer.from(value.length % 2 === 1 ? value + (vr === "UI" ? "\0" : " ") : value, "latin1");
  const head = Buffer.from([2, 0, number, 0, 0, 0, 0, 0]);
  head.write(vr, 4, "latin1");
  head.writeUInt16LE(text.length, 6);
  return Buffer.concat([head, text]);
}
