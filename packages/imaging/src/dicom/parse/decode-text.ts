/** Decodes the bytes of one DICOM value. */
export interface DicomTextDecoder {
  (bytes: Uint8Array): string;
  /** True where the bytes are not in the declared sets, and the text is the likeliest one: show it as a guess. */
  isGuess(bytes: Uint8Array): boolean;
}

/**
 * Creates the reader for the values of Specific Character Set (0008,0005), in the order of the file.
 * Source: PS3.3 C.12.1.1.2 (defined terms), PS3.5 6.1.2.5 (ISO 2022 escapes).
 * Bytes that no declared set explains are guessed: UTF-8, then Chinese, then Latin 1. The rest becomes U+FFFD; nothing
 * is thrown.
 */
export function createTextDecoder(declared: readonly string[]): DicomTextDecoder {
  const names = declared.map((name) => name.trim().toUpperCase());
  const whole = names.map((name) => standaloneCharsets[name]).find((label) => label !== undefined);
  const isPlain = names.every((name) => name === "" || name.endsWith("IR 6"));
  // Devices write Latin 1 by default, so it is trusted only if the bytes can be Latin words.
  const isLatin = names.length === 1 && /^ISO(_IR| 2022 IR) 100$/.test(names[0]);
  const guessedEncoding = (bytes: Uint8Array): string | null => {
    if (!bytes.some((byte) => byte > 0x7f) || bytes.includes(esc)) return null;
    if (whole === "utf-8") return isUtf8(bytes) ? null : guessEncoding(bytes);
    if (isPlain) return guessEncoding(bytes);
    if (isLatin) return isEastAsianUtf8(bytes) ? "utf-8" : isAllHanzi(bytes) ? "gb18030" : null;
    return null;
  };
  // PS3.5 6.1.2.5.4: the multi-byte sets without code extensions are used alone and without escapes.
  const read = (bytes: Uint8Array) =>
    whole === undefined ? decodeWithEscapes(bytes, initialState(names)) : getDecoder(whole).decode(bytes);
  return Object.assign(
    (bytes: Uint8Array) => {
      const label = guessedEncoding(bytes);
      return label === null ? read(bytes) : getDecoder(label).decode(bytes);
    },
    { isGuess: (bytes: Uint8Array) => guessedEncoding(bytes) !== null },
  );
}

const standaloneCharsets: Record<string, string> = {
  "ISO_IR 192": "utf-8",
  "ISO 2022 IR 192": "utf-8",
  GB18030: "gb18030",
  GBK: "gbk",
};

/** The encodings of bytes from 0x80 up (G1); the value is a TextDecoder label. */
const g1Charsets: Record<string, string> = {
  "100": "iso-8859-1",
  "101": "iso-8859-2",
  "109": "iso-8859-3",
  "110": "iso-8859-4",
  "144": "iso-8859-5",
  "127": "iso-8859-6",
  "126": "iso-8859-7",
  "138": "iso-8859-8",
  "148": "iso-8859-9",
  "203": "iso-8859-15",
  "166": "windows-874",
  "13": "shift_jis",
  "149": "euc-kr",
  "58": "gb18030",
};

type G0Charset = "ascii" | "jisX0208" | "jisX0212";
interface DecoderState {
  low: G0Charset;
  high: string | null;
}

/** Before any escape the first declared set holds; writers of Chinese and Korean leave escapes out, so later ones count too. */
function initialState(names: readonly string[]): DecoderState {
  const known = names.map((name) => g1Charsets[/IR[ _](\d+)$/.exec(name)?.[1] ?? ""]);
  return { low: "ascii", high: known.find((label) => label !== undefined) ?? null };
}

/** Escape sequences after the ESC byte. JIS X 0201 Romaji counts as ASCII: 0x5C stays the value delimiter. */
const escapeSequences: Record<string, { low: G0Charset } | { high: string }> = {
  "(B": { low: "ascii" },
  "(J": { low: "ascii" },
  $B: { low: "jisX0208" },
  "$@": { low: "jisX0208" },
  "$(D": { low: "jisX0212" },
  ")I": { high: "shift_jis" },
  "$)C": { high: "euc-kr" },
  "$)A": { high: "gb18030" },
  "-A": { high: "iso-8859-1" },
  "-B": { high: "iso-8859-2" },
  "-C": { high: "iso-8859-3" },
  "-D": { high: "iso-8859-4" },
  "-L": { high: "iso-8859-5" },
  "-G": { high: "iso-8859-6" },
  "-F": { high: "iso-8859-7" },
  "-H": { high: "iso-8859-8" },
  "-M": { high: "iso-8859-9" },
  "-b": { high: "iso-8859-15" },
  "-T": { high: "windows-874" },
};

const esc = 0x1b;

function decodeWithEscapes(bytes: Uint8Array, start: DecoderState): string {
  let state = { ...start };
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === esc) {
      const found = readEscape(bytes, at + 1);
      if (found !== null) {
        state = { ...state, ...found.change };
        at += 1 + found.length;
        continue;
      }
    }
    const end = findRunEnd(bytes, at, state.low);
    text += decodeRun(bytes.subarray(at, end), state);
    // PS3.5 6.1.2.5.3: a delimiter puts the first set back.
    if (state.low === "ascii" && isDelimiter(bytes[end - 1])) state = { ...start };
    at = end;
  }
  return text;
}

function readEscape(bytes: Uint8Array, at: number): { change: Partial<DecoderState>; length: number } | null {
  for (const length of [3, 2]) {
    const change = escapeSequences[String.fromCharCode(...bytes.subarray(at, at + length))];
    if (change !== undefined) return { change, length };
  }
  return null;
}

/** A run ends before the next escape, or after a delimiter; inside a two-byte set `^ = \` are ordinary characters. */
function findRunEnd(bytes: Uint8Array, from: number, low: G0Charset): number {
  let at = from;
  while (at < bytes.length) {
    if (bytes[at] === esc && at > from) return at;
    if (low === "ascii" && isDelimiter(bytes[at])) return at + 1;
    at++;
  }
  return at;
}

const isDelimiter = (byte: number): boolean =>
  byte === 0x5c || byte === 0x5e || byte === 0x3d || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x09;

function decodeRun(run: Uint8Array, state: DecoderState): string {
  if (state.low === "jisX0208")
    return getDecoder("euc-jp").decode(run.map((byte) => (byte > 0x20 ? byte | 0x80 : byte)));
  if (state.low === "jisX0212") return getDecoder("euc-jp").decode(jisX0212AsEuc(run));
  if (state.high === null) return getDecoder(run.some((byte) => byte > 0x7f) ? "utf-8" : "ascii").decode(run);
  return getDecoder(state.high).decode(run);
}

/** EUC-JP writes JIS X 0212 as 0x8F and two bytes with the high bit set. */
function jisX0212AsEuc(run: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at + 1 < run.length; at += 2) out.push(0x8f, run[at] | 0x80, run[at + 1] | 0x80);
  return Uint8Array.from(out);
}

/** No set declared means ASCII; devices write other bytes nevertheless. */
const guessEncoding = (bytes: Uint8Array): string =>
  isUtf8(bytes) ? "utf-8" : looksLikeGb2312(bytes) ? "gb18030" : "iso-8859-1";

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Three bytes that form one UTF-8 character are no Latin word. */
const isEastAsianUtf8 = (bytes: Uint8Array): boolean => isUtf8(bytes) && bytes.some((byte) => byte >= 0xe0);

/**
 * Latin words contain ASCII letters too. The text is a Chinese name if its non-ASCII parts consist only of high-byte
 * pairs, at least two.
 */
function isAllHanzi(bytes: Uint8Array): boolean {
  const parts = latin1.decode(bytes).split(/[\\^= \0]+/);
  const high = parts.filter((part) => /[\x80-\xff]/.test(part));
  const letters = high.join("").length;
  return letters >= 4 && high.every((part) => /^([\xb0-\xf7][\xa1-\xfe])+$/.test(part));
}

const latin1 = new TextDecoder("iso-8859-1");

/** Returns true if all high bytes come in pairs that are hanzi of GB 2312 (rows 16 to 87). */
function looksLikeGb2312(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] < 0x80) continue;
    const [lead, trail] = [bytes[at], bytes[++at] ?? 0];
    if (lead < 0xb0 || lead > 0xf7 || trail < 0xa1) return false;
  }
  return true;
}

const decoders = new Map<string, TextDecoder>();

function getDecoder(label: string): TextDecoder {
  const known = decoders.get(label) ?? new TextDecoder(label);
  decoders.set(label, known);
  return known;
}
