import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { crownOrderInput, sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const phones = { dentist: "13912345678", designer: "13812345678" };
let nth = 0;
/** Sets the phone with which a user signs in; a different one each time. */
async function givePhone(who: TestUser, last: string): Promise<string> {
  const value = `${last.slice(0, -4)}${String(++nth).padStart(4, "0")}`;
  await who.server.running.database.asSystem((db) =>
    sql`insert into contact (user_id, kind, value, country_code) values (${who.uid}, 'phone', ${`+86${value}`}, '+86')`.execute(
      db,
    ),
  );
  return `+86 ${value}`;
}
const reach = { contactPerson: "Front desk", contactWay: "021-5555", address: "1 Bund" };
const seenBy = (who: TestUser, id: string) => who.call("order.detail", { id });

describe("the contacts of an order's two sides", () => {
  it("are shown to both from the hand-over on: the people in charge with their phones, and the organisations", async () => {
    const env = await setup();
    const { clinic, dentist, lab, designer } = env;
    const phone = await givePhone(dentist, phones.dentist);
    const labPhone = await givePhone(designer, phones.designer);
    await clinic.call("institution.update", reach);
    await lab.call("institution.update", { ...reach, contactPerson: "Intake" });
    const sent = await sendOrder(env);
    await takeStep(designer, await seenBy(designer, sent.id), "accept", { assigneeId: designer.uid });
    const expected = {
      sender: { person: dentist.name, phone, ...reach },
      receiver: { person: designer.name, phone: labPhone, ...reach, contactPerson: "Intake" },
    };
    for (const who of [dentist, designer]) expect((await seenBy(who, sent.id)).contacts).toEqual(expected);
  });

  it("name the lab to no one before the draft is sent, and the clinic's contact to the clinic alone", async () => {
    const { clinic, dentist, lab } = await setup({ related: false });
    await clinic.call("institution.update", reach);
    await lab.call("institution.update", reach);
    const draft = await dentist.call("order.save", crownOrderInput(await createPatient(dentist), lab.iid));
    expect(draft.contacts).toMatchObject({ sender: reach, receiver: null });
  });

  it("are hidden once the order was refused", async () => {
    const env = await setup();
    await env.clinic.call("institution.update", reach);
    await env.lab.call("institution.update", reach);
    const sent = await sendOrder(env);
    await takeStep(env.lab, await seenBy(env.lab, sent.id), "refuse", { reason: "Full" });
    expect((await seenBy(env.lab, sent.id)).contacts).toMatchObject({ sender: null, receiver: reach });
    expect((await seenBy(env.dentist, sent.id)).contacts).toMatchObject({ sender: reach, receiver: null });
  });

  it("leave out an account's phone if the organisation does not share it, but not a work phone", async () => {
    const env = await setup();
    await givePhone(env.dentist, phones.dentist);
    await env.clinic.call("institution.update", { sharePhones: false });
    const { id } = await sendOrder(env);
    expect((await seenBy(env.lab, id)).contacts.sender?.phone).toBeNull();
    expect(refusalOf(await env.dentist.ask("account.setSelfInfo", { workPhone: "call me" }))).toBe("badInput");
    await env.dentist.call("account.setSelfInfo", { workPhone: "+86 21 5555-1" });
    expect((await seenBy(env.lab, id)).contacts.sender?.phone).toBe("+86 21 5555-1");
  });

  it("leave out the phone of a dentist who left, also if the order stays theirs", async () => {
    const env = await setup();
    await givePhone(env.dentist, phones.dentist);
    const { id } = await sendOrder(env);
    await env.server.running.database.asSystem((db) =>
      sql`update membership set state = 'exited' where user_id = ${env.dentist.uid}`.execute(db),
    );
    expect((await seenBy(env.lab, id)).contacts.sender).toMatchObject({ person: env.dentist.name, phone: null });
  });

  it("are shown in a relationship while it lasts, and not by a request", async () => {
    const { clinic, lab } = await setup({ related: false });
    await lab.call("institution.update", { ...reach, longitude: 121.5, latitude: 31.2 });
    const partner = async () => (await clinic.call("relation.list", {}))[0];
    await clinic.call("relation.step", { action: "request", iid: lab.iid });
    const silent = { contactPerson: null, contactWay: null, longitude: null, latitude: null };
    expect((await partner()).other).toMatchObject(silent);
    const [asked] = await lab.call("relation.list", {});
    await lab.call("relation.step", { id: asked.id, version: asked.version, action: "accept" });
    expect((await partner()).other).toMatchObject({
      contactPerson: "Front desk",
      contactWay: "021-5555",
      latitude: 31.2,
    });
  });
});

describe("an order that is created for another user", () => {
  it("names the responsible dentist and who made it, and both may write on and send the draft", async () => {
    const env = await setup();
    const { clinic, dentist, lab } = env;
    const patientId = await createPatient(clinic);
    const assistant = await env.server.createUser("clinicMember", { id: clinic.iid });
    const crown = crownOrderInput(patientId, lab.iid);
    const draft = await assistant.call("order.save", { ...crown, responsibleId: dentist.uid });
    expect(draft).toMatchObject({
      creatorName: assistant.name,
      responsibleName: dentist.name,
      responsibleId: dentist.uid,
    });
    expect(draft.actions).toEqual(expect.arrayContaining(["edit", "submit"]));
    const again = await dentist.call("order.save", { ...crown, id: draft.id, version: draft.version });
    expect(again).toMatchObject({ responsibleId: dentist.uid, creatorName: assistant.name });
    const sent = await takeStep(assistant, again, "submit");
    expect(sent.state).toBe("pending");
    const seen = await seenBy(lab, sent.id);
    expect(seen).toMatchObject({ responsibleName: dentist.name, creatorName: assistant.name, responsibleId: null });
  });

  it("is the responsible dentist's to decide once the lab has taken it on, not the assistant's", async () => {
    const env = await setup();
    const { clinic, dentist, lab } = env;
    const assistant = await env.server.createUser("clinicMember", { id: clinic.iid });
    const crown = crownOrderInput(await createPatient(clinic), lab.iid);
    const sent = await assistant.call("order.save", { ...crown, responsibleId: dentist.uid, send: true });
    expect((await seenBy(assistant, sent.id)).actions).toEqual(["cancel"]);
    await takeStep(lab, await seenBy(lab, sent.id), "requestInfo", { text: "Shade?" });
    expect((await seenBy(assistant, sent.id)).actions).not.toContain("supplyInfo");
    expect((await seenBy(dentist, sent.id)).actions).toContain("supplyInfo");
  });

  it("is made for nobody who does not work there", async () => {
    const { dentist, lab } = await setup();
    const crown = crownOrderInput(await createPatient(dentist), lab.iid);
    for (const responsibleId of [lab.uid, (await setup()).dentist.uid])
      expect(await dentist.ask("order.save", { ...crown, responsibleId })).toMatchObject({
        code: refusals.badInput.code,
        data: { responsibleId: expect.any(String) },
      });
  });
});
