import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { everyCall } from "@arcada/contract/calls";
import type { Call } from "@arcada/contract/kernel/call";
import { findScope } from "@arcada/contract/integrations/api-key-scopes";
import { clinicRoles, hasAccess, roleNames, roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import { createFixtures, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { guestSessionHeaders } from "@arcada/testing/clients/guest";
import {
  getTestServer,
  setup,
  type Answer,
  type CallName,
  type TestServer,
  type TestSetup,
} from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { findCanaryOwners, markCanaries } from "./support/record-canaries.ts";
import { createApiKeys, type ApiKey } from "./support/api-keys.ts";
import { callSamples } from "./support/call-samples.ts";
import { memberUpdates, mixedIdRequests, removeIds } from "./support/foreign-ids.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

/** The relation of a person's institution to the one that owns the records. */
type Relation = "own" | "shared" | "related" | "unrelated";
interface Principal {
  name: string;
  relation: Relation;
  role: Role | undefined;
  /** The refusal of this person's every call with a session. */
  refusal?: RefusalName;
  token: string | undefined;
  visit?: Record<string, string>;
  /** The program of an API key, with its permissions. */
  key?: ApiKey;
  /** The active institution of this person's session. */
  iid?: string | null;
}
const calls = everyCall() as { name: CallName; row: Call }[];
let testServer: TestServer;
let clinicAndLab: TestSetup;
let fixtures: Fixtures;
let principals: Principal[];
beforeAll(async () => {
  testServer = await getTestServer();
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
  await createFixtures(await setup());
  await markCanaries(testServer.running.database);
  principals = await createPrincipals();
});

// No calls: a stream of events, bytes to measure the line by.
const plainRoutes = [
  "/v1/notice/stream",
  "/v1/base/speedProbe",
  "/v1/base/provider/start",
  "/v1/base/provider/callback",
];

describe("T-01 and T-13: a server that controls access and leaks nothing of other institutions", () => {
  it("answers every call as its access row specifies, for every principal in every relation", async () => {
    const wrong: string[] = [];
    const foreign: string[] = [];
    let [asked, heard] = [0, 0];
    const check = async (name: CallName, principal: Principal, expected: Expectation) => {
      const answer = await ask(name, principal, callSamples[name].input(fixtures, clinicAndLab));
      asked += 1;
      const institutions = findCanaryOwners(answer);
      if (institutions.size > 0) heard += 1;
      for (const institution of institutions)
        if (!mayReadFrom(principal, institution))
          foreign.push(`${name} as ${principal.name} (${principal.relation}): ${institution}`);
      if (!expected.holds(answer))
        wrong.push(
          `${name} as ${principal.name} (${principal.relation}): ${refusalOf(answer)}, expected ${expected.accepts}`,
        );
    };
    for (const { name, row } of calls) {
      const expectations = principals.map((principal) => ({ principal, expected: expectation(name, row, principal) }));
      // Refused calls change nothing, so they need not wait for each other.
      const refused = expectations.filter(({ expected }) => expected.isRefusal);
      await Promise.all(refused.map(({ principal, expected }) => check(name, principal, expected)));
      for (const { principal, expected } of expectations)
        if (!expected.isRefusal) await check(name, principal, expected);
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
    const served = [...testServer.running.served].filter(
      (path) => path.startsWith("/v1/") && !plainRoutes.includes(path),
    );
    expect(served.toSorted()).toEqual([...declared].toSorted());
  });
});

describe("T-01b: an id of another organisation is like one that does not exist", () => {
  it("answers 600 requests with one foreign id among own ids exactly as with an unknown id", async () => {
    const other = await setup();
    const theirs = await createFixtures(other);
    const upload = await other.clinic.upload("foreign.stl", new Uint8Array(200).fill(7));
    const mine = { patient: fixtures.patient.id, draft: fixtures.draft, lab: clinicAndLab.lab.iid };
    let succeeded = 0;
    let different = 0;
    let asked = 0;
    const [colleague] = (await clinicAndLab.clinic.call("member.list", {})).list;
    const [member] = (await other.clinic.call("member.list", {})).list;
    const pairs = [...mixedIdRequests(theirs, upload, mine, fixtures), ...memberUpdates(colleague, member)];
    for (let round = 0; asked < 600; round++)
      for (const { call, foreign, unknown } of pairs) {
        const person = round % 2 === 0 ? clinicAndLab.clinic : clinicAndLab.dentist;
        const [one, two] = await Promise.all([person.ask(call, foreign), person.ask(call, unknown)]);
        asked += 1;
        if (one.code === 200) succeeded += 1;
        if (
          one.code !== two.code ||
          one.status !== two.status ||
          one.msg !== two.msg ||
          removeIds(one.data, foreign) !== removeIds(two.data, unknown)
        )
          different += 1;
      }
    console.info(`T-01b: ${asked} requests, ${succeeded} succeeded, ${different} told the two apart`);
    expect({ succeeded, different }).toEqual({ succeeded: 0, different: 0 });
  }, 120_000);
});

/**
 * A person may receive their own institution's records; a lab also those that the clinic has transferred with its
 * order.
 */
const mayReadFrom = ({ iid, relation }: Principal, institutionId: string): boolean =>
  iid === institutionId || (relation === "shared" && institutionId === clinicAndLab.clinic.iid);

interface Expectation {
  accepts: string;
  isRefusal: boolean;
  holds(answer: Answer<unknown>): boolean;
}
const refusedAs = (name: RefusalName): Expectation => ({
  accepts: name,
  isRefusal: true,
  holds: (answer) => refusalOf(answer) === name,
});
const closedDoors: ReadonlySet<string> = new Set<RefusalName>([
  "unknownSession",
  "notAllowed",
  "signedOutElsewhere",
  "accountSuspended",
  "internal",
]);

function expectation(name: CallName, row: Call, principal: Principal): Expectation {
  if (row.access === "share" && !principal.visit) return refusedAs("shareVisitOver");
  if (principal.refusal) return refusedAs(principal.refusal);
  const scope = findScope(row);
  if (principal.key?.isDevice && row.access !== "device") return refusedAs("keyNotHere");
  if (principal.key && !scope) return refusedAs("keyNotHere");
  if (principal.key && !principal.key.scopes.includes(present(scope))) return refusedAs("keyScopeMissing");
  if (row.access !== "anyone" && row.access !== "share" && !principal.role) return refusedAs("unknownSession");
  if (row.access !== "share" && !principal.key?.isDevice && !hasAccess(row.access, principal.role))
    return refusedAs("notAllowed");
  const { object } = callSamples[name];
  const reaches =
    object === "none" ||
    principal.relation === "own" ||
    (principal.relation === "shared" && ["order", "sharedStudy"].includes(object));
  if (!reaches) return refusedAs("notFound");
  return {
    accepts: "not a closed door",
    isRefusal: false,
    holds: (answer) =>
      !closedDoors.has(refusalOf(answer)) &&
      (object === "none" || refusalOf(answer) !== "notFound" || name === "patient.restore"),
  };
}

/** Sessions that an earlier call of the walk has ended are created again. */
async function ask(name: CallName, principal: Principal, input: Record<string, unknown>): Promise<Answer<unknown>> {
  const headers = {
    ...(principal.token && { token: principal.token }),
    ...(principal.key && { authorization: `Bearer ${principal.key.secret}` }),
    ...principal.visit,
  };
  if (name === "patient.remove" && principal.relation === "own" && !principal.refusal) {
    const spare = await clinicAndLab.clinic.call("patient.create", {
      name: "临时",
      sex: "other",
      birthDate: "1999-09-09",
      evenIfDuplicate: true,
    });
    return testServer.ask(name, { id: spare.id }, headers);
  }
  if (name === "study.remove" && principal.relation === "own" && hasAccess(clinicRoles, principal.role)) {
    const answer = await testServer.ask(name, input, headers);
    await testServer.running.database.asSystem((db) =>
      sql`update study set deleted_at = null where id = ${fixtures.studyId}`.execute(db),
    );
    return answer;
  }
  const answer = await testServer.ask(name, input, headers);
  if (name === "account.logout" && principal.token && !principal.refusal)
    await testServer.running.database.asSystem((db) =>
      sql`update session set ended_at = null where user_id = (select user_id from session where token_hash = encode(sha256(${principal.token}::bytea), 'hex'))`.execute(
        db,
      ),
    );
  return answer;
}

async function createPrincipals(): Promise<Principal[]> {
  const relatedLab = await testServer.createInstitution("lab");
  const list: Principal[] = [{ name: "anonymous", relation: "unrelated", role: undefined, token: undefined }];
  const add = (person: AnyTestUser, relation: Relation, more: Partial<Principal> = {}) =>
    list.push({ name: person.role, relation, role: person.role, token: person.token, iid: person.iid, ...more });
  await insertRelation(clinicAndLab.clinic.iid, relatedLab.id, clinicAndLab.clinic.uid);
  for (const role of roleNames) {
    const { side } = roles[role];
    if (side === "none") add(await testServer.createUser(role), "unrelated");
    if (side === "clinic") add(await testServer.createUser(role, { id: clinicAndLab.clinic.iid }), "own");
    if (side === "lab") {
      add(await testServer.createUser(role, { id: clinicAndLab.lab.iid }), "shared");
      add(await testServer.createUser(role, relatedLab), "related");
    }
    if (side !== "none") add(await testServer.createUser(role, await testServer.createInstitution(side)), "unrelated");
  }
  const removed = await testServer.createUser("clinicMember", { id: clinicAndLab.clinic.iid });
  const suspended = await testServer.createUser("clinicAdmin", { id: clinicAndLab.clinic.iid });
  await testServer.running.database.asSystem(async (db) => {
    await sql`update membership set state = 'deleted' where user_id = ${removed.uid}`.execute(db);
    await sql`update users set suspended_at = now() where id = ${suspended.uid}`.execute(db);
  });
  add(removed, "own", { name: "removed member", refusal: "signedOutElsewhere" });
  add(suspended, "own", { name: "suspended user", refusal: "accountSuspended" });
  list.push({
    name: "holder of a made-up token",
    relation: "unrelated",
    role: undefined,
    refusal: "unknownSession",
    token: "x".repeat(43),
  });
  for (const { by, relation, ...program } of await createApiKeys(clinicAndLab))
    list.push({ relation, role: by.role, iid: by.iid, token: undefined, ...program });
  const visit = await guestSessionHeaders(clinicAndLab.clinic, fixtures.studyId);
  list.push({ name: "share visitor", relation: "shared", role: undefined, token: undefined, visit });
  return list;
}

const insertRelation = (institution: string, target: string, by: string) =>
  testServer.running.database.asSystem((db) =>
    sql`insert into relation (id, institution_id, target_id, state, requested_by, established_at) values (${crypto.randomUUID()}, ${institution}, ${target}, 'established', ${by}, now())`.execute(
      db,
    ),
  );
