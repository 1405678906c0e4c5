/** More UIDs do not fit a value of explicit value representation, whose length has 16 bits. */
const maxUids = 1000;

/** A data set with Failed SOP Instance UID List (0008,0058) alone (PS3.4 C.4.2.1.6). */
export function encodeUidList(uids: readonly string[], isExplicit: boolean): Buffer {
  const text = uids.slice(0, maxUids).join("\\");
  const value = Buffer.from(text.length % 2 === 1 ? `${text}\0` : text, "latin1");
  const header = Buffer.from([0x08, 0, 0x58, 0, 0, 0, 0, 0]);
  if (isExplicit) {
    header.write("UI", 4, "latin1");
    header.writeUInt16LE(value.length, 6);
  } else header.writeUInt32LE(value.length, 4);
  return Buffer.concat([header, value]);
}
