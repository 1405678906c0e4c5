import { showNumber } from "../kernel/format.ts";

/** As capacity is sold and shown everywhere: 1024³ bytes. */
export function gigabytes(bytes: number): string {
  const value = bytes / 1024 ** 3;
  return showNumber(value, value < 10 ? 2 : 1);
}
