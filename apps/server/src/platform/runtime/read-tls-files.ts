import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { StartError, type Config } from "./config.ts";

/** A certificate with its key, and the authority whose certificates peers must show, if one is set. */
export interface TlsFiles {
  cert: Buffer;
  key: Buffer;
  ca?: Buffer;
}
type Protocol = "DICOM" | "HL7";

/**
 * Reads and tests the certificate with which this server speaks a protocol over TLS, in both directions; null without
 * one. Throws StartError: a peer that cannot connect would give no reason.
 */
export function readTlsFiles(
  protocol: Protocol,
  config: Pick<Config, `${Protocol}_TLS_${"CERT" | "KEY" | "CA"}`>,
): TlsFiles | null {
  const names = [`${protocol}_TLS_CERT`, `${protocol}_TLS_KEY`, `${protocol}_TLS_CA`] as const;
  const [cert, key, ca] = names.map((name) => config[name]);
  if (!cert || !key) return null;
  const tls: TlsFiles = {
    cert: readSettingFile(names[0], cert),
    key: readSettingFile(names[1], key),
    ...(ca && { ca: readSettingFile(names[2], ca) }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    const message = (error as Error).message;
    throw new StartError(`${names[0]}, ${names[1]} and ${names[2]} do not make a certificate with its key: ${message}`);
  }
  return tls;
}

function readSettingFile(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
