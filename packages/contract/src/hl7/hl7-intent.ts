/** The person of a message. A property that is missing was not said; null deletes the value. */
export interface Hl7Person {
  /** The number in the sender's system; "" if there is none. */
  number: string;
  /** In DICOM form: family name, "^", given name. "" if there is none. */
  name: string;
  birthDate?: string | undefined;
  sex?: "male" | "female" | "other" | undefined;
  phone?: string | null | undefined;
  mailAddress?: string | null | undefined;
  email?: string | null | undefined;
}

/** A request for images, as ORM^O01 or OMI^O23 brings it. */
export interface Hl7Order {
  action: "request" | "cancel";
  /** ORC-2 and ORC-3, as results must repeat them. */
  placer: string;
  filler: string;
  accession: string;
  /** OBR-4: the procedure's code and its words. */
  code: string;
  description: string;
  reason: string;
  requester: string;
  /** Local date and time. */
  scheduledAt: string | null;
  /** FDI numbers. */
  teeth: number[];
}

/** The change that a received message asks for. */
export type Hl7Intent =
  | { kind: "patient"; person: Hl7Person; orders: Hl7Order[] }
  | { kind: "merge"; person: Hl7Person; formerNumber: string }
  | { kind: "deletion"; person: Hl7Person };
