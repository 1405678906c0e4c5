import type { Hl7Person } from "@arcada/contract/hl7/hl7-intent";
import type { Hl7Message, Hl7Segment } from "./hl7-message.ts";
import { cutText } from "./cut-text.ts";
import { readHl7Day } from "./read-time.ts";

const lengths = { number: 40, name: 80, phone: 30, mailAddress: 200, email: 200 } as const;

/**
 * Reads PID. `notes` says in English what could not be read; such a value is left out.
 * @param authority the assigning authority (PID-3.4) whose number counts; "": the first number
 */
export function readHl7Person(pid: Hl7Segment, authority: string, notes: string[]): Hl7Person {
  const born = pid.get(7);
  const birthDate = born ? readHl7Day(born) : undefined;
  if (born && birthDate === undefined) notes.push("PID-7 is no date");
  const number = readNumber(pid, 3, authority);
  if (number.length > lengths.number) notes.push("PID-3 is too long");
  return {
    number: number.length > lengths.number ? "" : number,
    name: readName(pid),
    birthDate,
    sex: sexes[(pid.get(8) ?? "").toUpperCase()],
    phone: readPhone(pid),
    mailAddress: readAddress(pid),
    email: readEmail(pid),
  };
}

/** The number that A40 gives up: MRG-1. */
export const readFormerNumber = (message: Hl7Message, authority: string): string => {
  const segment = message.segment("MRG");
  return segment ? readNumber(segment, 1, authority) : "";
};

const sexes: Readonly<Record<string, Hl7Person["sex"]>> = { M: "male", F: "female", O: "other", A: "other" };

/** Codes of PID-3.5 that name a number of a card or a paper, which others may have too. */
const otherNumbers = new Set(["SS", "DL", "PPN", "NI", "NNCHN", "PHC", "JHN", "AN", "VN"]);

function readNumber(segment: Hl7Segment, field: number, authority: string): string {
  const all = Array.from({ length: Math.min(segment.count(field), 50) }, (_, at) => ({
    number: segment.get(field, 1, at + 1) ?? "",
    authority: segment.get(field, 4, at + 1) ?? "",
    type: (segment.get(field, 5, at + 1) ?? "").toUpperCase(),
  })).filter(({ number }) => number !== "");
  if (authority !== "") return all.find((one) => one.authority.toLowerCase() === authority.toLowerCase())?.number ?? "";
  return all.find(({ type }) => !otherNumbers.has(type))?.number ?? "";
}

function readName(pid: Hl7Segment): string {
  // A repetition with the type L is the legal name; aliases and maiden names come beside it.
  const repetitions = Array.from({ length: Math.max(1, Math.min(pid.count(5), 20)) }, (_, at) => at + 1);
  const legal = repetitions.find((at) => (pid.get(5, 7, at) ?? "").toUpperCase() === "L") ?? 1;
  const parts = [1, 2].map((component) =>
    (pid.get(5, component, legal) ?? "").replaceAll(/[\^=\\\p{Cc}]/gu, " ").trim(),
  );
  const middle = (pid.get(5, 3, legal) ?? "").replaceAll(/[\^=\\\p{Cc}]/gu, " ").trim();
  const given = middle === "" ? parts[1]! : `${parts[1]!} ${middle}`.trim();
  const name = given === "" ? parts[0]! : `${parts[0]!}^${given}`;
  return cutText(name, lengths.name);
}

function readPhone(pid: Hl7Segment): string | null | undefined {
  const written = pid.get(13);
  if (written === null) return null;
  // From version 2.3 on the number may be in its parts: country, area, local number.
  const parts = [5, 6, 7].map((component) => pid.get(13, component) ?? "").filter((part) => part !== "");
  const number = written || parts.join(" ");
  return number === "" || number.length > lengths.phone ? undefined : number;
}

function readEmail(pid: Hl7Segment): string | null | undefined {
  for (let at = 1; at <= Math.min(pid.count(13), 20); at++) {
    const email = pid.get(13, 4, at) ?? "";
    if (email.includes("@") && email.length <= lengths.email) return email;
  }
  return undefined;
}

function readAddress(pid: Hl7Segment): string | null | undefined {
  if (pid.get(11) === null) return null;
  const [street, other, city, state, zip, country] = [1, 2, 3, 4, 5, 6].map(
    (component) => pid.get(11, component) ?? "",
  );
  const lines = [street, other, [zip, city].filter(Boolean).join(" "), state, country].filter(Boolean);
  return lines.length === 0 ? undefined : cutText(lines.join(", "), lengths.mailAddress);
}
