import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { StartError, type Config } from "../platform/runtime/config.ts";
import type { ReceiverTls } from "./receiver.ts";

type TlsSettings = Pick<Config, "DICOM_TLS_CERT" | "DICOM_TLS_KEY" | "DICOM_TLS_CA">;

/**
 * Reads and tests the certificate with which this server speaks DICOM over TLS, in both directions; null without one.
 * Throws StartError: a device that cannot connect would give no reason.
 */
export function readTlsFiles({ DICOM_TLS_CERT, DICOM_TLS_KEY, DICOM_TLS_CA }: TlsSettings): ReceiverTls | null {
  if (!DICOM_TLS_CERT || !DICOM_TLS_KEY) return null;
  const tls: ReceiverTls = {
    cert: readSettingFile("DICOM_TLS_CERT", DICOM_TLS_CERT),
    key: readSettingFile("DICOM_TLS_KEY", DICOM_TLS_KEY),
    ...(DICOM_TLS_CA && { ca: readSettingFile("DICOM_TLS_CA", DICOM_TLS_CA) }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new StartError(
      `DICOM_TLS_CERT, DICOM_TLS_KEY and DICOM_TLS_CA do not make a certificate with its key: ${(error as Error).message}`,
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
