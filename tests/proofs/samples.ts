import type { Planted } from "../planted.ts";
import { prescription } from "../planted.ts";
import type { CallName, World } from "../world.ts";

/** What a call's input points at, and who besides the owner may reach it. */
export interface Sample {
  /** Calls that name a record of the clinic: `order` is shared with the lab, the rest stays at home. */
  object: "none" | "patient" | "study" | "sharedStudy" | "order" | "draft";
  input(planted: Planted, world: World): Record<string, unknown>;
}
const unknown = "00000000-0000-7000-8000-000000000000";
const none = (input: Record<string, unknown> = {}): Sample => ({ object: "none", input: () => input });

/** One input for every call of the contract; the compiler names a call that lacks one. */
export const samples: Record<CallName, Sample> = {
  "account.fetchCountries": none(),
  "account.humanChallenge": none(),
  "account.sendCode": none({ account: "someone@clinic.test", purpose: "login", human: "e30=" }),
  "account.login": none({ account: "nobody@clinic.test", password: "irrelevant" }),
  "account.loginByCode": none({ account: "nobody@clinic.test", code: "123456" }),
  "account.registerVerify": none({ account: "nobody@clinic.test", code: "123456" }),
  "account.register": none({
    ticket: "x",
    password: "a-fine-password-1",
    confirm: "a-fine-password-1",
    intendedRole: "dentist",
    agree: true,
    agreeSms: true,
  }),
  "account.resetPassword": none({
    account: "nobody@clinic.test",
    code: "123456",
    password: "a-fine-password-1",
    confirm: "a-fine-password-1",
  }),
  "account.welcome": none(),
  "account.logout": none(),
  "account.exchange": none({ code: "x" }),
  "account.changeRole": none({ authorityId: 9527, uuid: unknown }),
  "account.getUserInfo": none(),
  "account.setSelfInfo": none({ language: "en" }),
  "account.changePassword": none({ oldPassword: "x", password: "a-fine-password-1", confirm: "a-fine-password-1" }),
  "account.sessions": none(),
  "account.endSession": none({ id: unknown }),
  "account.setContactInfo": none({ account: "nobody@clinic.test", code: "123456" }),
  "account.checkOriginalInfo": none({ kind: "phone", code: "123456" }),
  "account.unbindContactInfo": none({ kind: "email", ticket: "x" }),
  "account.initSelfInfo": none({ email: "nobody@clinic.test", nation: "CN", userName: "Nobody" }),
  "account.initStudyInfo": none({ nation: "XX" }),
  "account.privacyPolicy": none({ kind: "terms" }),
  "account.reportErrors": none({ errors: [{ message: "x", path: "/login", at: "2026-01-01T00:00:00Z" }] }),
  "institution.create": none({ name: "", type: "clinic", country: "CN" }),
  "institution.switch": none({ iid: unknown }),
  "institution.search": none({ text: "Clinic" }),
  "institution.detail": none(),
  "institution.update": none({ contactWay: "1" }),
  "institution.mine": none({ status: 2 }),
  "member.list": none(),
  "relation.list": none(),
  "relation.step": none({ action: "accept", id: unknown }),
  "relation.network": none(),
  "relation.history": none({ iid: unknown }),
  "relation.setTerms": none({ id: unknown, version: 0, mayForward: true }),
  "relation.invite": none({ email: "partner@lab.test" }),
  "relation.invitations": none(),
  "relation.withdraw": none({ id: unknown }),
  "patient.list": none(),
  "patient.detail": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "patient.create": none({ name: "新患者", sex: "female", birthDate: "2001-01-01", evenIfDuplicate: true }),
  "patient.update": {
    object: "patient",
    input: ({ patient }) => ({
      id: patient.id,
      version: patient.version,
      name: "改名",
      sex: "male",
      birthDate: "1988-04-12",
    }),
  },
  "patient.remove": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "patient.restore": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "patient.timeline": { object: "patient", input: ({ patient }) => ({ id: patient.id }) },
  "study.list": { object: "patient", input: ({ patient }) => ({ patientId: patient.id }) },
  "study.detail": { object: "sharedStudy", input: ({ studyId }) => ({ id: studyId }) },
  "study.open": { object: "patient", input: ({ patient }) => ({ patientId: patient.id, uploads: [unknown] }) },
  "study.job": none({ id: unknown }),
  "study.cancelJob": none({ id: unknown }),
  "study.attach": { object: "study", input: ({ studyId }) => ({ id: studyId, kind: "model" }) },
  "study.remove": { object: "study", input: ({ studyId }) => ({ id: studyId }) },
  "study.marks": { object: "sharedStudy", input: ({ studyId }) => ({ id: studyId }) },
  "study.saveMarks": { object: "study", input: ({ studyId }) => ({ id: studyId, version: 0, marks: [] }) },
  "order.list": none(),
  "order.counts": none(),
  "order.detail": { object: "order", input: ({ order }) => ({ id: order.id }) },
  "order.save": {
    object: "draft",
    input: ({ draft, patient }, { lab }) => ({
      ...prescription(patient.id, lab.iid),
      id: draft.id,
      version: draft.version,
    }),
  },
  "order.step": {
    object: "order",
    input: ({ order }) => ({ id: order.id, action: "requestInfo", version: order.version, text: "?" }),
  },
  "order.message": { object: "order", input: ({ order }) => ({ id: order.id, text: "hello" }) },
  "order.copy": { object: "draft", input: ({ draft }) => ({ id: draft.id }) },
  "notice.query": none(),
  "notice.list": none({ categoryID: 1 }),
  "notice.configs": none(),
  "notice.switchConfig": none({ kind: "orderMoved", channel: "email", on: false }),
  "notice.watch": none({ categoryID: 0 }),
  "capacity.storage": none(),
  "capacity.analyses": none(),
};
