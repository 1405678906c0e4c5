import { writeSegment } from "./hl7-message.ts";
import type { Hl7Header } from "./read-header.ts";
import { writeHl7Time } from "./read-time.ts";

/** AA: taken; AE: this message has a fault; AR: it is not for this receiver. */
export type AckCode = "AA" | "AE" | "AR";

/** HL7 table 0357. */
export const hl7Errors = {
  segmentSequence: "100",
  fieldMissing: "101",
  dataType: "102",
  unsupportedType: "200",
  unsupportedEvent: "201",
  unknownKey: "204",
  applicationError: "207",
} as const;
export type Hl7Error = keyof typeof hl7Errors;

export interface Acknowledgement {
  code: AckCode;
  error?: { code: Hl7Error; text: string } | undefined;
}

/** Writes the answer to a message in the original mode. `id` is the answer's own control id. */
export function writeAcknowledgement(of: Hl7Header, { code, error }: Acknowledgement, id: string, now: Date): string {
  const version = /^2\.[1-8](?:\.1)?$/.test(of.version) ? of.version : "2.5";
  const type = of.event === "" ? ["ACK"] : ["ACK", of.event, "ACK"];
  const sides = [of.receiver, of.receiverFacility, of.application, of.facility];
  const head = [...sides, writeHl7Time(now), "", type, id, of.processing, version, "", "", "", "", "", "UNICODE UTF-8"];
  const lines = [
    writeSegment("MSH", head),
    // MSA-3 is what receivers before version 2.5 show.
    writeSegment("MSA", [code, of.controlId, error?.text ?? ""]),
    ...(error
      ? [writeSegment("ERR", ["", "", [hl7Errors[error.code], error.text, "HL70357"], "E", "", "", "", error.text])]
      : []),
  ];
  return `${lines.join("\r")}\r`;
}
