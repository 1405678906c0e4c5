import type { Language } from "@arcada/contract/kernel/languages";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { translatorOf } from "../platform/text/texts.ts";

interface CalendarOptions {
  /** The number of earlier changes of the appointment. */
  sequence: number;
  language: Language;
  /** The page of the work order; null if the installation does not know its own address. */
  url: string | null;
  now: Date;
}

/**
 * Writes the appointment of a work order as a calendar with one event (RFC 5545). Times are in UTC, so that no time zone
 * must be described. The same UID with a higher SEQUENCE replaces the entry that a calendar has.
 */
export function writeAppointmentCalendar(
  order: Workorder & { plannedAt: string },
  { sequence, language, url, now }: CalendarOptions,
): string {
  const t = translatorOf(language, "workorder");
  const place = [order.clinic.name, order.address].filter(Boolean).join(", ");
  const device = `${order.device.product} ${order.device.model}, ${order.device.serialNumber}`;
  const details = [
    `${t("field.number")}: ${order.number}`,
    `${t("field.device")}: ${device}`,
    `${t("field.contact")}: ${order.contact}, ${order.contactPhone}`,
    ...(order.assignee ? [`${t("field.assignee")}: ${order.assignee.name}`] : []),
    ...(url ? [url] : []),
  ].join("\n");
  const stamp = toUtcStamp(now.toISOString());
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Arcada//Work orders//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:workorder-${order.id}@arcada`,
    `DTSTAMP:${stamp}`,
    `LAST-MODIFIED:${stamp}`,
    `SEQUENCE:${sequence}`,
    "STATUS:CONFIRMED",
    `DTSTART:${toUtcStamp(order.plannedAt)}`,
    `DURATION:PT${workorderRules.appointmentMinutes}M`,
    `SUMMARY:${escapeText(`${t(`type.${order.type}`)} · ${order.clinic.name}`)}`,
    `LOCATION:${escapeText(place)}`,
    `DESCRIPTION:${escapeText(details)}`,
    ...(url ? [`URL:${url}`] : []),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

/** 20310502T090000Z */
const toUtcStamp = (instant: string): string =>
  `${new Date(instant).toISOString().replaceAll("-", "").replaceAll(":", "").split(".")[0]}Z`;

/** RFC 5545 3.3.11: text escapes its separators; a line break becomes two characters. Other control characters are not allowed. */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\r\n", "\n")
    .replaceAll("\n", String.raw`\n`)
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, " ");

const maxLineBytes = 75;
/** RFC 5545 3.1: a line has at most 75 bytes, and what continues it begins with a space. No character is divided. */
function foldLine(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
