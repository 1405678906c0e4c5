import { z } from "zod";
import * as accountUser from "../account/user-info.schema.ts";
import * as analysisCalls from "../analysis/analysis.calls.ts";
import * as engineTrial from "../analysis/engine-trial.ts";
import * as observation from "../analysis/observation.ts";
import * as audit from "../audit/audit.calls.ts";
import * as capacity from "../capacity/capacity.calls.ts";
import * as ceph from "../ceph/ceph.schema.ts";
import * as chart from "../chart/chart.schema.ts";
import * as clinic from "../clinic/clinic.calls.ts";
import * as serviceFigures from "../clinic/service-figures.calls.ts";
import * as consent from "../consent/consent.calls.ts";
import * as dashboard from "../dashboard/dashboard.calls.ts";
import * as trends from "../dashboard/trends.schema.ts";
import * as dataExport from "../data-export/data-export.calls.ts";
import * as device from "../device/device.calls.ts";
import * as factor from "../factor/factor.schema.ts";
import * as feedback from "../feedback/feedback.calls.ts";
import * as implantLibrary from "../implant/implant-library.schema.ts";
import * as planReport from "../implant/plan-report.schema.ts";
import * as institution from "../institution/institution.calls.ts";
import * as integrations from "../integrations/integrations.calls.ts";
import * as member from "../member/member.calls.ts";
import * as notice from "../notice/notice.calls.ts";
import * as health from "../operator/health.calls.ts";
import * as operator from "../operator/operator.calls.ts";
import * as orderMessages from "../order/messages.schema.ts";
import * as orderParts from "../order/order-parts.schema.ts";
import * as orderPins from "../order/message-reading-and-pins.calls.ts";
import * as orderToday from "../order/order-today.calls.ts";
import * as order from "../order/order.calls.ts";
import * as relatedOrders from "../order/related-orders.schema.ts";
import * as sharedOrder from "../order/shared-order.calls.ts";
import * as template from "../order/template.calls.ts";
import * as patientMerge from "../patient/patient-merge.calls.ts";
import * as patient from "../patient/patient.calls.ts";
import * as relation from "../relation/relation.calls.ts";
import * as reportCalls from "../report/report.calls.ts";
import * as report from "../report/report.schema.ts";
import * as search from "../search/search.calls.ts";
import * as share from "../share/share.calls.ts";
import * as annotation from "../study/annotation.ts";
import * as presentation from "../study/image-presentation.schema.ts";
import * as inbox from "../study/inbox.calls.ts";
import * as study from "../study/study.schema.ts";
import * as uploadJob from "../study/upload-job.calls.ts";
import * as volume from "../study/volume.schema.ts";
import * as upgrade from "../upgrade/upgrade.calls.ts";
import * as visit from "../visit/visit.calls.ts";
import * as workorder from "../workorder/workorder.calls.ts";

const modules: readonly Record<string, unknown>[] = [
  accountUser,
  analysisCalls,
  engineTrial,
  observation,
  audit,
  capacity,
  ceph,
  chart,
  clinic,
  serviceFigures,
  consent,
  dashboard,
  trends,
  dataExport,
  device,
  factor,
  feedback,
  implantLibrary,
  planReport,
  institution,
  integrations,
  member,
  notice,
  health,
  operator,
  orderMessages,
  orderParts,
  orderPins,
  orderToday,
  order,
  relatedOrders,
  sharedOrder,
  template,
  patientMerge,
  patient,
  relation,
  reportCalls,
  report,
  search,
  share,
  annotation,
  presentation,
  inbox,
  study,
  uploadJob,
  volume,
  upgrade,
  visit,
  workorder,
];

/** Names under which programmers meet a schema, where the name inside the contract is too general for them. */
const clearerNames: Readonly<Record<string, string>> = {
  card: "ActivationCard",
  candidate: "PatientCandidate",
  confidence: "ObservationConfidence",
  evidence: "FindingEvidence",
  geometry: "ObservationGeometry",
  instance: "ImageInstance",
  payment: "CapacityPayment",
  period: "CapacityPeriod",
  queue: "JobQueue",
  quota: "CapacityQuota",
  series: "ImageSeries",
  target: "ObservationTarget",
};

const toTypeName = (name: string): string => clearerNames[name] ?? name.charAt(0).toUpperCase() + name.slice(1);

/**
 * The schemas that have a name of their own in the OpenAPI document, and so in the clients that are generated from it:
 * every object and every choice of objects that one of these modules exports. All others are written out in place.
 */
export function nameSchemas(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  const taken = new Map<string, z.ZodType>();
  for (const [exported, value] of modules.flatMap((one) => Object.entries(one))) {
    if (!(value instanceof z.ZodObject || value instanceof z.ZodUnion)) continue;
    const name = toTypeName(exported);
    const other = taken.get(name);
    if (other === value) continue;
    if (other) throw new Error(`two schemas are called ${name}`);
    taken.set(name, value);
    names.set(value, name);
  }
  return names;
}
