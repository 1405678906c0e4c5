import type { MllpPeer, MllpListener } from "./platform/mllp/mllp-listener.ts";
import { listenForMllp } from "./platform/mllp/mllp-listener.ts";
import { readTlsFiles } from "./platform/runtime/read-tls-files.ts";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import { peekHl7Header, type Hl7Header } from "@arcada/exchange/hl7/read-header";
import { writeAcknowledgement } from "@arcada/exchange/hl7/write-acknowledgement";
import { acknowledgeUnreadable, receiveMessage } from "./hl7/receive-message.ts";
import { hl7Port, type Config } from "./platform/runtime/config.ts";
import { isInNetworks, type AllowedCaller } from "./platform/runtime/dicom-callers.ts";
import type { Database } from "./platform/database/database.ts";
import { newId } from "./platform/runtime/ids-and-secrets.ts";
import { hl7Faults, hl7Messages } from "./platform/telemetry/counters-and-histograms.ts";
import { createLogLimit } from "./platform/telemetry/log-limit.ts";
import { logEvent } from "./platform/telemetry/log.ts";
import { describeError } from "./platform/telemetry/redact-error.ts";

/** Listens for systems that send HL7 by MLLP. Null: not configured. */
export async function listenForHl7(
  config: Config,
  database: Database,
  messageMs?: number,
): Promise<MllpListener | null> {
  const port = hl7Port(config);
  if (port === null) return null;
  const isNews = createLogLimit();
  const senders = [...config.HL7_SENDERS.values()];
  return listenForMllp({
    host: config.HL7_HOST ?? config.HOST,
    port,
    setting: "HL7_PORT",
    tls: readTlsFiles("HL7", config),
    mayConnect: (address) => senders.some(({ networks }) => networks === null || isInNetworks(networks, address)),
    ...(messageMs !== undefined && { messageMs }),
    onFault: (fault, address) => {
      hl7Faults.inc({ fault });
      if (!isNews(`${fault} ${address}`)) return;
      logEvent("warn", "hl7", `the connection of ${address}: ${faultWords[fault]}`);
    },
    answer: (message, peer) => answer(config, database, message, peer, isNews),
  });
}

const faultWords = {
  tooLong: "a message without an end was longer than allowed; the connection was closed",
  noEnd: "a message began before the one before it had ended; that one was dropped and not acknowledged",
  notMllp: "it does not speak MLLP; it was closed",
  slow: "a message was not complete in time; the connection was closed",
  tooMany: "too many connections; a new one was refused",
  tls: "no TLS, a version before 1.2, no valid certificate that HL7_TLS_CA signed, or it does not accept HL7_TLS_CERT",
} as const;

/**
 * The header decides to which clinic a message belongs. It proves nothing, so the operator names the networks, or the
 * certificate, of each sender.
 */
async function answer(
  config: Config,
  database: Database,
  message: Uint8Array,
  peer: MllpPeer,
  isNews: (key: string) => boolean,
): Promise<string | null> {
  try {
    const header = peekHl7Header(message);
    const sender = findAllowed(config, header, peer);
    if (sender) return await receiveMessage(database, sender.iid, message);
    hl7Messages.inc({ direction: "in", outcome: "refused" });
    if (isNews(`unknown ${peer.address}`))
      logEvent(
        "warn",
        "hl7",
        `a message from ${peer.address} was refused: HL7_SENDERS, its networks or HL7_TLS_NAMES do not allow its sender`,
      );
    const error = { code: "unknownKey", text: "MSH-3 and MSH-4 name a sender that is not set up" } as const;
    return writeAcknowledgement(header, { code: "AR", error }, newId().slice(-12), new Date());
  } catch (error) {
    if (error instanceof ExchangeError) return acknowledgeUnreadable();
    logEvent("error", "hl7", describeError(error));
    return null;
  }
}

function findAllowed(
  { HL7_SENDERS, HL7_TLS_NAMES }: Config,
  { application, facility }: Hl7Header,
  { address, certificateNames }: MllpPeer,
): AllowedCaller | null {
  for (const name of [`${application}|${facility}`, application]) {
    const sender = HL7_SENDERS.get(name);
    if (!sender) continue;
    const certificate = HL7_TLS_NAMES.get(name);
    const isAllowed = sender.networks === null || isInNetworks(sender.networks, address);
    return isAllowed && (certificate === undefined || certificateNames.includes(certificate)) ? sender : null;
  }
  return null;
}
