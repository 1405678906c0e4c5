import type { Rx } from "../tables/order.ts";
import type { Wanted } from "./download.archive.ts";

/** A file of an archive: where it lies, and where it stands there. */
export interface Packed {
  path: string;
  role: string;
  at: Date;
  iid: string;
  sha256: string;
  bytes: number;
  isDicom: boolean;
  /** The order or the link for which names are taken out. */
  clean: string | null;
}

export const manifestPath = "manifest.json";

/** What the archive says of itself: which order, what was prescribed, and the hash of each file as it stands in it. */
export function manifestOf(
  { order, nameless }: Wanted,
  packed: readonly Pick<Packed, "path" | "role" | "bytes" | "sha256">[],
  leftOut: readonly string[],
): Buffer {
  const said = {
    format: "arcada-order",
    version: 1,
    order: order.number,
    patient: nameless ? "" : order.shown_name,
    prescription: { caseType: order.case_type, ...wordsOf(order.rx, nameless) },
    files: packed.map(({ path, role, bytes, sha256 }) => ({ path, role, bytes, sha256 })),
    // Names could not be taken out of them.
    ...(leftOut.length > 0 && { leftOut }),
  };
  return Buffer.from(`${JSON.stringify(said, null, 2)}\n`);
}

/** Free text names people: it stays behind with the names. How the two organisations agreed is theirs. */
export const wordsOf = (
  { studies: _, maskName: __, mayForward: ___, namePasses: ____, labShares: _____, ...rx }: Rx,
  nameless: boolean,
) =>
  nameless
    ? { ...rx, sourceOrder: null, instructions: null, items: rx.items.map((item) => ({ ...item, remark: null })) }
    : rx;
