import type { Hl7Intent } from "@arcada/contract/hl7/hl7-intent";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Reason } from "@arcada/contract/hl7/hl7.rules";
import type { Hl7Message } from "@arcada/exchange/hl7/hl7-message";
import type { Hl7Header } from "@arcada/exchange/hl7/read-header";
import { readHl7Orders } from "@arcada/exchange/hl7/read-order";
import { readFormerNumber, readHl7Person } from "@arcada/exchange/hl7/read-person";
import type { Acknowledgement } from "@arcada/exchange/hl7/write-acknowledgement";

/** The intent of a message, or the reason why nothing is done with it. */
export type ReadMessage =
  | { intent: Hl7Intent; notes: string[] }
  | { state: "ignored" | "refused"; reason: Hl7Reason; ack: Acknowledgement };

const patientEvents = new Set(["A01", "A04", "A05", "A08", "A28", "A31"]);
const mergeEvents = new Set(["A40", "A34", "A18", "A39"]);
const deletionEvents = new Set(["A23", "A29"]);
const orderMessages = new Set(["ORM", "OMI"]);

export function readIntent(message: Hl7Message, header: Hl7Header, connection: Hl7Connection): ReadMessage {
  if (!isForUs(header, connection))
    return refuseMessage("notForUs", {
      code: "AR",
      error: { code: "unknownKey", text: "MSH-5 or MSH-6 is another receiver" },
    });
  const isOrder = orderMessages.has(header.type);
  if (!isOrder && header.type !== "ADT") {
    const text = `messages of the type ${/^\w{1,3}$/.test(header.type) ? header.type : "?"} are not taken`;
    return refuseMessage("unsupportedType", { code: "AR", error: { code: "unsupportedType", text } });
  }
  if (!isOrder && ![patientEvents, mergeEvents, deletionEvents].some((events) => events.has(header.event)))
    return { state: "ignored", reason: "eventNotUsed", ack: { code: "AA" } };
  const pid = message.segment("PID");
  if (!pid)
    return refuseMessage("noPatient", { code: "AE", error: { code: "segmentSequence", text: "PID is missing" } });
  const notes: string[] = [];
  const person = readHl7Person(pid, connection.authority, notes);
  if (person.number === "") {
    const text = connection.authority === "" ? "PID-3 has no number" : `PID-3 has no number of ${connection.authority}`;
    return refuseMessage("noNumber", { code: "AE", error: { code: "fieldMissing", text } });
  }
  if (deletionEvents.has(header.event) && !isOrder) return { intent: { kind: "deletion", person }, notes };
  if (mergeEvents.has(header.event) && !isOrder) {
    const formerNumber = readFormerNumber(message, connection.authority);
    return formerNumber === ""
      ? refuseMessage("noNumber", { code: "AE", error: { code: "fieldMissing", text: "MRG-1 has no number" } })
      : { intent: { kind: "merge", person, formerNumber }, notes };
  }
  const orders = isOrder ? readHl7Orders(message, notes) : [];
  if (isOrder && orders.length === 0) return { state: "ignored", reason: "orderNotUsed", ack: { code: "AA" } };
  return { intent: { kind: "patient", person, orders }, notes };
}

const refuseMessage = (reason: Hl7Reason, ack: Acknowledgement): ReadMessage => ({ state: "refused", reason, ack });

const isForUs = (header: Hl7Header, { receiver, receiverFacility }: Hl7Connection): boolean =>
  isSameOrFree(receiver, header.receiver) && isSameOrFree(receiverFacility, header.receiverFacility);
const isSameOrFree = (configured: string, written: string): boolean =>
  configured === "" || configured.toLowerCase() === written.toLowerCase();
