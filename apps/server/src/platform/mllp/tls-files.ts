import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { StartError, type Config } from "../runtime/config.ts";
import type { MllpTls } from "./mllp-listener.ts";

type TlsSettings = Pick<Config, "HL7_TLS_CERT" | "HL7_TLS_KEY" | "HL7_TLS_CA">;

/**
 * Reads and tests the certificate with which this server speaks MLLP over TLS, in both directions; null without one.
 * Throws StartError: a sender that cannot connect would give no reason.
 */
export function readMllpTls({ HL7_TLS_CERT, HL7_TLS_KEY, HL7_TLS_CA }: TlsSettings): MllpTls | null {
  if (!HL7_TLS_CERT || !HL7_TLS_KEY) return null;
  const tls: MllpTls = {
    cert: readSettingFile("HL7_TLS_CERT", HL7_TLS_CERT),
    key: readSettingFile("HL7_TLS_KEY", HL7_TLS_KEY),
    ...(HL7_TLS_CA && { ca: readSettingFile("HL7_TLS_CA", HL7_TLS_CA) }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new StartError(
      `HL7_TLS_CERT, HL7_TLS_KEY and HL7_TLS_CA do not make a certificate with its key: ${(error as Error).message}`,
    );
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
