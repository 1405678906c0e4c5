import type { Rx } from "../../tables/order-columns.ts";
import type { ArchiveContent, ArchiveFile } from "./archive-types.ts";

export const manifestPath = "manifest.json";

/**
 * Builds the manifest of an archive: the order, the prescription, and the hash of each file as the archive contains it.
 */
export function buildManifest(
  { order, isDeidentified }: ArchiveContent,
  packed: readonly Pick<ArchiveFile, "path" | "role" | "bytes" | "sha256">[],
  leftOut: readonly string[],
): Buffer {
  const manifest = {
    format: "arcada-order",
    version: 1,
    order: order.number,
    patient: isDeidentified ? "" : order.shown_name,
    prescription: { caseType: order.case_type, ...prescriptionForArchive(order.rx, isDeidentified) },
    files: packed.map(({ path, role, bytes, sha256 }) => ({ path, role, bytes, sha256 })),
    // Files that could not be de-identified.
    ...(leftOut.length > 0 && { leftOut }),
  };
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Free text names people, so a de-identified archive leaves it out. The agreements between the two institutions are
 * never included.
 */
export const prescriptionForArchive = (
  { studies: _, maskName: __, mayForward: ___, namePasses: ____, labShares: _____, ...rx }: Rx,
  isDeidentified: boolean,
) =>
  isDeidentified
    ? { ...rx, sourceOrder: null, instructions: null, items: rx.items.map((item) => ({ ...item, remark: null })) }
    : rx;
