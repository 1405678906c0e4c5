import { cephLandmarks } from "@arcada/contract/ceph/ceph.schema";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import type { ObservationRow } from "./ceph.store.ts";

const landmarkCode = "CEPH_LM_";

/** Returns the proposals of engines. If several engines saw the same thing, the latest one counts. */
export function buildProposals(seen: readonly ObservationRow[]): CephOpened["proposals"] {
  const scales = listScales(seen);
  const proposals: CephOpened["proposals"] = {
    scale: scales.length === 1 ? scales[0]!.width : null,
    scales,
    profile: null,
    landmarks: {},
    spreads: {},
  };
  for (const { code, geometry } of seen) {
    if (!geometry) continue;
    if (code === "CEPH_PROFILE" && geometry.kind === "line") proposals.profile = geometry.points;
    const landmark = cephLandmarks.find((id) => code === landmarkCode + id);
    if (!landmark || !("at" in geometry)) continue;
    proposals.landmarks[landmark] = geometry.at;
    // A later engine that states no spread must not keep that of an earlier one.
    delete proposals.spreads[landmark];
    if (geometry.radius) proposals.spreads[landmark] = geometry.radius;
  }
  return proposals;
}

/**
 * This method mistook rows of tissue for rulers, with a claimed error of 2 % and an actual one of 20 %; its scales are
 * no longer offered.
 */
const withdrawnMethod = "tick-spectrum@1";

/** Returns all readings of the latest run that found a ruler: a single one would hide that there are others. */
function listScales(seen: readonly ObservationRow[]): CephOpened["proposals"]["scales"] {
  const read = seen.filter(({ code, method }) => code === "CEPH_SCALE" && method !== withdrawnMethod);
  const run = read.at(-1)?.run;
  return read.flatMap(({ run: ofRun, value, geometry }) => {
    const [from, to] = geometry && "points" in geometry ? geometry.points : [];
    if (ofRun !== run || typeof value !== "number" || value <= 0 || !from || !to) return [];
    return [{ width: value, mm: value * Math.hypot(to[0] - from[0], to[1] - from[1]) }];
  });
}
