import { isSameFinding, isSameState, replaceTeeth } from "@arcada/contract/chart/chart.changes";
import type { FindingInput, ToothInput } from "@arcada/contract/chart/chart.calls";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartContent, ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";

/** The author of a change, its time, and the source of new ids. */
export interface ChartWriter {
  uid: string;
  at: string;
  newId: () => string;
  /** True for dentists: only they confirm a tooth. */
  mayConfirm: boolean;
}

/** Returns the chart after these teeth were written into it. */
export const writeTeeth = (content: ChartContent, inputs: readonly ToothInput[], writer: ChartWriter): ChartContent =>
  replaceTeeth(
    content,
    inputs.map((input) => writeTooth(findTooth(content, input.fdi), input, writer)),
  );

function writeTooth(before: ChartTooth, { confirmed, ...input }: ToothInput, writer: ChartWriter): ChartTooth {
  const findings = input.findings.map((one) => writeFinding(before, one, writer));
  const after = { ...before, ...input, findings, confirmedBy: null, confirmedAt: null };
  if (!confirmed || (!writer.mayConfirm && !(before.confirmedBy && isSameState(before, after)))) return after;
  // A tooth that did not change keeps its confirmation: saving another tooth does not take over what a colleague
  // confirmed.
  if (before.confirmedBy && isSameState(before, after)) return before;
  return { ...after, confirmedBy: writer.uid, confirmedAt: writer.at };
}

function writeFinding({ findings }: ChartTooth, input: FindingInput, { uid, at, newId }: ChartWriter): Finding {
  const known = findings.find(({ id }) => id === input.id);
  if (!known) return { ...input, id: newId(), status: "added", observationId: null, by: uid, at, reason: null };
  const updated = { ...known, ...input, id: known.id, evidence: input.evidence ?? known.evidence };
  if (isSameFinding(known, updated)) return { ...known, evidence: updated.evidence };
  // A suggestion that a person changed counts as the person's own finding.
  return { ...updated, status: "added", by: uid, at };
}

/** Returns the chart as it was in an old version; the changed teeth are not confirmed yet. */
export function restoreChart(now: ChartContent, old: ChartContent): ChartContent {
  const teeth = [...new Set([...now.teeth, ...old.teeth].map(({ fdi }) => fdi))].map((fdi) => {
    const [here, then] = [findTooth(now, fdi), findTooth(old, fdi)];
    return isSameState(here, then) ? here : { ...then, confirmedBy: null, confirmedAt: null };
  });
  return replaceTeeth(now, teeth);
}

/** Returns the users whom a chart names. */
export const listNamedUsers = ({ teeth }: ChartContent): string[] => [
  ...new Set(
    teeth.flatMap(({ confirmedBy, findings }) => [
      ...(confirmedBy ? [confirmedBy] : []),
      ...findings.map(({ by }) => by),
    ]),
  ),
];

/** Returns the findings that came from suggestions, in one chart and not in the other. */
export const findSuggestedOnlyIn = (one: ChartContent, other: ChartContent): string[] => {
  const there = new Set(listSuggestedIds(other));
  return listSuggestedIds(one).filter((id) => !there.has(id));
};
const listSuggestedIds = ({ teeth }: ChartContent): string[] =>
  teeth.flatMap(({ findings }) => findings.flatMap(({ id, observationId }) => (observationId ? [id] : [])));
