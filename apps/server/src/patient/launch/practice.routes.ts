import { launchRules } from "@arcada/contract/patient/launch-address";
import type { LaunchRequest } from "@arcada/contract/patient/launch-address";
import { patientForm } from "@arcada/contract/patient/patient.calls";
import { practiceCalls } from "@arcada/contract/patient/practice.calls";
import type { LaunchOutcome } from "@arcada/contract/patient/practice.calls";
import { namesOtherPerson } from "../../domain/patient-matching.ts";
import type { Candidate } from "../../domain/patient-matching.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { currentDay, toPatientColumns } from "../patient-column-mapping.ts";
import { loadPatient, notifyAndLoad, requireNoDuplicate } from "../change-record.ts";
import { ensurePatientCounter, insertPatient, lockPatientCounter, nextPatientNumber } from "../patient.store.ts";
import * as store from "./find-launched.store.ts";
import { claimLaunchCode, issueLaunchCode, redeemLaunchCode } from "./launch-code.ts";

export const practiceRoutes = routes(practiceCalls, {
  open: async (input, context) => {
    const code = input.code === undefined ? null : await redeemLaunchCode(context, input.code);
    const request = code?.request ?? input.request!;
    const outcome = request.person ? await openPerson(context, request) : await openStudies(context, request);
    context.subject = outcome.patientId;
    context.detail = { by: code?.sender ?? "address", ...(outcome.study && { study: outcome.study.id }) };
    return { ...outcome, person: request.person ?? null, sender: code?.sender ?? null };
  },

  create: async ({ number, evenIfDuplicate, ...person }, context) => {
    const { db, principal } = context;
    if (!(await store.allowsCreation(db, principal.iid))) refuse("launchCreateOff");
    await ensurePatientCounter(db, principal.iid);
    await lockPatientCounter(db, principal.iid);
    const holder = number === "" ? undefined : await store.findByPracticeNumber(db, principal.iid, number);
    context.detail = { by: "launch" };
    // Two workstations may confirm the same person: the second one gets the record of the first.
    if (holder && !namesOtherPerson({ ...person, number }, holder)) {
      context.subject = holder.id;
      return loadPatient(context, holder.id);
    }
    // The number of somebody else must not open their record in place of the new one.
    if (holder && !evenIfDuplicate) refuse("patientDuplicate", { candidates: [holder] });
    const form = patientForm.parse({ ...person, entryNumber: number });
    const columns = toPatientColumns(form, null, currentDay(context));
    const own = await nextPatientNumber(db, principal.iid);
    if (!evenIfDuplicate) await requireNoDuplicate(context, columns, null);
    context.subject = await insertPatient(db, principal.iid, principal.uid, own, columns);
    return notifyAndLoad(context, context.subject);
  },

  issueCode: async ({ request, user }, context) => {
    if (context.principal.kind !== "key") refuse("launchNotAllowed");
    const { uid, ...issued } = await issueLaunchCode(context, request, user);
    context.detail = { for: uid };
    return issued;
  },

  deviceCode: async ({ request }, context) => {
    const { uid: _, ...issued } = await issueLaunchCode(context, request);
    return issued;
  },

  deviceImages: async ({ number }, context) => {
    const { db, principal } = context;
    const named = { number, name: "", birthDate: null, sex: null };
    const { certain } = await store.findLaunchedPatient(db, named);
    context.subject = certain?.id ?? null;
    if (!certain) return { list: [] };
    const studies = await store.listLaunchedStudies(db, principal.iid, certain.id, {});
    return { list: studies.map((study) => ({ ...study, description: study.description ?? "" })) };
  },

  claim: ({ code }, context) => claimLaunchCode(context, code),
});

type Found = Pick<LaunchOutcome, "patientId" | "study" | "candidates" | "mayCreate">;
const nobody: Found = { patientId: null, study: null, candidates: [], mayCreate: false };

async function openPerson({ db, principal }: MemberContext, request: LaunchRequest): Promise<Found> {
  const person = request.person!;
  const { certain, candidates } = await store.findLaunchedPatient(db, person);
  if (!certain) {
    const isStorable = person.number.length <= launchRules.maxStoredNumber && person.name !== "";
    const mayCreate = isStorable && (await store.allowsCreation(db, principal.iid));
    return { ...nobody, candidates: candidates.map(toCandidate), mayCreate };
  }
  const isFiltered = [request.newest, request.from, request.to].some((filter) => filter !== undefined);
  const studies = isFiltered ? await store.listLaunchedStudies(db, principal.iid, certain.id, request) : [];
  // One image is shown at once; of several the record shows the list.
  return { ...nobody, patientId: certain.id, study: studies.length === 1 ? toShown(studies[0]!) : null };
}

async function openStudies({ db, principal }: MemberContext, request: LaunchRequest): Promise<Found> {
  const studies = await store.findStudiesByReference(db, principal.iid, request);
  const [first] = studies;
  if (!first || new Set(studies.map(({ patientId }) => patientId)).size > 1) return nobody;
  return { ...nobody, patientId: first.patientId, study: studies.length === 1 ? toShown(first) : null };
}

const toShown = ({ id, kind }: NonNullable<LaunchOutcome["study"]>) => ({ id, kind });
const toCandidate = ({ id, number, name, sex, birthDate, agrees }: Candidate): LaunchOutcome["candidates"][number] => ({
  id,
  number,
  name,
  sex,
  birthDate,
  agrees,
});
