import { chartCalls, type Chart, type ToothWish } from "@arcada/contract/chart/chart.calls";
import { problemsOf } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.shape";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { broughtBack, written } from "./chart.ts";
import { decided } from "./chart.decide.ts";
import { addVersion, alone, chartOf, chartShown, evidenceIsOf, patientLives, versionsOf } from "./chart.store.ts";
import type { KeptChart, Mouth } from "./chart.store.ts";

export const chartRoutes = routes(chartCalls, {
  detail: async ({ patientId, version }, context) => {
    const mouth = await mouthOf(context, patientId);
    return (await chartShown(context.db, mouth, version)) ?? refuse("notFound");
  },
  history: async ({ patientId }, context) => versionsOf(context.db, await mouthOf(context, patientId)),
  save: async ({ patientId, version, teeth }, context) => {
    const { mouth, before } = await toWrite(context, patientId, version);
    await needEvidence(context, mouth, teeth);
    const content = written(before?.content ?? { teeth: [] }, teeth, writerOf(context));
    return keep(context, mouth, before, content);
  },
  restore: async ({ patientId, version, from }, context) => {
    const { mouth, before } = await toWrite(context, patientId, version);
    const old = (await chartOf(context.db, mouth, from)) ?? refuse("notFound");
    return keep(context, mouth, before, broughtBack(before?.content ?? { teeth: [] }, old.content), from);
  },
  decide: async ({ patientId, decisions }, context) => {
    const { mouth, before } = await toWrite(context, patientId);
    const content = await decided(context, mouth, before?.content ?? { teeth: [] }, decisions);
    return keep(context, mouth, before, content);
  },
});

async function mouthOf(context: MemberContext, patientId: string): Promise<Mouth> {
  context.subject = patientId;
  const mouth = { iid: context.asker.iid, patientId };
  return (await patientLives(context.db, mouth)) ? mouth : refuse("notFound");
}

/** Returns the chart to write into; refuses if it was written since the version that the client saw. */
async function toWrite(context: MemberContext, patientId: string, seen?: number) {
  const mouth = await mouthOf(context, patientId);
  await alone(context.db, mouth);
  const before = await chartOf(context.db, mouth);
  if (seen !== undefined && seen !== (before?.version ?? 0))
    return refuse("chartChanged", await chartShown(context.db, mouth));
  return { mouth, before };
}

/** Refuses evidence that is not an image of this patient. */
async function needEvidence({ db }: MemberContext, mouth: Mouth, teeth: readonly ToothWish[]): Promise<void> {
  const shown = teeth.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence ?? []));
  if (!(await evidenceIsOf(db, mouth, shown))) refuse("notFound");
}

const writerOf = ({ asker, now }: MemberContext) => ({ uid: asker.uid, at: now.toISOString(), newId });

async function keep(
  context: MemberContext,
  mouth: Mouth,
  before: KeptChart | undefined,
  content: ChartContent,
  restoredFrom?: number,
): Promise<Chart> {
  const { db, asker } = context;
  const problems = problemsOf(content);
  if (problems.length > 0) return refuse("chartUnfit", { problems });
  const { uid, at } = writerOf(context);
  const version = await addVersion(db, mouth, { before, content, uid, at, restoredFrom });
  context.detail["version"] = version;
  await notifyClients(db, { institutions: [asker.iid] }, "chart", mouth.patientId);
  return (await chartShown(db, mouth))!;
}
