import type { Member } from "@arcada/contract/member/member.calls";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { CallName } from "@arcada/testing/setup/test-server";

/** The answer without the ids that were sent, which it may echo, and the signed ends of addresses, which change every two minutes. */
export const removeIds = (data: unknown, input: Record<string, unknown>): string => {
  const ids = JSON.stringify(input).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  const timeless = JSON.stringify(data).replaceAll(/([?&](?:e|s)=)[\w-]+/g, "$1");
  return ids.reduce((text, id) => text.replaceAll(id, "ID"), timeless);
};

/** A member of another organisation is neither moved nor given the work of one's own. */
export const memberUpdates = (ownMember: Member, foreignMember: Member) => {
  const step = (id: string, more: object = {}) => ({ id, action: "kickOut", ...more });
  const unknown = crypto.randomUUID();
  return [
    { call: "member.update" as const, foreign: step(foreignMember.id), unknown: step(unknown) },
    {
      call: "member.update" as const,
      foreign: step(ownMember.id, { colleagueId: foreignMember.userId }),
      unknown: step(ownMember.id, { colleagueId: unknown }),
    },
  ];
};

/** Pairs of requests that mix own ids with one foreign or one unknown id. */
export function mixedIdRequests(
  theirs: Fixtures,
  upload: string,
  mine: { patient: string; draft: { id: string; version: number }; lab: string },
  own: Fixtures,
) {
  const fresh = () => crypto.randomUUID();
  const order = (more: object) => ({
    caseType: "restoration",
    items: [],
    workKinds: ["design"],
    targetIid: mine.lab,
    dueDate: "2030-01-01",
    patientId: mine.patient,
    ...more,
  });
  const edit = { id: mine.draft.id, version: mine.draft.version };
  const both = (call: CallName, input: (id: string) => Record<string, unknown>, foreignId: string) => ({
    call,
    foreign: input(foreignId),
    unknown: input(fresh()),
  });
  return [
    both("patient.beside", (id) => ({ keepId: mine.patient, otherId: id }), theirs.patient.id),
    both(
      "patient.merge",
      (id) => ({ keepId: id, otherId: mine.patient, keepVersion: 0, otherVersion: 0, choices: {} }),
      theirs.patient.id,
    ),
    both("study.open", (id) => ({ patientId: mine.patient, uploads: [id] }), upload),
    both("study.open", (id) => ({ patientId: id, uploads: [fresh()] }), theirs.patient.id),
    both("study.attach", (id) => ({ id: own.studyId, patientId: id }), theirs.patient.id),
    both("study.attach", (id) => ({ id, patientId: mine.patient }), theirs.studyId),
    both("study.confirmKinds", (id) => ({ patientId: mine.patient, studies: [{ id, kind: "ct" }] }), theirs.studyId),
    both("study.move", (id) => ({ id, from: mine.patient, patientId: mine.patient, reason: "x" }), theirs.studyId),
    both("study.bin", (id) => ({ patientId: id }), theirs.patient.id),
    both("study.restore", (id) => ({ id }), theirs.studyId),
    both("order.save", (id) => order({ patientId: id }), theirs.patient.id),
    both("order.save", (id) => order({ studies: [id] }), theirs.studyId),
    both("order.save", (id) => order({ uploads: [{ upload: id, role: "document" }] }), upload),
    both("order.save", (id) => order({ ...edit, studies: [id] }), theirs.studyId),
    both("order.save", (id) => order({ id, version: 0 }), theirs.draft.id),
    both("order.step", (id) => ({ id, action: "cancel", version: 1, reason: "x" }), theirs.order.id),
    both(
      "order.step",
      (id) => ({
        id: own.order.id,
        action: "supplyInfo",
        version: own.order.version,
        text: "x",
        files: [{ upload: id, role: "document" }],
      }),
      upload,
    ),
    both("institution.switch", (id) => ({ iid: id }), theirs.order.sender.iid),
    both("capacity.storage", (id) => ({ iid: id }), theirs.order.sender.iid),
    both("account.endSession", (id) => ({ id }), theirs.patient.id),
  ];
}
