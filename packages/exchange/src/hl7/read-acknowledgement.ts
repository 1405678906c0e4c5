import { ExchangeError } from "../exchange-error.ts";
import { parseHl7 } from "./hl7-message.ts";

export interface ReadAcknowledgement {
  /** MSA-1: AA, AE, AR, or CA, CE, CR in the enhanced mode. */
  code: string;
  /** MSA-2. */
  controlId: string;
  /** The reason, from MSA-3 or ERR. */
  reason: string;
}

/** Reads an acknowledgement; null if the bytes are none. */
export function readAcknowledgement(bytes: Uint8Array): ReadAcknowledgement | null {
  try {
    const message = parseHl7(bytes);
    const [msa, err] = [message.segment("MSA"), message.segment("ERR")];
    if (!msa) return null;
    const reason = msa.get(3) || err?.get(8) || err?.get(3, 2) || "";
    return { code: msa.get(1) ?? "", controlId: msa.get(2) ?? "", reason };
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

export const ackCodeOf = (bytes: Uint8Array): string | null => readAcknowledgement(bytes)?.code ?? null;
