import type { ArchiveLayout } from "@arcada/contract/order/download.calls";
import type { ProgramWords } from "@arcada/exchange/lab-case/lab-words";
import type { Language } from "../../platform/text/texts.ts";
import type { Slice } from "./download.store.ts";
import type { NamedOrder, OrderParts } from "../core/order.read.ts";
import type { AccessibleFile } from "../files/file-access.ts";

/** A file of an archive: its location in the store, and its path in the archive. */
export interface ArchiveFile {
  path: string;
  role: string;
  at: Date;
  iid: string;
  sha256: string;
  bytes: number;
  isDicom: boolean;
  /** The order or the link for which the file is de-identified. */
  deidentifyFor: string | null;
}

/** The content of an archive, and what its reader may see of it. */
export interface ArchiveContent {
  order: NamedOrder;
  accessibleFiles: AccessibleFile[];
  slices: Slice[];
  revisions: OrderParts["revisions"];
  language: Language;
  layout: ArchiveLayout;
  /** The organisation that downloads, or that shares. */
  readerId: string;
  /** The member who downloads; null for a guest. */
  userId: string | null;
  /** The settings of the laboratory that downloads for its CAD programs; empty for others. */
  lab: { words: ProgramWords; template: Uint8Array | null };
  /** A link for guests leaves out data that name the patient, and free text with them. */
  isDeidentified: boolean;
}
