import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ackCode, MllpSender } from "@arcada/testing/clients/mllp-client";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { toWorklistEntry } from "../device/worklist-entry.ts";
import { listWorklist as readWorklist } from "../device/worklist.store.ts";
import { listenForHl7 } from "../hl7-port.ts";
import type { MllpListener } from "../platform/mllp/mllp-listener.ts";
import { readConfig } from "../platform/runtime/config.ts";

let env: TestSetup;
let listener: MllpListener;
let sender: MllpSender;
beforeAll(async () => {
  env = await setup();
  await env.clinic.call("hl7.saveConnection", connection);
  const HL7_SENDERS = `KIS|HOSPITAL@127.0.0.0/8=${env.clinic.iid},STRANGER=${env.clinic.iid}`;
  const config = readConfig({ DATA_DIR: "/nowhere", HL7_PORT: "0", HL7_SENDERS });
  listener = present(await listenForHl7(config, env.server.running.database, 1000));
  sender = await MllpSender.open(listener.port);
});
afterAll(async () => {
  sender.close();
  await listener.close();
});

const connection = {
  name: "Hospital",
  application: "KIS",
  facility: "HOSPITAL",
  receiver: "ARCADA",
  authority: "KIS",
  createsPatients: true,
  results: "off",
  port: 2575,
  tls: false,
} as const;

let count = 0;
const write = (event: string, segments: readonly string[], control = `C${++count}`): string =>
  [`MSH|^~\\&|KIS|HOSPITAL|ARCADA||20260101120000||${event}|${control}|P|2.5||||||UNICODE UTF-8`, ...segments, ""].join(
    "\r",
  );
const pid = (number: string, name: string, rest = "||19850908|F") => `PID|1||${number}^^^KIS^MR||${name}${rest}`;
const send = async (event: string, ...segments: string[]) => ackCode(await sender.send(write(event, segments)));
const findPatients = async (search: string) =>
  (await env.clinic.call("patient.list", { search })).list.filter(
    ({ name, entryNumber }) => entryNumber === search || name.includes(search),
  );
const newest = async () => present((await env.clinic.call("hl7.messages", {})).list[0]);
const findWaiting = async (number: string) =>
  (await env.clinic.call("hl7.waiting", {})).list.filter(({ person }) => person.number === number);

describe("ADT", () => {
  it.each(["A01", "A04", "A05", "A08", "A28", "A31"])("makes an unknown patient by %s", async (event) => {
    expect(await send(`ADT^${event}`, pid(`new${event}`, `Neumann^${event}`))).toBe("AA");
    const [made, ...more] = await findPatients(`new${event}`);
    expect(more).toEqual([]);
    expect(made).toMatchObject({
      name: `${event} Neumann`,
      birthDate: "1985-09-08",
      sex: "female",
      entryNumber: `new${event}`,
    });
    expect(await newest()).toMatchObject({ type: `ADT^${event}`, state: "done", patientId: made?.id });
  });

  it("changes the patient with the number, and leaves out what the message does not say", async () => {
    await send("ADT^A04", pid("200", "Müller^Anna", "||19850908|F|||Ring 1^^Bern||031 123"));
    await send("ADT^A08", pid("200", "Müller-Weber^Anna", '||19850908|F|||""'));
    const [{ id, name } = { id: "", name: "" }] = await findPatients("200");
    expect(name).toBe("Anna Müller-Weber");
    expect(await env.clinic.call("patient.detail", { id })).toMatchObject({ phone: "031 123", mailAddress: null });
    const { list } = await env.clinic.call("trail.list", {});
    expect(list.find(({ subject, action }) => subject === id && action === "patient.update")).toMatchObject({
      userName: "Hospital",
    });
  });

  it("writes Chinese names without a space", async () => {
    await send("ADT^A04", pid("201", "王^小明"));
    expect(await findPatients("201")).toMatchObject([{ name: "王小明" }]);
  });

  it("joins the record with the same name and birth date if it has no number", async () => {
    const person = { name: "Bernd Kern", sex: "male", birthDate: "1971-05-06" } as const;
    const { id } = await env.clinic.call("patient.create", person);
    await send("ADT^A04", pid("202", "Kern^Bernd", "||19710506|M"));
    expect(await findPatients("202")).toMatchObject([{ id }]);
  });

  it("waits for a person if the number has another birth date, and is applied when a person says so", async () => {
    await send("ADT^A04", pid("203", "Ott^Eva"));
    expect(await send("ADT^A08", pid("203", "Ott^Eva", "||19900101|F"))).toBe("AA");
    expect(await findPatients("203")).toMatchObject([{ birthDate: "1985-09-08" }]);
    const [waiting] = await findWaiting("203");
    expect(waiting).toMatchObject({
      reason: "otherIdentity",
      person: { birthDate: "1990-01-01" },
      candidates: [{ birthDate: "1985-09-08" }],
    });
    const { id } = present(waiting);
    expect(await env.dentist.call("hl7.decide", { id, decision: "apply" })).toMatchObject({ state: "done" });
    expect(await findPatients("203")).toMatchObject([{ birthDate: "1990-01-01" }]);
  });

  it("never takes a namesake for the patient", async () => {
    await env.clinic.call("patient.create", { name: "Max Frei", sex: "male", birthDate: "1960-01-01" });
    await send("ADT^A04", pid("204", "Frei^Max", "||19910203|M"));
    expect(await findPatients("Frei")).toHaveLength(2);
    // Without a birth date nobody can tell the two from each other.
    expect(await send("ADT^A04", pid("205", "Frei^Max", ""))).toBe("AA");
    expect(await findPatients("Frei")).toHaveLength(2);
    const [waiting] = await findWaiting("205");
    expect(present(waiting)).toMatchObject({ reason: "maybeKnown" });
    const chosen = present(waiting?.candidates[0]);
    await env.clinic.call("hl7.decide", { id: present(waiting).id, decision: "choose", patientId: chosen.id });
    expect(await env.clinic.call("patient.detail", { id: chosen.id })).toMatchObject({ entryNumber: "205" });
  });

  it("merges by A40 only when a person says so", async () => {
    await send("ADT^A04", pid("206", "Alt^Uwe", "||19500101|M"));
    await send("ADT^A04", pid("207", "Alt^U.", "||19500101|M|||Ring 7"));
    expect(await send("ADT^A40", pid("206", "Alt^Uwe", "||19500101|M"), "MRG|207^^^KIS")).toBe("AA");
    expect(await findPatients("207")).toHaveLength(1);
    const [waiting] = await findWaiting("206");
    expect(waiting).toMatchObject({ reason: "merge", candidates: [{ number: "206" }, { number: "207" }] });
    await env.clinic.call("hl7.decide", { id: present(waiting).id, decision: "apply" });
    expect(await findPatients("207")).toEqual([]);
    const [kept] = await findPatients("206");
    expect(await env.clinic.call("patient.detail", { id: present(kept).id })).toMatchObject({ mailAddress: "Ring 7" });
  });

  it("flags a deletion and deletes nothing", async () => {
    await send("ADT^A04", pid("208", "Weg^Ada"));
    for (const event of ["A23", "A29"]) expect(await send(`ADT^${event}`, pid("208", "Weg^Ada"))).toBe("AA");
    expect(await findPatients("208")).toHaveLength(1);
    const waiting = await findWaiting("208");
    expect(waiting.map(({ reason }) => reason)).toEqual(["deletion", "deletion"]);
    await env.clinic.call("hl7.decide", { id: present(waiting[0]).id, decision: "dismiss" });
    expect(await findWaiting("208")).toHaveLength(1);
  });

  it("waits if the system may not make patients", async () => {
    const own = { ...connection, application: "PVS", createsPatients: false };
    const { id } = await env.clinic.call("hl7.saveConnection", own);
    const message = Buffer.from(write("ADT^A04", [pid("209", "Still^Eva")]).replace("KIS|HOSPITAL", "PVS|HOSPITAL"));
    const { receiveMessage } = await import("./receive-message.ts");
    await receiveMessage(env.server.running.database, env.clinic.iid, message);
    const [waiting] = await findWaiting("209");
    expect(waiting).toMatchObject({ reason: "creationOff", connectionId: id });
    await env.clinic.call("hl7.decide", { id: present(waiting).id, decision: "create" });
    expect(await findPatients("209")).toMatchObject([{ name: "Eva Still" }]);
  });
});

describe("an acknowledgement", () => {
  it("is the same for a message that comes again, which is done once", async () => {
    const text = write("ADT^A04", [pid("300", "Einmal^Ada")], "SAME");
    const first = await sender.send(text);
    await env.clinic.call("patient.update", await renamed("300"));
    const again = await sender.send(text.replace("20260101120000", "20260101120001"));
    expect(again?.segment("MSH")?.get(10)).toBe(present(first?.segment("MSH")?.get(10)));
    expect(await findPatients("300")).toMatchObject([{ name: "Ada Zweimal" }]);
  });

  it("is given once more to a sender that lost its connection before it heard it", async () => {
    const text = write("ADT^A04", [pid("302", "Verloren^Ada")], "LOST");
    const lost = await MllpSender.open(listener.port);
    void lost.send(text);
    lost.socket.end();
    await expect.poll(() => findPatients("302")).toHaveLength(1);
    expect(ackCode(await sender.send(text))).toBe("AA");
    expect(await findPatients("302")).toHaveLength(1);
  });

  it("is one of twenty copies that arrive at once on several connections", async () => {
    const text = write("ADT^A04", [pid("301", "Zugleich^Ada")], "ATONCE");
    const senders = await Promise.all(Array.from({ length: 5 }, () => MllpSender.open(listener.port)));
    const answers = await Promise.all(senders.flatMap((one) => [0, 1, 2, 3].map(() => one.send(text))));
    for (const one of senders) one.close();
    expect(new Set(answers.map((answer) => answer?.segment("MSH")?.get(10))).size).toBe(1);
    expect(await findPatients("301")).toHaveLength(1);
  });

  it.each([
    ["AR", "ORU^R01", [pid("310", "A^B")], "unsupportedType"],
    ["AE", "ADT^A04", ["PV1|1"], "noPatient"],
    ["AE", "ADT^A04", ["PID|1||1^^^OTHER||A^B"], "noNumber"],
    ["AE", "ADT^A40", [pid("310", "A^B")], "noNumber"],
    ["AA", "ADT^A60", [pid("310", "A^B")], "eventNotUsed"],
    ["AA", "ORM^O01", [pid("310", "A^B"), "ORC|SC|1"], "orderNotUsed"],
  ])("is %s for %s with %j", async (code, event, segments, reason) => {
    expect(await send(event, ...segments)).toBe(code);
    expect(await newest()).toMatchObject({ reason, state: code === "AA" ? "ignored" : "refused" });
    expect(await findPatients("310")).toEqual([]);
  });

  it("refuses what is not for us, of a stranger, in an unknown character set, and what is no message", async () => {
    const text = write("ADT^A04", [pid("311", "A^B")]);
    for (const wrong of [
      text.replace("|ARCADA|", "|OTHER|"),
      text.replace("KIS|HOSPITAL", "KIS|CLINIC"),
      text.replace("KIS|HOSPITAL", "STRANGER|X"),
      text.replace("UNICODE UTF-8", "EBCDIC"),
      "GET / HTTP/1.1\r\n\r\n",
      "",
    ])
      expect(ackCode(await sender.send(wrong))).toBe("AR");
    expect(await findPatients("311")).toEqual([]);
  });
});

describe("a hostile sender", () => {
  it("does not block those behind it by a control id or a name that no database stores", async () => {
    for (const text of [
      write("ADT^A04", [pid("320", "Null^A")], "N\\X00\\1"),
      write("ADT^A04", [pid("321", "Null^B\0")], "N\u00002"),
      write("ADT^A04", [pid("322", `${"a".repeat(79)}𠮷^B`)]),
      write("ADT^A04", [pid("323", "Null^C")]).replace("KIS|", "KIS\0|"),
    ])
      expect(ackCode(await sender.send(text))).toBe("AA");
  });
});

it("the log of messages, which names patients, is a reading of patients in the audit log", async () => {
  await send("ADT^A04", pid("330", "Gelesen^Ida"));
  await env.dentist.call("hl7.messages", {});
  const lines = await env.server.running.database.asSystem((db) =>
    db.selectFrom("audit").select("user_id").where("action", "=", "patient.list").execute(),
  );
  expect(lines.map(({ user_id }) => user_id)).toContain(env.dentist.uid);
});

it("the erasure of a patient reaches the messages that wait and belong to no record yet", async () => {
  const person = { name: "Rosa Fort", sex: "female", birthDate: "1961-02-03" } as const;
  const { id, number } = await env.clinic.call("patient.create", { ...person, entryNumber: "900" });
  await send("ADT^A04", pid("901", "Fort^Rosa", "||19610203|F|||Weg 9^^Bern||031 999"));
  await send("ADT^A04", pid("902", "Fort^Rosalinde", "||19900101|F"));
  const holders = () =>
    env.server.running.database.asSystem((db) =>
      db.selectFrom("hl7_message").select("intent").where("state", "=", "waiting").execute(),
    );
  expect(JSON.stringify(await holders())).toContain("Weg 9");
  await env.clinic.call("patient.erase", { id, number, reason: "the patient asked for it" });
  expect(JSON.stringify(await holders())).not.toContain("Weg 9");
});

describe("ORM", () => {
  it("puts the patient on the work list of devices with the order's numbers, until it is cancelled", async () => {
    const order = (control: string, text = "Cone beam CT") => [
      pid("400", "Bild^Ada"),
      `ORC|${control}|P400|F400||||^^^20990102103000|||||7^Weber^Ida`,
      `OBR|1|P400|F400|CBCT^${text}|||||||||pain|||||A400`,
      "OBX|1|ST|TEETH^FDI||36~37",
    ];
    expect(await send("ORM^O01", ...order("NW"))).toBe("AA");
    expect(await readOrders("400")).toMatchObject([
      { placer: "P400", state: "open", teeth: [36, 37], accession: "A400" },
    ]);
    const listed = await listWorklist("2099-01-02");
    expect(listed).toMatchObject([
      { patientNumber: "400", accessionNumber: "A400", scheduledTime: "103000", description: "Cone beam CT 36, 37" },
    ]);
    await send("ORM^O01", ...order("XO", "Panorama"));
    expect(await readOrders("400")).toMatchObject([{ description: "Panorama", state: "open" }]);
    await send("ORM^O01", ...order("CA"));
    expect(await readOrders("400")).toMatchObject([{ description: "Panorama", state: "cancelled" }]);
    expect(await listWorklist("2099-01-02")).toEqual([]);
  });
});

async function listWorklist(day: string) {
  const { rows } = await env.server.running.database.as(
    { system: false, iid: env.clinic.iid, uid: env.clinic.uid },
    (db) => readWorklist(db, env.clinic.iid, { from: day, to: day, zone: "Asia/Shanghai" }),
  );
  return rows.map((row) => toWorklistEntry(row, "20260101"));
}

const readOrders = (number: string) =>
  env.server.running.database.asSystem((db) =>
    db
      .selectFrom("hl7_order as o")
      .innerJoin("patient as p", "p.id", "o.patient_id")
      .select(["o.placer", "o.state", "o.teeth", "o.accession", "o.description"])
      .where("p.institution_id", "=", env.clinic.iid)
      .where("p.entry_number", "=", number)
      .execute(),
  );

describe("a connection", () => {
  it("is closed at 100 MB without an end, and without the memory for it", async () => {
    const hostile = await MllpSender.open(listener.port);
    hostile.socket.write(Buffer.from([0x0b]));
    const chunk = Buffer.alloc(1_000_000, 65);
    let sent = 0;
    while (!hostile.socket.destroyed && sent < 100) {
      await new Promise((resolve) => hostile.socket.write(chunk, resolve));
      sent += 1;
    }
    expect(hostile.socket.destroyed).toBe(true);
    expect(sent).toBeLessThan(40);
  });

  it("is closed if a message is not complete in time, even if bytes trickle in", async () => {
    const slow = await MllpSender.open(listener.port);
    const began = performance.now();
    slow.socket.write(Buffer.from([0x0b]));
    const trickle = setInterval(() => slow.socket.write("A"), 100);
    await new Promise((resolve) => slow.socket.once("close", resolve));
    clearInterval(trickle);
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it("gets on with the next message after one without an end", async () => {
    const text = write("ADT^A04", [pid("500", "Ende^Ada")]);
    const answer = sender.sendRaw(
      Buffer.concat([Buffer.from(`\u000b${text.slice(0, 60)}`), Buffer.from(`\u000b${text}\u001c\r`)]),
    );
    expect(ackCode(await answer)).toBe("AA");
    expect(await findPatients("500")).toHaveLength(1);
  });

  it("is refused when one address has too many, while the others go on", async () => {
    const many = await Promise.all(Array.from({ length: 40 }, () => MllpSender.open(listener.port)));
    await expect.poll(() => many.filter(({ socket }) => socket.destroyed).length).toBeGreaterThan(30);
    for (const one of many) one.close();
    expect(await send("ADT^A04", pid("501", "Noch^Ada"))).toBe("AA");
  });
});

async function renamed(number: string) {
  const [row] = await findPatients(number);
  const { id, version, sex, birthDate } = await env.clinic.call("patient.detail", { id: present(row).id });
  return { id, version, sex, birthDate, name: "Ada Zweimal" };
}
