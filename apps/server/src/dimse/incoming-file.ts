import { createHash } from "node:crypto";
import { studyRules } from "@arcada/contract/study/study.rules";
import { writeAll } from "../platform/storage/durable-writes.ts";
import { newId } from "../platform/runtime/ids.ts";
import { cameIn } from "../platform/jobs/sweeper.ts";
import type { Parts } from "../platform/upload/upload-parts.ts";
import type { Announced } from "./association.ts";
import { implementation } from "./pdu.ts";

/** An object that is being written to the disk as the file that it will be. */
export interface IncomingFile {
  id: string;
  /** False: it cannot be written. */
  add(bytes: Buffer): Promise<boolean>;
  /** All bytes have arrived, and the file can be read. Null: it cannot be written. */
  whole(): Promise<{ id: string; bytes: number; sha256: string } | null>;
  /** Resolves when the bytes would survive a power failure; its directory entry is synchronised separately. */
  settle(): Promise<void>;
  drop(): Promise<void>;
}

/**
 * Bytes of a file that are gathered before they are written: a disk prefers few long writes. Each association has one
 * such buffer.
 */
export const gatheredBytes = 640 * 1024;

/** Begins the file of an object (PS3.10 7.1); the data set follows as it arrives from the peer. */
export async function openIncoming(
  announced: Announced,
  gathered: Buffer,
  folder: Pick<Parts, "open" | "remove">,
): Promise<IncomingFile> {
  const id = newId();
  const file = await folder.open(id);
  const hash = createHash("sha256");
  let [held, written] = [0, 0];
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  const flush = async (): Promise<boolean> => {
    try {
      hash.update(gathered.subarray(0, held));
      await writeAll(file, gathered.subarray(0, held), written);
      written += held;
      held = 0;
      return true;
    } catch {
      return false;
    }
  };
  const add = async (piece: Buffer): Promise<boolean> => {
    if (written + held + piece.length > studyRules.fileBytes) return false;
    cameIn(piece.length);
    for (let at = 0; at < piece.length;) {
      if (held === gathered.length && !(await flush())) return false;
      const copied = piece.copy(gathered, held, at);
      held += copied;
      at += copied;
    }
    return true;
  };
  await add(fileHead(announced));
  return {
    id,
    add,
    whole: async () => ((await flush()) ? { id, bytes: written, sha256: hash.digest("hex") } : null),
    settle: () => file.sync().finally(close),
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
function fileHead({ sopClass, sopInstance, transferSyntax, callingTitle }: Announced): Buffer {
  const meta = Buffer.concat([
    Buffer.from([2, 0, 1, 0, 0x4f, 0x42, 0, 0, 2, 0, 0, 0, 0, 1]),
    element(0x02, "UI", sopClass),
    element(0x03, "UI", sopInstance),
    element(0x10, "UI", transferSyntax),
    element(0x12, "UI", implementation.uid),
    element(0x13, "SH", implementation.version),
    element(0x16, "AE", callingTitle),
  ]);
  const length = Buffer.from([2, 0, 0, 0, 0x55, 0x4c, 4, 0, 0, 0, 0, 0]);
  length.writeUInt32LE(meta.length, 8);
  return Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), length, meta]);
}

function element(number: number, vr: string, value: string): Buffer {
  const text = Buffer.from(value.length % 2 === 1 ? value + (vr === "UI" ? "\0" : " ") : value, "latin1");
  const head = Buffer.from([2, 0, number, 0, 0, 0, 0, 0]);
  head.write(vr, 4, "latin1");
  head.writeUInt16LE(text.length, 6);
  return Buffer.concat([head, text]);
}
