import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { crownFor, sentOrder, steps } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";

const phones = { dentist: "13912345678", designer: "13812345678" };
let nth = 0;
/** Sets the phone with which somebody signs in; a different one each time. */
async function givePhone(who: Person, last: string): Promise<string> {
  const value = `${last.slice(0, -4)}${String(++nth).padStart(4, "0")}`;
  await who.server.running.database.asSystem((db) =>
    sql`insert into contact (user_id, kind, value, country_code) values (${who.uid}, 'phone', ${`+86${value}`}, '+86')`.execute(
      db,
    ),
  );
  return `+86 ${value}`;
}
const reach = { contactPerson: "Front desk", contactWay: "021-5555", address: "1 Bund" };
const seenBy = (who: Person, id: string) => who.gets("order.detail", { id });

describe("how the two sides of an order are reached", () => {
  it("is told to both from the hand-over on: the people in charge with their phones, and the organisations", async () => {
    const here = await world();
    const { clinic, dentist, lab, designer } = here;
    const phone = await givePhone(dentist, phones.dentist);
    const labPhone = await givePhone(designer, phones.designer);
    await clinic.gets("institution.update", reach);
    await lab.gets("institution.update", { ...reach, contactPerson: "Intake" });
    const sent = await sentOrder(here);
    await steps(designer, await seenBy(designer, sent.id), "accept", { assigneeId: designer.uid });
    const expected = {
      sender: { person: dentist.name, phone, ...reach },
      receiver: { person: designer.name, phone: labPhone, ...reach, contactPerson: "Intake" },
    };
    for (const who of [dentist, designer]) expect((await seenBy(who, sent.id)).contacts).toEqual(expected);
  });

  it("names the lab to nobody by a draft, and the clinic's own contact to the clinic alone", async () => {
    const { clinic, dentist, lab } = await world({ related: false });
    await clinic.gets("institution.update", reach);
    await lab.gets("institution.update", reach);
    const draft = await dentist.gets("order.save", crownFor(await newPatient(dentist), lab.iid));
    expect(draft.contacts).toMatchObject({ sender: reach, receiver: null });
  });

  it("is told no more once the order was refused", async () => {
    const here = await world();
    await here.clinic.gets("institution.update", reach);
    await here.lab.gets("institution.update", reach);
    const sent = await sentOrder(here);
    await steps(here.lab, await seenBy(here.lab, sent.id), "refuse", { reason: "Full" });
    expect((await seenBy(here.lab, sent.id)).contacts).toMatchObject({ sender: null, receiver: reach });
    expect((await seenBy(here.dentist, sent.id)).contacts).toMatchObject({ sender: reach, receiver: null });
  });

  it("keeps an account's phone back where the organisation does not share it, but not a work phone", async () => {
    const here = await world();
    await givePhone(here.dentist, phones.dentist);
    await here.clinic.gets("institution.update", { sharePhones: false });
    const { id } = await sentOrder(here);
    expect((await seenBy(here.lab, id)).contacts.sender?.phone).toBeNull();
    expect((await here.dentist.asks("account.setSelfInfo", { workPhone: "call me" })).code).toBe(
      refusals.badInput.code,
    );
    await here.dentist.gets("account.setSelfInfo", { workPhone: "+86 21 5555-1" });
    expect((await seenBy(here.lab, id)).contacts.sender?.phone).toBe("+86 21 5555-1");
  });

  it("keeps back the phone of a dentist who left, as that of an order which ended stays theirs", async () => {
    const here = await world();
    await givePhone(here.dentist, phones.dentist);
    const { id } = await sentOrder(here);
    await here.server.running.database.asSystem((db) =>
      sql`update membership set state = 'exited' where user_id = ${here.dentist.uid}`.execute(db),
    );
    expect((await seenBy(here.lab, id)).contacts.sender).toMatchObject({ person: here.dentist.name, phone: null });
  });

  it("is told in a relationship while it lasts, and not by a request", async () => {
    const { clinic, lab } = await world({ related: false });
    await lab.gets("institution.update", { ...reach, longitude: 121.5, latitude: 31.2 });
    const partner = async () => (await clinic.gets("relation.list", {}))[0]!;
    await clinic.gets("relation.step", { action: "request", iid: lab.iid! });
    const silent = { contactPerson: null, contactWay: null, longitude: null, latitude: null };
    expect((await partner()).other).toMatchObject(silent);
    const [asked] = await lab.gets("relation.list", {});
    await lab.gets("relation.step", { id: asked!.id, version: asked!.version, action: "accept" });
    expect((await partner()).other).toMatchObject({
      contactPerson: "Front desk",
      contactWay: "021-5555",
      latitude: 31.2,
    });
  });
});

describe("an order that is made for somebody else", () => {
  it("names the responsible dentist and who made it, and both may write on and send the draft", async () => {
    const here = await world();
    const { clinic, dentist, lab } = here;
    const patientId = await newPatient(clinic);
    const assistant = await here.server.person("clinicMember", { id: clinic.iid! });
    const crown = crownFor(patientId, lab.iid);
    const draft = await assistant.gets("order.save", { ...crown, responsibleId: dentist.uid });
    expect(draft).toMatchObject({
      creatorName: assistant.name,
      responsibleName: dentist.name,
      responsibleId: dentist.uid,
    });
    expect(draft.actions).toEqual(expect.arrayContaining(["edit", "submit"]));
    const again = await dentist.gets("order.save", { ...crown, id: draft.id, version: draft.version });
    expect(again).toMatchObject({ responsibleId: dentist.uid, creatorName: assistant.name });
    const sent = await steps(assistant, again, "submit");
    expect(sent.state).toBe("pending");
    const seen = await seenBy(lab, sent.id);
    expect(seen).toMatchObject({ responsibleName: dentist.name, creatorName: assistant.name, responsibleId: null });
  });

  it("is the responsible dentist's to decide once the lab has taken it on, not the assistant's", async () => {
    const here = await world();
    const { clinic, dentist, lab } = here;
    const assistant = await here.server.person("clinicMember", { id: clinic.iid! });
    const crown = crownFor(await newPatient(clinic), lab.iid);
    const sent = await assistant.gets("order.save", { ...crown, responsibleId: dentist.uid, send: true });
    expect((await seenBy(assistant, sent.id)).actions).toEqual(["cancel"]);
    await steps(lab, await seenBy(lab, sent.id), "requestInfo", { text: "Shade?" });
    expect((await seenBy(assistant, sent.id)).actions).not.toContain("supplyInfo");
    expect((await seenBy(dentist, sent.id)).actions).toContain("supplyInfo");
  });

  it("is made for nobody who does not work there", async () => {
    const { dentist, lab } = await world();
    const crown = crownFor(await newPatient(dentist), lab.iid);
    for (const responsibleId of [lab.uid, (await world()).dentist.uid])
      expect(await dentist.asks("order.save", { ...crown, responsibleId })).toMatchObject({
        code: refusals.badInput.code,
        data: { responsibleId: expect.any(String) },
      });
  });
});
