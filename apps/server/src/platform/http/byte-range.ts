import type { ByteRange } from "../storage/file-store.ts";

/**
 * One byte range of a Range header (RFC 9110 14.1.2). "whole" where the header is absent, not understood, or asks for
 * several ranges, which a server may answer with everything; "none" where nothing of it exists.
 */
export function parseRange(header: string | undefined, total: number): ByteRange | "whole" | "none" {
  const found = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header?.trim() ?? "");
  if (!found || (found[1] === "" && found[2] === "")) return "whole";
  const [first, last] = [found[1]!, found[2]!];
  if (first === "") return suffixRange(Number(last), total);
  const start = Number(first);
  const end = last === "" ? total - 1 : Math.min(Number(last), total - 1);
  if (last !== "" && Number(last) < start) return "whole";
  return start < total ? { start, end } : "none";
}

const suffixRange = (count: number, total: number): ByteRange | "none" =>
  count === 0 || total === 0 ? "none" : { start: Math.max(0, total - count), end: total - 1 };
