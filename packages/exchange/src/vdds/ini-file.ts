import { ExchangeError } from "../exchange-error.ts";
import { decodeSingleByte, encodeSingleByte } from "../single-byte-text.ts";

/** Sections in their order, by the name as it is written, with their keys as they are written. */
export type IniFile = Map<string, Map<string, string>>;

export const iniLimits = { bytes: 256 * 1024, lines: 10_000 } as const;

/**
 * Reads an INI file of Windows in code page 1252, or UTF-8 with a byte order mark. Of keys that occur twice in a section
 * the first counts, as for the functions of Windows.
 * @throws ExchangeError "tooLarge", "notIni"
 */
export function readIni(bytes: Uint8Array): IniFile {
  if (bytes.length > iniLimits.bytes) throw new ExchangeError("tooLarge", `${bytes.length} bytes`);
  if (bytes.includes(0)) throw new ExchangeError("notIni");
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = isUtf8 ? new TextDecoder().decode(bytes) : decodeSingleByte(bytes, "windows-1252");
  const lines = text.split(/\r\n|\n|\r/, iniLimits.lines + 1);
  if (lines.length > iniLimits.lines) throw new ExchangeError("tooLarge", `more than ${iniLimits.lines} lines`);
  const file: IniFile = new Map();
  const sections = new Map<string, { values: Map<string, string>; keys: Set<string> }>();
  let current: { values: Map<string, string>; keys: Set<string> } | undefined;
  for (const raw of lines) {
    const line = raw.trim();
    const end = line.startsWith("[") ? line.indexOf("]") : -1;
    const at = line.indexOf("=");
    if (end > 0) {
      const name = line.slice(1, end).trim();
      current = sections.get(name.toLowerCase());
      if (current) continue;
      current = { values: new Map(), keys: new Set() };
      sections.set(name.toLowerCase(), current);
      file.set(name, current.values);
    } else if (at > 0 && current && !line.startsWith(";")) {
      const key = line.slice(0, at).trim();
      if (current.keys.has(key.toLowerCase())) continue;
      current.keys.add(key.toLowerCase());
      current.values.set(key, line.slice(at + 1).trim());
    }
  }
  return file;
}

/** Returns a section by its name in any case. */
export const findSection = (file: IniFile, name: string): Map<string, string> | undefined =>
  [...file].find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1];

/** Returns a value by the name of its key in any case; empty without one. */
export const findValue = (section: ReadonlyMap<string, string> | undefined, key: string): string =>
  section === undefined ? "" : ([...section].find(([own]) => own.toLowerCase() === key.toLowerCase())?.[1] ?? "");

/** Writes sections in their order, in code page 1252; letters that it lacks become "?". */
export const writeIni = (file: IniFile): Uint8Array =>
  encodeSingleByte(
    [...file]
      .flatMap(([name, values]) => [
        `[${name}]`,
        ...[...values].map(([key, value]) => `${key}=${value.replaceAll(/\p{Cc}+/gu, " ")}`),
      ])
      .map((line) => `${line}\r\n`)
      .join(""),
    "windows-1252",
  );
