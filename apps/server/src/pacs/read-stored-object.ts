import type { StoredInstance } from "../dicomweb/indexed-instances.store.ts";
import { runDicomTask } from "../dicomweb/worker/run-dicom-task.ts";
import type { OutgoingData } from "../dimse/message-channel.ts";
import { explicitLittleEndian, implicitLittleEndian } from "../dimse/presentation-contexts.ts";
import type { OutgoingObject } from "../dimse/send-objects.ts";
import { files } from "../platform/runtime/services.ts";

/** A stored object as it is sent: byte for byte in its own transfer syntax, else as plain values. */
export const toOutgoingObject = (iid: string, stored: StoredInstance): OutgoingObject => ({
  sopClass: stored.sopClass,
  sopInstance: stored.uid,
  transferSyntax: stored.syntax,
  read: async (transferSyntax) => {
    if (transferSyntax === stored.syntax) {
      const data = await readDataSet(iid, stored);
      if (data) return data;
    }
    if (transferSyntax !== explicitLittleEndian && transferSyntax !== implicitLittleEndian)
      throw new Error("its file has no file meta information");
    return readPlain(iid, stored, transferSyntax === explicitLittleEndian);
  },
});

const readPlain = (iid: string, { sha256, bytes }: StoredInstance, explicit: boolean): Promise<Uint8Array> =>
  files().local(
    "originals",
    iid,
    sha256,
    async (path) => (await runDicomTask({ do: "plain", path, explicit }, bytes, iid)).bytes,
  );

/** PS3.10 7.1: preamble, prefix, and the group length, which says where the file meta information ends. */
const headBytes = 128 + 4 + 12;
const maxMetaBytes = 65_536;

/** The data set behind the file meta information; null if a file has none in the usual form. */
async function readDataSet(iid: string, { sha256 }: StoredInstance): Promise<OutgoingData | null> {
  const chunks = (await files().read("originals", iid, sha256))[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  const hold = async (count: number): Promise<boolean> => {
    while (held.length < count) {
      const { value, done } = await chunks.next();
      if (done) return false;
      held = Buffer.concat([held, value]);
    }
    return true;
  };
  const hasHead = await hold(headBytes);
  const isUsual = hasHead && held.toString("latin1", 128, 132) === "DICM" && held.readUInt32BE(132) === 0x02000000;
  const end = isUsual ? headBytes + held.readUInt32LE(140) : 0;
  if (!isUsual || end > maxMetaBytes || !(await hold(end))) {
    await chunks.return?.();
    return null;
  }
  return continueFrom(held.subarray(end), chunks);
}

async function* continueFrom(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
