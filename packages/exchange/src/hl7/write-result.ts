import { writeSegment } from "./hl7-message.ts";
import { writeHl7Time } from "./read-time.ts";

/** A signed report, as ORU^R01 carries it. */
export interface Hl7Result {
  controlId: string;
  now: Date;
  sender: { application: string; facility: string };
  receiver: { application: string; facility: string };
  patient: {
    number: string;
    authority: string;
    ownNumber: string;
    name: string;
    birthDate: string | null;
    sex: "male" | "female" | "other";
  };
  /** The order that the report answers; its numbers are repeated unchanged. */
  order: { placer: string; filler: string; accession: string; code: string; description: string } | null;
  report: {
    number: string;
    title: string;
    signedAt: Date;
    signer: string;
    /** `amended`: it replaces an earlier one. */
    isAmended: boolean;
  };
  document: { pdf: Uint8Array } | { url: string };
  texts: readonly { code: string; name: string; value: string }[];
}

const sexCodes = { male: "M", female: "F", other: "O" } as const;
const system = "ARCADA";

/** Writes ORU^R01 of version 2.5 in UTF-8. */
export function writeHl7Result(result: Hl7Result): string {
  const { sender, receiver, patient, order, report, now } = result;
  const status = report.isAmended ? "C" : "F";
  const title = ["REPORT", report.title, system];
  const procedure = order && order.code !== "" ? [order.code, order.description] : title;
  const observations = [
    ...result.texts.map(({ code, name, value }) => ({ type: "TX", code: [code, name, system], value })),
    { code: ["PDF", report.title, system], ...encodeDocument(result.document) },
  ];
  const numbers = { raw: joinNumbers(patient) };
  const birth = patient.birthDate?.replaceAll("-", "") ?? "";
  const lines = [
    writeSegment("MSH", [
      sender.application,
      sender.facility,
      receiver.application,
      receiver.facility,
      writeHl7Time(now),
      "",
      ["ORU", "R01", "ORU_R01"],
      result.controlId,
      "P",
      "2.5",
      "",
      "",
      "",
      "",
      "",
      "UNICODE UTF-8",
    ]),
    writeSegment("PID", ["1", "", numbers, "", splitName(patient.name), "", birth, sexCodes[patient.sex]]),
    writeSegment("ORC", ["RE", order?.placer ?? "", order?.filler || report.number]),
    writeSegment("OBR", [
      "1",
      order?.placer ?? "",
      order?.filler || report.number,
      procedure,
      "",
      "",
      writeHl7Time(report.signedAt),
      ...Array.from({ length: 10 }, () => ""),
      order?.accession ?? "",
      "",
      "",
      "",
      writeHl7Time(report.signedAt),
      "",
      "",
      status,
    ]),
    ...observations.map(({ type, code, value }, at) =>
      writeSegment("OBX", [
        String(at + 1),
        type,
        code,
        "",
        value,
        "",
        "",
        "",
        "",
        "",
        status,
        "",
        "",
        writeHl7Time(report.signedAt),
        "",
        ["", report.signer],
      ]),
    ),
  ];
  return `${lines.join("\r")}\r`;
}

/** The number of the sender's own system comes first, under the authority by which it was sent. */
function joinNumbers({ number, authority, ownNumber }: Hl7Result["patient"]): string {
  const parts = [
    ...(number === "" ? [] : [`${plain(number)}^^^${plain(authority)}^MR`]),
    `${plain(ownNumber)}^^^${system}^${number === "" ? "MR" : "PI"}`,
  ];
  return parts.join("~");
}
const plain = (text: string): string => text.replaceAll(/[|^~\\&\p{Cc}]/gu, " ");

/** Records hold a name as one text: the family name is the last word, or the first character of a Chinese name. */
function splitName(name: string): string[] {
  const words = name.trim().split(/\s+/);
  if (words.length === 1 && /^\p{Script=Han}{2,4}$/u.test(name.trim()))
    return [name.trim().slice(0, 1), name.trim().slice(1)];
  return words.length === 1 ? [words[0]!] : [words.at(-1)!, words.slice(0, -1).join(" ")];
}

function encodeDocument(document: Hl7Result["document"]): { type: string; value: readonly string[] } {
  if ("url" in document) return { type: "RP", value: [document.url, "", "Application", "PDF"] };
  return { type: "ED", value: ["", "Application", "PDF", "Base64", encodeBase64(document.pdf)] };
}

const chunkBytes = 0x60_00;
function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + chunkBytes))));
  return parts.join("");
}
