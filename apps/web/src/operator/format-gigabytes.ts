import { formatNumber } from "../i18n/format.ts";

/** Formats capacity in units of 1024³ bytes, as it is sold and shown everywhere. */
export function formatGigabytes(bytes: number): string {
  const value = bytes / 1024 ** 3;
  return formatNumber(value, value < 10 ? 2 : 1);
}
