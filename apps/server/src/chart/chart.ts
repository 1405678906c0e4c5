import { isSameFinding, isSameState, withTeeth } from "@arcada/contract/chart/chart.changes";
import type { FindingWish, ToothWish } from "@arcada/contract/chart/chart.calls";
import { toothIn } from "@arcada/contract/chart/chart.rules";
import type { ChartContent, ChartTooth, Finding } from "@arcada/contract/chart/chart.shape";

/** The author of a change, its time, and the source of new ids. */
export interface Writer {
  uid: string;
  at: string;
  newId: () => string;
}

/** Returns the chart after these teeth were written into it. */
export const written = (content: ChartContent, wishes: readonly ToothWish[], writer: Writer): ChartContent =>
  withTeeth(
    content,
    wishes.map((wish) => writtenTooth(toothIn(content, wish.fdi), wish, writer)),
  );

function writtenTooth(before: ChartTooth, { confirmed, ...wish }: ToothWish, writer: Writer): ChartTooth {
  const findings = wish.findings.map((one) => writtenFinding(before, one, writer));
  const after = { ...before, ...wish, findings, confirmedBy: null, confirmedAt: null };
  if (!confirmed) return after;
  // A tooth that did not change keeps its confirmation: saving another tooth does not take over what a colleague
  // confirmed.
  if (before.confirmedBy && isSameState(before, after)) return before;
  return { ...after, confirmedBy: writer.uid, confirmedAt: writer.at };
}

function writtenFinding({ findings }: ChartTooth, wish: FindingWish, { uid, at, newId }: Writer): Finding {
  const known = findings.find(({ id }) => id === wish.id);
  if (!known) return { ...wish, id: newId(), status: "added", observationId: null, by: uid, at, reason: null };
  const said = { ...known, ...wish, id: known.id, evidence: wish.evidence ?? known.evidence };
  if (isSameFinding(known, said)) return { ...known, evidence: said.evidence };
  // A suggestion that a person changed counts as the person's own finding.
  return { ...said, status: "added", by: uid, at };
}

/** Returns the chart as it was in an old version; the changed teeth are not confirmed yet. */
export function broughtBack(now: ChartContent, old: ChartContent): ChartContent {
  const teeth = [...new Set([...now.teeth, ...old.teeth].map(({ fdi }) => fdi))].map((fdi) => {
    const [here, then] = [toothIn(now, fdi), toothIn(old, fdi)];
    return isSameState(here, then) ? here : { ...then, confirmedBy: null, confirmedAt: null };
  });
  return withTeeth(now, teeth);
}

/** Returns the users whom a chart names. */
export const namedIn = ({ teeth }: ChartContent): string[] => [
  ...new Set(
    teeth.flatMap(({ confirmedBy, findings }) => [
      ...(confirmedBy ? [confirmedBy] : []),
      ...findings.map(({ by }) => by),
    ]),
  ),
];

/** Returns the findings that came from suggestions, in one chart and not in the other. */
export const suggestedOnlyIn = (one: ChartContent, other: ChartContent): string[] => {
  const there = new Set(idsIn(other));
  return idsIn(one).filter((id) => !there.has(id));
};
const idsIn = ({ teeth }: ChartContent): string[] =>
  teeth.flatMap(({ findings }) => findings.flatMap(({ id, observationId }) => (observationId ? [id] : [])));
