import { replaceTeeth, isSameState } from "@arcada/contract/chart/chart.changes";
import type { ToothInput } from "@arcada/contract/chart/chart.calls";
import {
  crownAfterFinding,
  allowedCrownCodes,
  findingRules,
  isAssessed,
  isConfirmedFinding,
  canFindingApply,
  findUnassessedTeeth,
  predecessorOf,
  findTooth,
} from "@arcada/contract/chart/chart.rules";
import { surfaces } from "@arcada/contract/chart/chart.schema";
import type {
  ChartContent,
  ChartTooth,
  CrownCode,
  Finding,
  FindingCode,
  ToothSurface,
  Presence,
} from "@arcada/contract/chart/chart.schema";
import { isExpected } from "@arcada/contract/chart/expected-teeth-at-age";
import type { ToothSet } from "@arcada/contract/chart/expected-teeth-at-age";
import { deciduousTeeth, isDeciduous, permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";

/** The current author, the clock and the source of identifiers. */
export interface ChartAuthor {
  uid: string;
  now: () => string;
  newId: () => string;
}

/** Returns the chart with one tooth changed and without its confirmation. */
export function editTooth(content: ChartContent, fdi: number, change: (tooth: ChartTooth) => ChartTooth): ChartContent {
  const before = findTooth(content, fdi);
  const after = change(before);
  if (isSameState(before, after)) return content;
  return replaceTeeth(content, [{ ...after, confirmedBy: null, confirmedAt: null }]);
}

/** Removes the crown code and the findings that are impossible in the new state of the tooth. */
export const withPresence = (tooth: ChartTooth, presence: Presence): ChartTooth => ({
  ...tooth,
  presence,
  crown: tooth.crown !== null && allowedCrownCodes[presence].includes(tooth.crown) ? tooth.crown : null,
  findings: tooth.findings.filter(({ code }) => canFindingApply(code, { fdi: tooth.fdi, presence })),
});

/**
 * Sets the crown's code. A code implies that the tooth is present. Open findings that contradict the code are removed.
 */
export function withCrown(tooth: ChartTooth, crown: CrownCode | null): ChartTooth {
  const updated =
    crown === null || allowedCrownCodes[tooth.presence].includes(crown) ? tooth : withPresence(tooth, "present");
  const after = { ...updated, crown };
  return {
    ...after,
    findings: after.findings.filter(
      (finding) => crown === null || !isConfirmedFinding(finding) || crownAfterFinding(after, finding) === crown,
    ),
  };
}

/** Adds a finding, or removes it if it already exists; null if the finding does not apply to the tooth. */
export function withFinding(tooth: ChartTooth, code: FindingCode, author: ChartAuthor): ChartTooth | null {
  const existing = tooth.findings.filter((one) => one.code === code);
  if (existing.length > 0) return { ...tooth, findings: tooth.findings.filter((one) => one.code !== code) };
  const presence = tooth.presence === "unknown" ? findingRules[code].presences[0] : tooth.presence;
  if (!canFindingApply(code, { fdi: tooth.fdi, presence })) return null;
  const updated = { ...tooth, presence };
  const finding = newFinding(code, author);
  return { ...updated, crown: crownAfterFinding(updated, finding), findings: [...tooth.findings, finding] };
}

const newFinding = (code: FindingCode, { uid, now, newId }: ChartAuthor): Finding => ({
  id: newId(),
  code,
  surfaces: [],
  severity: null,
  remark: null,
  status: "added",
  observationId: null,
  evidence: null,
  by: uid,
  at: now(),
  reason: null,
});

/** Changes one finding, and with it the crown's code. */
export function withChanged(tooth: ChartTooth, id: string, change: Partial<Finding>): ChartTooth {
  const findings = tooth.findings.map((one) => (one.id === id ? { ...one, ...change } : one));
  const changed = findings.find((one) => one.id === id);
  return { ...tooth, findings, crown: changed ? crownAfterFinding(tooth, changed) : tooth.crown };
}
export const withoutFinding = (tooth: ChartTooth, id: string): ChartTooth => ({
  ...tooth,
  findings: tooth.findings.filter((one) => one.id !== id),
});

const toggleSurface = (chosen: readonly ToothSurface[], surface: ToothSurface): ToothSurface[] =>
  surfaces.filter((one) => chosen.includes(one) !== (one === surface));

/**
 * Toggles a surface of the finding of this code. The finding is added with its first surface and removed with its last.
 */
export function withSurface(
  tooth: ChartTooth,
  code: FindingCode,
  surface: ToothSurface,
  author: ChartAuthor,
): ChartTooth | null {
  const existing = tooth.findings.find((one) => one.code === code);
  if (!existing) {
    const withAdded = withFinding(tooth, code, author);
    return withAdded && withChanged(withAdded, withAdded.findings.at(-1)!.id, { surfaces: [surface] });
  }
  const left = toggleSurface(existing.surfaces, surface);
  return left.length === 0 ? withoutFinding(tooth, existing.id) : withChanged(tooth, existing.id, { surfaces: left });
}

/** Returns the most recent finding that has surfaces, or a severity. */
export const findLastWith = (tooth: ChartTooth, what: "surfaces" | "severity"): Finding | undefined =>
  tooth.findings.findLast(({ code }) => findingRules[code][what]);

export const withToggledSurface = (tooth: ChartTooth, { id, surfaces: chosen }: Finding, surface: ToothSurface) =>
  withChanged(tooth, id, { surfaces: toggleSurface(chosen, surface) });

/** Returns unassessed teeth without findings that are expected at this age. */
export function listRemaining(content: ChartContent, years: number | null, set: ToothSet): number[] {
  const open = findUnassessedTeeth(content, set);
  return [...permanentTeeth, ...deciduousTeeth].filter((fdi) => {
    const { presence, findings } = findTooth(content, fdi);
    if (!isExpected(fdi, years) || findings.length > 0 || !["unknown", "present"].includes(presence)) return false;
    const place = isDeciduous(fdi) && set !== "deciduous" ? fdi - 40 : fdi;
    const predecessor = predecessorOf(fdi);
    const isMilkToothPresent = predecessor !== null && findTooth(content, predecessor).presence === "present";
    return open.includes(place) && !isMilkToothPresent;
  });
}
export const withRemainingSound = (content: ChartContent, years: number | null, set: ToothSet): ChartContent =>
  replaceTeeth(
    content,
    listRemaining(content, years, set).map((fdi) => withCrown(findTooth(content, fdi), 0)),
  );

/** The user who saves confirms every assessed tooth. Teeth that a colleague confirmed keep that confirmation. */
export const withAllConfirmed = (content: ChartContent, { uid, now }: ChartAuthor): ChartContent =>
  replaceTeeth(
    content,
    content.teeth
      .filter((tooth) => isAssessed(tooth) && tooth.confirmedBy === null)
      .map((tooth) => ({ ...tooth, confirmedBy: uid, confirmedAt: now() })),
  );
export const withConfirmation = (content: ChartContent, fdi: number, { uid, now }: ChartAuthor): ChartContent => {
  const tooth = findTooth(content, fdi);
  if (!isAssessed(tooth)) return content;
  const next = tooth.confirmedBy ? { confirmedBy: null, confirmedAt: null } : { confirmedBy: uid, confirmedAt: now() };
  return replaceTeeth(content, [{ ...tooth, ...next }]);
};

/** Returns a tooth as the call expects it. */
export const toToothInput = ({ fdi, presence, crown, findings, confirmedBy }: ChartTooth): ToothInput => ({
  fdi,
  presence,
  crown,
  findings: findings.map(({ id, code, surfaces: on, severity, remark }) => ({
    id,
    code,
    surfaces: on,
    severity,
    remark: remark || null,
    // The server keeps the evidence that it has; the client sends none.
    evidence: null,
  })),
  confirmed: confirmedBy !== null,
});
