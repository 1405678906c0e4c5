import { sql } from "kysely";
import sharp from "sharp";
import { uidFrom, writeDicom } from "@arcada/imaging/dicom/write";
import { roles } from "@arcada/contract/kernel/roles";
import { newId } from "../../apps/server/src/kernel/ids.ts";
import { crown, prescription, seen } from "../planted.ts";
import type { Elsewhere } from "../proofs/elsewhere.ts";
import { uploaded } from "../uploads.ts";
import type { CallName, Person } from "../world.ts";
import { tracedFilm } from "./ceph-film.ts";
import { markup, withMarkup } from "./markup.ts";

export type Cast = Record<
  | "clinicAdmin"
  | "clinicMember"
  | "factoryAdmin"
  | "factoryMember"
  | "afterSalesAdmin"
  | "afterSalesMember"
  | "operator"
  | "newUser",
  Person
>;
export interface MarkupWorld {
  cast: Cast;
  /** Fragments of links to a study and to an order. */
  links: string[];
  ids: Record<
    | "patient"
    | "study"
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
  /** Calls that were answered with markup in them. */
  planted: Set<CallName>;
}

/** People of every role who write markup wherever a call takes text, through the calls themselves. */
export async function plantsMarkup({ there }: Elsewhere): Promise<MarkupWorld> {
  const name = markup(60);
  const [clinicHouse, labHouse] = [
    await there.institution("clinic", { name }),
    await there.institution("lab", { name }),
  ];
  const cast: Cast = {
    clinicAdmin: await there.person("clinicAdmin", clinicHouse, name),
    clinicMember: await there.person("clinicMember", clinicHouse, name),
    factoryAdmin: await there.person("factoryAdmin", labHouse, name),
    factoryMember: await there.person("factoryMember", labHouse, name),
    afterSalesAdmin: await there.person("afterSalesAdmin", null, name),
    afterSalesMember: await there.person("afterSalesMember", null, name),
    operator: await there.person("operator", null, name),
    newUser: await there.person("newUser", null, name),
  };
  const { clinicAdmin: clinic, clinicMember: dentist, factoryAdmin: lab } = cast;
  const planted = new Set<CallName>();
  const says = async <N extends CallName>(who: Person, call: N, input: Record<string, unknown>) => {
    const answer = await who.asks(call, withMarkup(call, input));
    if (answer.code !== 200) throw new Error(`${call}: ${answer.code} ${answer.msg} ${JSON.stringify(answer.data)}`);
    planted.add(call);
    return answer.data;
  };
  for (const who of Object.values(cast))
    await says(who, "account.setSelfInfo", { headerImg: undefined, language: "en" });
  for (const who of [clinic, lab]) await says(who, "institution.update", {});
  const relation = await says(lab, "relation.step", { action: "request", iid: clinic.iid });
  await clinic.gets("relation.step", { action: "accept", id: relation.id, version: relation.version } as never);
  await says(clinic, "relation.invite", { email: "partner@lab.test" });
  await says(clinic, "member.invite", { email: "somebody@clinic.test", authorityId: roles.clinicMember.authorityId });
  await says(cast.newUser, "member.apply", { number: clinicHouse.number });
  await says(clinic, "interface.makeWebhook", { url: "https://hook.test/", events: ["order.moved"] });
  const patient = await says(dentist, "patient.create", { name: "x", sex: "male", birthDate: "1988-04-12" });
  await says(dentist, "patient.create", {
    name: "x",
    sex: "male",
    birthDate: "1988-04-12",
    evenIfDuplicate: true,
  });
  await says(dentist, "chart.save", {
    patientId: patient.id,
    version: 0,
    teeth: [
      {
        fdi: 36,
        presence: "present",
        crown: 0,
        findings: [{ code: "caries", surfaces: ["mesial"], remark: "x" }],
      },
    ],
  });
  await says(dentist, "visit.create", {
    patientId: patient.id,
    at: "2026-01-01T09:00:00Z",
    dentistId: dentist.uid,
    content: { complaint: "x", marks: [{ fdi: 36, remark: "x" }] },
  });
  await says(dentist, "consent.give", {
    patientId: patient.id,
    kind: "treatment",
    how: "screen",
    givenBy: "x",
    givenFor: "self",
    givenAt: "2026-01-01T09:00:00Z",
  });
  const images = await takesImages(dentist, patient.id);
  await says(dentist, "study.saveMarks", {
    id: images.study,
    version: 0,
    marks: [{ id: "m1", tool: "text", instanceId: images.item, plane: null, points: [[20, 20]], text: "x" }],
  });
  const order = await says(dentist, "order.save", {
    ...prescription(patient.id, lab.iid),
    studies: [images.model],
    send: true,
  });
  await says(lab, "order.message", { id: order.id, text: "x" });
  await says(dentist, "order.addPin", { id: order.id, file: order.files[0]!.id, point: [0, 0, 0], text: "x" });
  await says(lab, "order.saveLook", { filter: {}, columns: null, standard: false });
  await says(dentist, "template.save", { forAll: true, content: { material: "zirconia" } });
  const { version } = await lab.gets("order.detail", { id: order.id });
  await says(lab, "order.step", { id: order.id, action: "requestInfo", version, text: "x" });
  const report = await dentist.gets("report.create", { patientId: patient.id, source: "manual" });
  const { form } = await dentist.gets("report.detail", { id: report.id });
  const problem = { id: newId(), fdi: null, findingId: null, code: null, text: "x" };
  await says(dentist, "report.save", {
    id: report.id,
    version: report.version,
    form: { ...form, problems: [problem] },
  });
  const { analysis } = await seen(clinic, images.study);
  // A label may not name the patient, and here everything has the same name.
  const wish = { label: "<img src=x onerror=__xss(7)>", nameless: true, warned: true } as const;
  const links = [];
  for (const [kind, id] of [
    ["study", images.study],
    ["order", order.id],
  ] as const)
    links.push((await clinic.gets("share.create", { ...wish, kind, id, factor: { kind: "none" } })).secret);
  await clinic.gets("share.create", {
    ...wish,
    kind: "study",
    id: images.study,
    factor: { kind: "email", email: "guest@home.test" },
  });
  const service = await there.running.database.asSystem(async (db) => ({
    clinic: (await sql<{ id: string }>`select id from clinic where institution_id = ${clinicHouse.id}`.execute(db))
      .rows[0]!.id,
  }));
  const device = (await says(cast.operator, "device.register", { serialNumber: `S-${clinicHouse.number}` })) as {
    id?: string;
    device?: { id: string };
  };
  const deviceId = device.id ?? device.device?.id ?? "";
  await there.running.database.asSystem((db) =>
    sql`update device set institution_id = ${clinicHouse.id}, clinic_id = ${service.clinic}, state = 'bound', key_hash = ${newId()}, bound_at = now(),
      name = ${name} where id = ${deviceId}`.execute(db),
  );
  const work = await says(cast.afterSalesAdmin, "workorder.create", {
    type: "repair",
    deviceId,
    clinicId: service.clinic,
    contact: "x",
    contactPhone: "1",
    assigneeId: cast.afterSalesMember.uid,
  });
  await cast.afterSalesMember.asks("workorder.step", { id: work.id, version: work.version, action: "start" });
  await says(cast.afterSalesMember, "workorder.note", { id: work.id, text: "x", isInternal: false });
  const ownWork = await says(clinic, "workorder.create", {
    type: "repair",
    deviceId,
    contact: "x",
    contactPhone: "1",
  });
  const feedback = await says(cast.afterSalesAdmin, "feedback.create", {
    deviceId,
    page: "scan",
    softwareVersion: "1.0",
    ctDetectorSerial: "",
    lateralDetectorSerial: "",
  });
  await says(cast.afterSalesAdmin, "clinic.create", { country: "CN" });
  await says(clinic, "account.reportErrors", {
    errors: [{ message: "x", path: "/login", at: new Date().toISOString() }],
  });
  // Of the demonstration, with markup in its words later on.
  const finished = await there.running.database.asSystem((db) =>
    sql<{ id: string }>`select id from work_order where state = 'finished' limit 1`.execute(db),
  );
  const packages = await there.running.database.asSystem((db) =>
    sql<{ id: string }>`select id from upgrade_package limit 1`.execute(db),
  );
  return {
    cast,
    links,
    planted,
    ids: {
      patient: patient.id,
      ...images,
      filmItem: images.filmItem,
      order: order.id,
      report: report.id,
      analysis,
      clinic: service.clinic,
      device: deviceId,
      work: work.id,
      finished: finished.rows[0]!.id,
      ownWork: ownWork.id,
      feedback: feedback.id,
      package: packages.rows[0]?.id ?? "",
    },
  };
}

/** A radiograph with markup in its tags, a model, a traced film; their names are markup too. */
async function takesImages(dentist: Person, patientId: string) {
  const name = (end: string) => `${markup(60)}${end}`;
  const takes = async (file: string, bytes: Uint8Array, more: object = {}): Promise<string> => {
    const job = await uploaded(dentist, patientId, { [file]: bytes }, { acceptMismatch: true, ...more });
    return job.studies[0] ?? Promise.reject(new Error(JSON.stringify(job)));
  };
  const study = await takes(name(".dcm"), hostileDicom());
  const model = await takes(name(".stl"), crown());
  const film = await takes(name(".dcm"), tracedFilm().bytes, { kind: "lateralCeph" });
  await takes(
    name(".jpg"),
    await sharp({ create: { width: 90, height: 60, channels: 3, background: "#b06050" } })
      .jpeg()
      .toBuffer(),
  );
  const first = async (id: string) => (await dentist.gets("study.detail", { id })).series[0]!.instances[0]!.id;
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
      [0x0020000d, "UI", uidFrom("markup", "study")],
      [0x0020000e, "UI", uidFrom("markup", "series")],
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
    { sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1", sopInstanceUid: uidFrom("markup", "instance") },
  );
}
