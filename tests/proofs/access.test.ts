import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import type { Call } from "@arcada/contract/kernel/call";
import { scopeOf } from "@arcada/contract/interface/scopes";
import { refusals } from "@arcada/contract/kernel/refusals";
import { mayRole, roleNames, roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { planted } from "../planted.ts";
import type { Planted } from "../planted.ts";
import { visitHeaders } from "../visitors.ts";
import { server, world } from "../world.ts";
import type { Answer, CallName, Person, TestServer, World } from "../world.ts";
import { canaryIn, markCanaries } from "./canaries.ts";
import { programs, type Program } from "./programs.ts";
import { samples } from "./samples.ts";
import { members, scrub } from "./two-ids.ts";

/** The relation of a person's institution to the one that owns the records. */
type Relation = "own" | "shared" | "related" | "unrelated";
interface Principal {
  name: string;
  relation: Relation;
  role: Role | undefined;
  /** The code that rejects this person's every call with a session. */
  dead?: number;
  token: string | undefined;
  visit?: Record<string, string>;
  /** The program of an API key, with its permissions. */
  key?: Program;
  /** The active institution of this person's session. */
  iid?: string | null;
}
const calls = everyCall() as { name: CallName; row: Call }[];
let here: TestServer;
let case1: World;
let things: Planted;
let principals: Principal[];
beforeAll(async () => {
  here = await server();
  case1 = await world();
  things = await planted(case1);
  await planted(await world());
  await markCanaries(here.running.database);
  principals = await everyone();
});

// No calls: a stream of events, bytes to measure the line by.
const plain = ["/v1/notice/stream", "/v1/base/speedProbe", "/v1/base/provider/start", "/v1/base/provider/callback"];

describe("T-01 and T-13: who may ask what, and hears nothing of others with it", () => {
  it("answers every call as its row says, to every principal in every relation", async () => {
    const wrong: string[] = [];
    const foreign: string[] = [];
    let [asked, heard] = [0, 0];
    for (const { name, row } of calls)
      for (const principal of principals) {
        const answer = await ask(name, principal, samples[name].input(things, case1));
        asked += 1;
        const houses = canaryIn(answer);
        if (houses.size > 0) heard += 1;
        for (const house of houses)
          if (!mayHear(principal, house))
            foreign.push(`${name} as ${principal.name} (${principal.relation}): ${house}`);
        const expected = expectation(name, row, principal);
        if (!expected.holds(answer))
          wrong.push(
            `${name} as ${principal.name} (${principal.relation}): ${answer.code} ${answer.status}, expected ${expected.says}`,
          );
      }
    console.info(
      `T-01: ${calls.length} calls × ${principals.length} principals: ${asked} answers, ${wrong.length} wrong`,
    );
    console.info(`T-13: canaries in ${heard} answers, ${foreign.length} of another organisation`);
    expect({ wrong, foreign }).toEqual({ wrong: [], foreign: [] });
    expect(heard).toBeGreaterThan(20);
  }, 400_000);

  it("serves every declared call and no other under /v1", () => {
    const declared = new Set<string>(calls.map(({ row }) => row.path));
    const served = [...here.running.served].filter((path) => path.startsWith("/v1/") && !plain.includes(path));
    expect(served.toSorted()).toEqual([...declared].toSorted());
  });
});

describe("T-01b: an id of another organisation is like one that does not exist", () => {
  it("answers 600 requests with one foreign id among own ones exactly as with an unknown id", async () => {
    const other = await world();
    const theirs = await planted(other);
    const upload = await other.clinic.uploads("foreign.stl", new Uint8Array(200).fill(7));
    const mine = { patient: things.patient.id, draft: things.draft, lab: case1.lab.iid! };
    let succeeded = 0;
    let different = 0;
    let asked = 0;
    const [colleague] = (await case1.clinic.gets("member.list", {})).list;
    const [member] = (await other.clinic.gets("member.list", {})).list;
    const pairs = [...twoIds(theirs, upload, mine), ...members(colleague!, member!)];
    for (let round = 0; asked < 600; round++)
      for (const { call, foreign, unknown } of pairs) {
        const person = round % 2 === 0 ? case1.clinic : case1.dentist;
        const [one, two] = [await person.asks(call, foreign), await person.asks(call, unknown)];
        asked += 1;
        if (one.code === 200) succeeded += 1;
        if (
          one.code !== two.code ||
          one.status !== two.status ||
          one.msg !== two.msg ||
          scrub(one.data, foreign) !== scrub(two.data, unknown)
        )
          different += 1;
      }
    console.info(`T-01b: ${asked} requests, ${succeeded} succeeded, ${different} told the two apart`);
    expect({ succeeded, different }).toEqual({ succeeded: 0, different: 0 });
  }, 120_000);
});

function twoIds(
  theirs: Planted,
  upload: string,
  mine: { patient: string; draft: { id: string; version: number }; lab: string },
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
    both("study.attach", (id) => ({ id: things.studyId, patientId: id }), theirs.patient.id),
    both("study.attach", (id) => ({ id, patientId: mine.patient }), theirs.studyId),
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
        id: things.order.id,
        action: "supplyInfo",
        version: things.order.version,
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

/**
 * A person may receive their own institution's records; a lab also those that the clinic has transferred with its
 * order.
 */
const mayHear = ({ iid, relation }: Principal, house: string): boolean =>
  iid === house || (relation === "shared" && house === case1.clinic.iid);

interface Expectation {
  says: string;
  holds(answer: Answer<unknown>): boolean;
}
const code = (name: keyof typeof refusals): Expectation => ({
  says: name,
  holds: (answer) => answer.code === refusals[name].code,
});
const closed = new Set<number>([
  refusals.unknownSession.code,
  refusals.notAllowed.code,
  refusals.signedOutElsewhere.code,
  refusals.accountSuspended.code,
]);

function expectation(name: CallName, row: Call, principal: Principal): Expectation {
  if (row.access === "share" && !principal.visit) return code("shareVisitOver");
  if (principal.dead) return { says: `code ${principal.dead}`, holds: (answer) => answer.code === principal.dead };
  const scope = scopeOf(row);
  if (principal.key?.isDevice && row.access !== "device") return code("keyNotHere");
  if (principal.key && !scope) return code("keyNotHere");
  if (principal.key && !principal.key.scopes.includes(scope!)) return code("keyScopeMissing");
  if (row.access !== "anyone" && row.access !== "share" && !principal.role) return code("unknownSession");
  if (row.access !== "share" && !principal.key?.isDevice && !mayRole(row.access, principal.role))
    return code("notAllowed");
  const { object } = samples[name];
  const reaches =
    object === "none" ||
    principal.relation === "own" ||
    (principal.relation === "shared" && ["order", "sharedStudy"].includes(object));
  if (!reaches) return code("notFound");
  return {
    says: "not a closed door",
    holds: (answer) =>
      !closed.has(answer.code) &&
      answer.status !== 500 &&
      (object === "none" || answer.code !== refusals.notFound.code || name === "patient.restore"),
  };
}

/** Sessions that an earlier call of the walk has ended are created again. */
async function ask(name: CallName, principal: Principal, input: Record<string, unknown>): Promise<Answer<unknown>> {
  const headers = {
    ...(principal.token && { token: principal.token }),
    ...(principal.key && { authorization: `Bearer ${principal.key.secret}` }),
    ...principal.visit,
  };
  if (name === "patient.remove" && principal.relation === "own" && !principal.dead) {
    const spare = await case1.clinic.gets("patient.create", {
      name: "临时",
      sex: "other",
      birthDate: "1999-09-09",
      evenIfDuplicate: true,
    });
    return here.ask(name, { id: spare.id }, headers);
  }
  if (
    name === "study.remove" &&
    principal.relation === "own" &&
    principal.role &&
    ["clinicAdmin", "clinicMember"].includes(principal.role)
  ) {
    const answer = await here.ask(name, input, headers);
    await here.running.database.asSystem((db) =>
      sql`update study set deleted_at = null where id = ${things.studyId}`.execute(db),
    );
    return answer;
  }
  const answer = await here.ask(name, input, headers);
  if (name === "account.logout" && principal.token && !principal.dead)
    await here.running.database.asSystem((db) =>
      sql`update session set ended_at = null where user_id = (select user_id from session where token_hash = encode(sha256(${principal.token}::bytea), 'hex'))`.execute(
        db,
      ),
    );
  return answer;
}

async function everyone(): Promise<Principal[]> {
  const relatedLab = await here.institution("lab");
  const list: Principal[] = [{ name: "anonymous", relation: "unrelated", role: undefined, token: undefined }];
  const add = (person: Person, relation: Relation, more: Partial<Principal> = {}) =>
    list.push({ name: person.role, relation, role: person.role, token: person.token, iid: person.iid, ...more });
  await relate(case1.clinic.iid!, relatedLab.id, case1.clinic.uid);
  for (const role of roleNames) {
    const { side } = roles[role];
    if (side === "none") add(await here.person(role), "unrelated");
    if (side === "clinic") add(await here.person(role, { id: case1.clinic.iid! }), "own");
    if (side === "lab") {
      add(await here.person(role, { id: case1.lab.iid! }), "shared");
      add(await here.person(role, relatedLab), "related");
    }
    if (side !== "none") add(await here.person(role, await here.institution(side)), "unrelated");
  }
  const removed = await here.person("clinicMember", { id: case1.clinic.iid! });
  const suspended = await here.person("clinicAdmin", { id: case1.clinic.iid! });
  await here.running.database.asSystem(async (db) => {
    await sql`update membership set state = 'deleted' where user_id = ${removed.uid}`.execute(db);
    await sql`update users set suspended_at = now() where id = ${suspended.uid}`.execute(db);
  });
  add(removed, "own", { name: "removed member", dead: refusals.signedOutElsewhere.code });
  add(suspended, "own", { name: "suspended user", dead: refusals.accountSuspended.code });
  list.push({
    name: "holder of a made-up token",
    relation: "unrelated",
    role: undefined,
    dead: refusals.unknownSession.code,
    token: "x".repeat(43),
  });
  for (const { by, relation, ...program } of await programs(case1))
    list.push({ relation, role: by.role, iid: by.iid, token: undefined, ...program });
  const visit = await visitHeaders(case1.clinic, things.studyId);
  list.push({ name: "share visitor", relation: "shared", role: undefined, token: undefined, visit });
  return list;
}

const relate = (institution: string, target: string, by: string) =>
  here.running.database.asSystem((db) =>
    sql`insert into relation (id, institution_id, target_id, state, requested_by, established_at) values (${crypto.randomUUID()}, ${institution}, ${target}, 'established', ${by}, now())`.execute(
      db,
    ),
  );
