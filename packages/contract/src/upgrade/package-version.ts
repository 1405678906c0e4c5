import { text } from "../kernel/fields.ts";
import { deviceRules } from "../device/device.rules.ts";

/** 2 to 4 numbers and an optional pre-release: 1.2, 2.0.13, 2.1.0.4, 3.0.0-rc.1. */
export const packageVersion = text(deviceRules.maxTextLength.softwareVersion).regex(
  /^\d{1,9}(\.\d{1,9}){1,3}(-[0-9A-Za-z-]{1,20}(\.[0-9A-Za-z-]{1,20}){0,3})?$/,
  "versionShape",
);

/**
 * A text that sorts, by its bytes, as versions do (Semantic Versioning 2.0.0, 11): number by number, pre-releases
 * before the release itself. Equivalent versions, such as 1.2 and 1.2.0, have the same text.
 */
export function versionKey(version: string): string {
  const [numbers = "", ...preRelease] = version.split(/-(.*)/s);
  const release = [...numbers.split("."), "0", "0", "0"].slice(0, maxNumbers).map(padNumber).join(".");
  return `${release}${preRelease[0] ? `-${preRelease[0].split(".").map(preReleaseKey).join("!")}` : "~"}`;
}
const maxNumbers = 4;
const padNumber = (digits: string): string => String(Number(digits)).padStart(9, "0");
// Numbers come before words; "!" comes before everything that a word may hold.
const preReleaseKey = (field: string): string =>
  /^\d+$/.test(field) ? `0${field.replace(/^0+(?=.)/, "").padStart(20, "0")}` : `1${field}`;

export const isLowerVersion = (one: string, other: string): boolean => versionKey(one) < versionKey(other);
