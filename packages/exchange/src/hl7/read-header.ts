import { cutText } from "./cut-text.ts";
import { parseHl7Header, type Hl7Message, type Hl7Segment } from "./hl7-message.ts";

/** The header of a message. */
export interface Hl7Header {
  application: string;
  facility: string;
  receiver: string;
  receiverFacility: string;
  /** MSH-9, such as ADT and A04. */
  type: string;
  event: string;
  controlId: string;
  version: string;
  processing: string;
}

/** Reads the header alone, also of a message whose text cannot be decoded. Throws ExchangeError `notHl7`. */
export const peekHl7Header = (bytes: Uint8Array): Hl7Header => toHeader(parseHl7Header(bytes), "");

export const readHl7Header = (message: Hl7Message): Hl7Header =>
  // Version 2.2, and some senders later, name the event in EVN-1 alone.
  toHeader(message.segments[0]!, message.segment("EVN")?.get(1) ?? "");

function toHeader(header: Hl7Segment, event: string): Hl7Header {
  const text = (field: number, component = 1): string => header.get(field, component) ?? "";
  return {
    application: text(3),
    facility: text(4),
    receiver: text(5),
    receiverFacility: text(6),
    type: text(9).toUpperCase(),
    event: (text(9, 2) || event).toUpperCase(),
    controlId: cutText(text(10), 199),
    version: text(12),
    processing: text(11) || "P",
  };
}
