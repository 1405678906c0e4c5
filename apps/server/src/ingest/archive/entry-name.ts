import type { Entry } from "yauzl";

/** An entry's name: UTF-8 if it is valid, else GB18030, in which Chinese systems write names without declaring it. */
export function decodeEntryName(entry: Pick<Entry, "fileNameRaw" | "extraFields">): string {
  const bytes = unicodePath(entry) ?? entry.fileNameRaw;
  const text = decodeUtf8(bytes) ?? gb18030.decode(bytes);
  return text.replaceAll("\\", "/");
}

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};
const utf8 = new TextDecoder("utf-8", { fatal: true });
const gb18030 = new TextDecoder("gb18030");

// APPNOTE 4.6.9: version, CRC-32 of the plain name, then the name in UTF-8.
function unicodePath({ extraFields }: Pick<Entry, "extraFields">): Uint8Array | null {
  const field = extraFields.find(({ id, data }) => id === 0x7075 && data.length > 5 && data[0] === 1);
  return field ? field.data.subarray(5) : null;
}

/**
 * Returns true for a path that leads out of the folder, to a root or a drive, or that contains characters that no name
 * has.
 */
export const isUnsafePath = (name: string): boolean =>
  name.includes("\0") || name.startsWith("/") || /^[a-z]:/i.test(name) || name.split("/").includes("..");

/** Returns true for hidden files that operating systems and programs leave in archives. */
export const isSystemFile = (name: string): boolean =>
  /(^|\/)(__MACOSX\/|\.[^/]|(Thumbs\.db|desktop\.ini)$)/i.test(name);
