import { expect, it } from "vitest";
import { measureCpuMs } from "@arcada/testing/hostile/slow-regex-texts";
import { readCommand, buildRequest } from "./command-set.ts";
import { encodeAssociateRequest, isDicomContext, readAssociateRequest } from "./pdu.ts";

const headerBytes = 6;
const fixedBytes = 68;
const asked = encodeAssociateRequest({ calledTitle: "ARCADA", callingTitle: "STRANGER", mostBytes: 0 }, []);
/** Builds an association request with this application context. */
const withContext = (uid: string): Buffer => {
  const item = Buffer.from([0x10, 0, 0, 0]);
  item.writeUInt16BE(uid.length, 2);
  return Buffer.concat([asked.subarray(headerBytes, headerBytes + fixedBytes), item, Buffer.from(uid)]);
};
const blanks = `${" ".repeat(65_000)}x`;

it("the PDU reader refuses a UID of more than 64 bytes before it parses the UID, in requests and in commands", () => {
  const command = { field: 1, message: 1, hasDataSet: false, sopClass: blanks, sopInstance: "1.2" };
  const readers = [() => readAssociateRequest(withContext(blanks)), () => readCommand(buildRequest(command))];
  for (const read of readers)
    expect(measureCpuMs(() => expect(read).toThrow("a UID of more than 64 bytes"), 1000)).toBeLessThan(1000);
});

it("the PDU reader accepts a UID that a peer has padded", () => {
  const { applicationContext } = readAssociateRequest(withContext("1.2.840.10008.3.1.1.1\0 "));
  expect(isDicomContext(applicationContext)).toBe(true);
});
