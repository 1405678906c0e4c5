export type FileKind =
  | "dicom"
  | "zip"
  | "archive"
  | "jpeg"
  | "png"
  | "stl"
  | "ply"
  | "obj"
  | "3mf"
  | "gif"
  | "bmp"
  | "tiff"
  | "pdf"
  | "mp4"
  | "heic"
  | "empty"
  | "unknown";

/**
 * Determines the kind of a file from its content.
 * @param bytes the first 4 kB or more; the whole file when it is smaller
 * @param name used only where the content allows two answers (a damaged STL, an OBJ that starts with a long comment)
 * @param size length of the whole file in bytes
 */
export function detectFileKind(bytes: Uint8Array, name: string, size: number): FileKind {
  if (size === 0 || bytes.length === 0) return "empty";
  // A DICOM file may carry a TIFF header in its preamble (PS3.10 7.1), so DICM is checked first.
  if (startsWith(bytes, "DICM", 128)) return "dicom";
  const bySignature = detectBySignature(bytes);
  if (bySignature === "zip" && is3mf(bytes, name)) return "3mf";
  if (bySignature) return bySignature;
  if (isBinaryStl(bytes, size)) return "stl";
  if (isDicomWithoutPreamble(bytes)) return "dicom";
  return isText(bytes) ? detectTextKind(bytes, name, size) : detectDamagedStl(bytes, name, size);
}

const extensionOf = (name: string): string => name.toLowerCase().split(".").at(-1) ?? "";

function startsWith(bytes: Uint8Array, signature: string, at = 0): boolean {
  if (bytes.length < at + signature.length) return false;
  for (let i = 0; i < signature.length; i++) if (bytes[at + i] !== signature.charCodeAt(i)) return false;
  return true;
}

const signatures: readonly (readonly [FileKind, string])[] = [
  ["zip", "PK\u0003\u0004"],
  ["zip", "PK\u0005\u0006"],
  ["zip", "PK\u0007\u0008"],
  ["archive", "Rar!\u001a\u0007"],
  ["archive", "7z\u00bc\u00af\u0027\u001c"],
  ["archive", "\u001f\u008b\u0008"],
  ["archive", "\u00fd7zXZ\0"],
  ["jpeg", "\u00ff\u00d8\u00ff"],
  ["png", "\u0089PNG\r\n\u001a\n"],
  ["gif", "GIF87a"],
  ["gif", "GIF89a"],
  ["tiff", "II*\0"],
  ["tiff", "MM\0*"],
  ["tiff", "II+\0"],
  ["tiff", "MM\0+"],
  ["pdf", "%PDF-"],
];

function detectBySignature(bytes: Uint8Array): FileKind | null {
  for (const [kind, signature] of signatures) if (startsWith(bytes, signature)) return kind;
  // POSIX 1003.1, "ustar Interchange Format".
  if (startsWith(bytes, "ustar", 257)) return "archive";
  if (isBitmap(bytes)) return "bmp";
  if (isHeic(bytes)) return "heic";
  if (isMp4(bytes)) return "mp4";
  if ((startsWith(bytes, "ply\n") || startsWith(bytes, "ply\r")) && decodeLatin1(bytes).includes("\nformat "))
    return "ply";
  return isLatePdf(bytes) ? "pdf" : null;
}

/** An archive whose first entry belongs to a package of OPC and that has a model of 3MF (core specification 2.1). */
function is3mf(bytes: Uint8Array, name: string): boolean {
  if (extensionOf(name) === "3mf") return true;
  const head = decodeLatin1(bytes);
  if (!/^(\[Content_Types\]\.xml|_rels\/|3D\/|Metadata\/|docProps\/)/i.test(head.slice(30))) return false;
  const tail = new TextDecoder("latin1").decode(bytes.subarray(-16_384));
  return /3D\/[^\0/]{1,100}\.model/i.test(`${head}\0${tail}`);
}

// ISO/IEC 23008-12: a box "ftyp" whose major brand, from byte 8 on, is one of HEIF with HEVC, or HEIF in general.
const heicBrands = ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"] as const;
const isHeic = (bytes: Uint8Array): boolean =>
  startsWith(bytes, "ftyp", 4) && heicBrands.some((brand) => startsWith(bytes, brand, 8));

// Videos by their major brand: ISO base media of any edition, MPEG-4 and QuickTime. Sound alone has other brands.
const isMp4 = (bytes: Uint8Array): boolean =>
  startsWith(bytes, "ftyp", 4) &&
  /^(iso[\dm]|mp4[12]|avc[1-4]|M4V[ PH]|MSNV|3g[p2][\da-z]|qt {2}|dash)/.test(decodeLatin1(bytes.subarray(8, 12)));

// "BM" alone opens many a text: the size of the header behind it decides (12 for OS/2, 40 to 124 for Windows).
function isBitmap(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, "BM") || bytes.length < 18) return false;
  return [12, 40, 52, 56, 64, 108, 124].includes(toDataView(bytes).getUint32(14, true));
}

// Readers accept the signature within the first 1024 bytes (ISO 32000-1, annex H), behind a byte order mark for
// instance.
const isLatePdf = (bytes: Uint8Array): boolean => /^[^\n]{0,16}\n?%PDF-\d/.test(decodeLatin1(bytes.subarray(0, 64)));

function isBinaryStl(bytes: Uint8Array, size: number): boolean {
  if (bytes.length < 84) return false;
  const triangles = toDataView(bytes).getUint32(80, true);
  return triangles > 0 && 84 + 50 * triangles === size;
}

// A truncated or padded STL is recognised by its name, so that its reader can report the damage.
function detectDamagedStl(bytes: Uint8Array, name: string, size: number): FileKind {
  if (extensionOf(name) !== "stl" || size < 84 + 50 || bytes.length < 84 + 48) return "unknown";
  const view = toDataView(bytes);
  if (view.getUint32(80, true) === 0) return "unknown";
  for (let i = 0; i < 12; i++) {
    const value = Math.abs(view.getFloat32(84 + 4 * i, true));
    if (!(value < 1e6) || (value !== 0 && value < 1e-20)) return "unknown";
  }
  return "stl";
}

/** A data set without preamble (ACR-NEMA, or written by simple tools): three elements in a row must make sense. */
function isDicomWithoutPreamble(bytes: Uint8Array): boolean {
  const view = toDataView(bytes);
  let at = 0;
  let last = 0;
  for (let seen = 0; seen < 3; seen++) {
    if (at + 8 > bytes.length) return false;
    const group = view.getUint16(at, true);
    const tag = group * 0x10000 + view.getUint16(at + 2, true);
    if ((seen === 0 && group !== 2 && group !== 8) || group > 0x28 || (seen > 0 && tag <= last)) return false;
    const end = elementEnd(bytes, view, at);
    if (end === null) return false;
    last = tag;
    at = end;
  }
  return true;
}

const shortFormVrs = /^(AE|AS|AT|CS|DA|DS|DT|FL|FD|IS|LO|LT|PN|SH|SL|SS|ST|TM|UI|UL|US)$/;
const longFormVrs = /^(OB|OW|SQ|UN|UT|UC|UR)$/;

function elementEnd(bytes: Uint8Array, view: DataView, at: number): number | null {
  const vr = String.fromCharCode(bytes[at + 4]!, bytes[at + 5]!);
  if (shortFormVrs.test(vr)) return at + 8 + view.getUint16(at + 6, true);
  if (longFormVrs.test(vr)) return at + 12 <= bytes.length ? at + 12 + view.getUint32(at + 8, true) : null;
  const length = view.getUint32(at + 4, true);
  return length < 1024 && length % 2 === 0 ? at + 8 + length : null;
}

// Bytes over 0x7f are let through: names in comments may be in any encoding.
function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(0, 4096)) if (byte < 9 || (byte > 13 && byte < 32)) return false;
  return true;
}

function detectTextKind(bytes: Uint8Array, name: string, size: number): FileKind {
  const text = decodeLatin1(bytes);
  if (/^\s*solid\b/.test(text) && (/\n[^\S\n]*(facet\s+normal|endsolid)\b/.test(text) || extensionOf(name) === "stl"))
    return "stl";
  return isObj(text, name, size > bytes.length) ? "obj" : "unknown";
}

const objKeyword = /^(v|vn|vt|vp|f|l|p|o|g|s|mg|mtllib|usemtl|#.*)$/;
const objVertex = /^v(\s+[-+.\deE]+){3,7}\s*$/;
const objFace = /^f(\s+-?\d+(\/-?\d*){0,2}){3,}\s*$/;

function isObj(text: string, name: string, isPartial: boolean): boolean {
  const lines = text.split(/\r\n|\n|\r/);
  if (isPartial) lines.pop();
  let vertices = 0;
  let faces = 0;
  for (const line of lines.map((each) => each.trim())) {
    if (line === "") continue;
    if (!objKeyword.test(line.split(/\s/, 1)[0]!)) return false;
    if (objVertex.test(line)) vertices++;
    if (objFace.test(line)) faces++;
  }
  return (vertices > 2 && (faces > 0 || isPartial)) || extensionOf(name) === "obj";
}

const toDataView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const decodeLatin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes.subarray(0, 16_384));
