import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import { ackCodeOf } from "@arcada/exchange/hl7/read-acknowledgement";
import { isInNetworks } from "../platform/runtime/dicom-callers.ts";
import { listenForMllp, type MllpListener } from "../platform/mllp/mllp-listener.ts";
import { createLogLimit } from "../platform/telemetry/log-limit.ts";
import { callCloud } from "./cloud-calls.ts";
import { openConnection } from "./cloud-connection.ts";
import type { GatewayConfig } from "./gateway.config.ts";

/** The state of the exchange with hospital and practice systems, without any content of the messages. */
export interface Hl7State {
  port: number;
  accepted: number;
  rejected: number;
  /** Messages that could not be passed on; their senders repeat them. */
  unanswered: number;
  lastAt: number | null;
  trouble: string | null;
}
export interface Hl7Forwarding {
  state: Hl7State;
  close(): Promise<void>;
}

/**
 * Listens for systems of the clinic that send HL7 by MLLP, and passes each message on to Arcada, whose acknowledgement
 * is the answer. The gateway keeps no message: while Arcada cannot be reached, the connection is closed without an
 * answer, and the sender repeats the message from its own queue. Null: not configured.
 */
export async function forwardHl7(config: GatewayConfig, log: (line: string) => void): Promise<Hl7Forwarding | null> {
  const { GATEWAY_HL7_PORT: port, GATEWAY_HL7_NETWORKS: networks } = config;
  if (port === undefined) return null;
  const { ask, close } = openConnection(config);
  const isNews = createLogLimit();
  const state: Hl7State = { port, accepted: 0, rejected: 0, unanswered: 0, lastAt: null, trouble: null };
  const listener: MllpListener = await listenForMllp({
    host: config.GATEWAY_HOST,
    port,
    setting: "GATEWAY_HL7_PORT",
    mayConnect: (address) => networks === null || isInNetworks(networks, address),
    onFault: (fault, address) => {
      if (isNews(`${fault} ${address}`)) log(`HL7 connection of ${address}: ${fault}`);
    },
    answer: async (message, { address }) => {
      try {
        const input = { message: Buffer.from(message).toString("base64") };
        const { reply } = await callCloud(ask, hl7Calls.receive, input, { silentMs: answerMs });
        const code = ackCodeOf(Buffer.from(reply));
        if (code === "AA") state.accepted += 1;
        else {
          state.rejected += 1;
          log(`an HL7 message from ${address} was answered with ${code ?? "?"}`);
        }
        state.lastAt = Date.now();
        state.trouble = null;
        return reply;
      } catch (error) {
        state.unanswered += 1;
        state.trouble = error instanceof Error ? error.message : "unknown";
        log(`an HL7 message from ${address} was not answered: ${state.trouble}`);
        return null;
      }
    },
  });
  state.port = listener.port;
  return {
    state,
    close: async () => {
      await listener.close();
      close();
    },
  };
}

/** Shorter than the time for which most senders wait. */
const answerMs = 20_000;
