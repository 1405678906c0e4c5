/** Sections by their lower-case names, their keys in lower case. */
export type IniFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const iniLimits = { bytes: 256 * 1024 } as const;

/** Thrown for a file that is no INI file, or too large for one. */
export class IniError extends Error {}

/**
 * Reads an INI file of Windows in code page 1252: of keys that occur twice in a section the first counts, as for the
 * functions of Windows.
 * @throws {IniError}
 */
export function readIni(bytes: Uint8Array): IniFile {
  if (bytes.length > iniLimits.bytes || bytes.includes(0)) throw new IniError();
  const sections: Record<string, Record<string, string>> = Object.create(null) as Record<
    string,
    Record<string, string>
  >;
  let current: Record<string, string> | undefined;
  for (const raw of new TextDecoder("windows-1252").decode(bytes).split(/\r\n|\n|\r/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith(";")) continue;
    if (line.startsWith("[") && line.includes("]")) {
      current = sections[line.slice(1, line.indexOf("]")).trim().toLowerCase()] ??= Object.create(null) as Record<
        string,
        string
      >;
      continue;
    }
    const at = line.indexOf("=");
    if (at > 0 && current) current[line.slice(0, at).trim().toLowerCase()] ??= line.slice(at + 1).trim();
  }
  return sections;
}

/** Writes sections in their order, in code page 1252; letters that it lacks become "?". */
export function writeIni(sections: Readonly<Record<string, Readonly<Record<string, string | number>>>>): Uint8Array {
  const lines = Object.entries(sections).flatMap(([name, values]) => [
    `[${name}]`,
    ...Object.entries(values).map(([key, value]) => `${key}=${String(value).replaceAll(/[\r\n]+/g, " ")}`),
  ]);
  return Uint8Array.from(`${lines.join("\r\n")}\r\n`, (letter) => {
    const code = letter.codePointAt(0)!;
    return code < 128 || (code > 159 && code < 256) ? code : 63;
  });
}
