import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import sharp from "sharp";
import { deriveUid, writeDicom } from "@arcada/imaging/dicom/write/write-dicom";
import { roles } from "@arcada/contract/kernel/roles";
import { newId } from "../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { crownStl, prescription, addSuggestedFinding } from "@arcada/testing/fixtures/patient-with-orders";
import type { SecondInstance } from "../../proofs/support/second-instance.ts";
import { uploadStudy } from "@arcada/testing/fixtures/uploads";
import type { CallName, TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { loadTracedRadiograph } from "../viewer/traced-radiograph.ts";
import { markup, withMarkup } from "./hostile-markup-texts.ts";

export type MarkupCast = Record<
  | "clinicAdmin"
  | "clinicMember"
  | "factoryAdmin"
  | "factoryMember"
  | "afterSalesAdmin"
  | "afterSalesMember"
  | "operator"
  | "newUser",
  AnyTestUser
>;
type Ids = Record<
  | "patient"
  | "study"
  | "item"
  | "model"
  | "film"
  | "filmItem"
  | "order"
  | "report"
  | "analysis"
  | "clinic"
  | "device"
  | "work"
  | "finished"
  | "ownWork"
  | "feedback"
  | "package",
  string
>;
export interface MarkupSetup {
  cast: MarkupCast;
  /** Secrets of links to a study and to an order. */
  links: string[];
  ids: Ids;
  /** Calls that were answered with markup in them. */
  markedCalls: Set<CallName>;
}

/** Lets users of every role write markup wherever a call accepts text, through the calls themselves. */
export async function setupMarkup({ there }: SecondInstance): Promise<MarkupSetup> {
  const planter = new MarkupWriter(there, await createCast(there));
  await planter.writeProfiles();
  const record = await planter.writeRecords();
  const work = await planter.writeAfterSales();
  return { cast: planter.cast, markedCalls: planter.markedCalls, links: record.links, ids: { ...record.ids, ...work } };
}

async function createCast(there: TestServer): Promise<MarkupCast> {
  const name = markup(60);
  const clinic = await there.createInstitution("clinic", { name });
  const lab = await there.createInstitution("lab", { name });
  return {
    clinicAdmin: await there.createUser("clinicAdmin", clinic, name),
    clinicMember: await there.createUser("clinicMember", clinic, name),
    factoryAdmin: await there.createUser("factoryAdmin", lab, name),
    factoryMember: await there.createUser("factoryMember", lab, name),
    afterSalesAdmin: await there.createUser("afterSalesAdmin", null, name),
    afterSalesMember: await there.createUser("afterSalesMember", null, name),
    operator: await there.createUser("operator", null, name),
    newUser: await there.createUser("newUser", null, name),
  };
}

class MarkupWriter {
  readonly markedCalls = new Set<CallName>();
  readonly cast: MarkupCast;
  readonly #there: TestServer;
  constructor(there: TestServer, cast: MarkupCast) {
    this.#there = there;
    this.cast = cast;
  }
  async #says<N extends CallName>(who: AnyTestUser, call: N, input: Record<string, unknown>) {
    const answer = await who.ask(call, withMarkup(call, input));
    if (answer.code !== 200) throw new Error(`${call}: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
    this.markedCalls.add(call);
    return answer.data;
  }
  async #idOf(table: string, where: RawBuilder<boolean>): Promise<string> {
    const { rows } = await this.#there.running.database.asSystem((db) =>
      sql<{ id: string }>`select id from ${sql.table(table)} where ${where} limit 1`.execute(db),
    );
    return rows[0].id;
  }

  /** Enters the profiles of people and institutions, and their texts to each other. */
  async writeProfiles(): Promise<void> {
    const { clinicAdmin: clinic, factoryAdmin: lab, newUser } = this.cast;
    for (const who of Object.values(this.cast))
      await this.#says(who, "account.setSelfInfo", { headerImg: undefined, language: "en" });
    for (const who of [clinic, lab]) await this.#says(who, "institution.update", {});
    const relation = await this.#says(lab, "relation.step", { action: "request", iid: clinic.iid });
    await clinic.call("relation.step", { action: "accept", id: relation.id, version: relation.version } as never);
    await this.#says(clinic, "relation.invite", { email: "partner@lab.test" });
    await this.#says(clinic, "member.invite", {
      email: "somebody@clinic.test",
      authorityId: roles.clinicMember.authorityId,
    });
    const { number } = await clinic.call("institution.detail", {});
    await this.#says(newUser, "member.apply", { number });
    await this.#says(clinic, "interface.makeWebhook", { url: "https://hook.test/", events: ["order.moved"] });
    await this.#says(clinic, "account.reportErrors", {
      errors: [{ message: "x", path: "/login", at: new Date().toISOString() }],
    });
  }

  /** A patient with everything that a record holds, an order at the laboratory, and links. */
  async writeRecords() {
    const { clinicAdmin: clinic, clinicMember: dentist } = this.cast;
    const person = { name: "x", sex: "male", birthDate: "1988-04-12" };
    const { id: patientId } = await this.#says(dentist, "patient.create", person);
    await this.#says(dentist, "patient.create", { ...person, evenIfDuplicate: true });
    const caries = { code: "caries", surfaces: ["mesial"], remark: "x" };
    const teeth = [{ fdi: 36, presence: "present", crown: 1, findings: [caries] }];
    await this.#says(dentist, "chart.save", { patientId, version: 0, teeth });
    const content = { complaint: "x", marks: [{ fdi: 36, remark: "x" }] };
    const at = "2026-01-01T09:00:00Z";
    await this.#says(dentist, "visit.create", { patientId, at, dentistId: dentist.uid, content });
    const given = { kind: "treatment", how: "screen", givenBy: "x", givenFor: "self", givenAt: at };
    await this.#says(dentist, "consent.give", { patientId, ...given });
    const images = await uploadImages(dentist, patientId);
    const annotation = { id: "m1", tool: "text", instanceId: images.item, plane: null, points: [[20, 20]], text: "x" };
    await this.#says(dentist, "study.saveMarks", { id: images.study, version: 0, marks: [annotation] });
    const order = await this.#orders(patientId, images.model);
    const report = await dentist.call("report.create", { patientId, source: "manual" });
    const { form } = await dentist.call("report.detail", { id: report.id });
    const problems = [{ id: newId(), fdi: null, findingId: null, code: null, text: "x" }];
    await this.#says(dentist, "report.save", {
      id: report.id,
      version: report.version,
      form: { ...form, problems },
    });
    const { analysis } = await addSuggestedFinding(clinic, images.study);
    const links = await this.#shares(images.study, order);
    return { links, ids: { patient: patientId, ...images, order, report: report.id, analysis } };
  }

  async #orders(patientId: string, model: string): Promise<string> {
    const { clinicMember: dentist, factoryAdmin: lab } = this.cast;
    const rx = { ...prescription(patientId, lab.iid), studies: [model], send: true };
    const { id, files } = await this.#says(dentist, "order.save", rx);
    await this.#says(lab, "order.message", { id, text: "x" });
    await this.#says(dentist, "order.addPin", { id, file: files[0].id, point: [0, 0, 0], text: "x" });
    await this.#says(lab, "order.saveLook", { filter: {}, columns: null, standard: false });
    await this.#says(dentist, "template.save", { forAll: true, content: { material: "zirconia" } });
    const { version } = await lab.call("order.detail", { id });
    await this.#says(lab, "order.step", { id, action: "requestInfo", version, text: "x" });
    return id;
  }

  async #shares(study: string, order: string): Promise<string[]> {
    const { clinicAdmin: clinic } = this.cast;
    // A label may not name the patient, and here everything has the same name.
    const input = { label: "<img src=x onerror=__xss(7)>", nameless: true, warned: true } as const;
    const open = { ...input, factor: { kind: "none" } } as const;
    const email = { kind: "email", email: "guest@home.test" } as const;
    await clinic.call("share.create", { ...input, kind: "study", id: study, factor: email });
    const one = await clinic.call("share.create", { ...open, kind: "study", id: study });
    const other = await clinic.call("share.create", { ...open, kind: "order", id: order });
    return [one.secret, other.secret];
  }

  /** Enters the texts of after-sales and of a clinic's reports to it. */
  async writeAfterSales() {
    const { clinicAdmin: clinic, afterSalesAdmin: chief, afterSalesMember: technician, operator } = this.cast;
    const clinicId = await this.#idOf("clinic", sql`institution_id = ${clinic.iid}`);
    const serialNumber = `S-${clinicId.slice(0, 8)}`;
    await this.#says(operator, "device.register", { serialNumber });
    const device = await this.#idOf("device", sql`serial_number = ${serialNumber}`);
    await this.#there.running.database.asSystem((db) =>
      sql`update device set institution_id = ${clinic.iid}, clinic_id = ${clinicId}, state = 'bound', key_hash = ${newId()},
        bound_at = now(), name = ${markup(60)} where id = ${device}`.execute(db),
    );
    const fault = { type: "repair", deviceId: device, contact: "x", contactPhone: "1" };
    const assigned = { ...fault, clinicId, assigneeId: technician.uid };
    const work = await this.#says(chief, "workorder.create", assigned);
    await technician.ask("workorder.step", { id: work.id, version: work.version, action: "start" });
    await this.#says(technician, "workorder.note", { id: work.id, text: "x", isInternal: false });
    const ownWork = await this.#says(clinic, "workorder.create", fault);
    const described = { softwareVersion: "1.0", ctDetectorSerial: "", lateralDetectorSerial: "" };
    const feedback = await this.#says(chief, "feedback.create", { deviceId: device, page: "scan", ...described });
    await this.#says(chief, "clinic.create", { country: "CN" });
    return {
      clinic: clinicId,
      device,
      work: work.id,
      ownWork: ownWork.id,
      feedback: feedback.id,
      // Records of the demo data; their texts get markup later on.
      finished: await this.#idOf("work_order", sql`state = 'finished'`),
      package: await this.#idOf("upgrade_package", sql`true`),
    };
  }
}

/** Uploads a radiograph with markup in its tags, a model and a traced radiograph; their names are markup, too. */
async function uploadImages(dentist: AnyTestUser, patientId: string) {
  const name = (end: string) => `${markup(60)}${end}`;
  const upload = async (file: string, bytes: Uint8Array, more: object = {}): Promise<string> => {
    const job = await uploadStudy(dentist, patientId, { [file]: bytes }, { acceptMismatch: true, ...more });
    return job.studies[0] ?? Promise.reject(new Error(JSON.stringify(job)));
  };
  const study = await upload(name(".dcm"), hostileDicom());
  const model = await upload(name(".stl"), crownStl());
  const film = await upload(name(".dcm"), loadTracedRadiograph().bytes, { kind: "lateralCeph" });
  await upload(
    name(".jpg"),
    await sharp({ create: { width: 90, height: 60, channels: 3, background: "#b06050" } })
      .jpeg()
      .toBuffer(),
  );
  const first = async (id: string) => (await dentist.call("study.detail", { id })).series[0].instances[0].id;
  return { study, item: await first(study), model, film, filmItem: await first(film) };
}

function hostileDicom(): Uint8Array {
  const tag = markup(60);
  return writeDicom(
    [
      [0x00100010, "PN", tag],
      [0x00100020, "LO", tag],
      [0x00081030, "LO", tag],
      [0x0008103e, "LO", tag],
      [0x00080060, "CS", "DX"],
      [0x00080070, "LO", tag],
      [0x0020000d, "UI", deriveUid("markup", "study")],
      [0x0020000e, "UI", deriveUid("markup", "series")],
      [0x00280002, "US", 1],
      [0x00280004, "CS", "MONOCHROME2"],
      [0x00280010, "US", 64],
      [0x00280011, "US", 64],
      [0x00280100, "US", 8],
      [0x00280101, "US", 8],
      [0x00280102, "US", 7],
      [0x00280103, "US", 0],
      [0x7fe00010, "OW", new Uint8Array(64 * 64).map((_, place) => place % 251)],
    ],
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid: deriveUid("markup", "instance") },
  );
}
