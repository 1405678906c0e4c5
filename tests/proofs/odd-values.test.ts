import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import type { Call } from "@arcada/contract/kernel/call";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { createRandom } from "../../scripts/decoder-reference/mutate-file.ts";
import { startSharedProduct, type SharedProduct } from "@arcada/testing/setup/killable-product";
import { createFixtures, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { guestSessionHeaders } from "@arcada/testing/clients/guest";
import { setup, type CallName, type TestSetup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { createOddRequests, type OddRequest } from "./support/odd-requests.ts";
import { listFieldPaths, oddValues, setAtPath } from "./support/odd-values.ts";
import { createApiKeys } from "./support/api-keys.ts";
import { callSamples } from "./support/call-samples.ts";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
/** Each field gets this many values from senders who may call, and this many from everybody else. */
const perField = isFull ? { allowed: 51, others: 6 } : { allowed: 1, others: 0 };
const atOnce = 6;
const limits = { stallMs: 200, megabytes: 2500 } as const;

interface Sender {
  name: string;
  person: AnyTestUser | null;
  headers: () => Record<string, string>;
}

const calls = everyCall() as { name: CallName; row: Call }[];
let sharedProduct: SharedProduct;
let clinicAndLab: TestSetup;
let fixtures: Fixtures;
let senders: Sender[];

beforeAll(async () => {
  sharedProduct = await startSharedProduct();
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
  senders = await createSenders();
}, 180_000);

describe("T-23: odd values in every field of every call", () => {
  it("answers each with a refusal or a result, none with 5xx, and lives on", { timeout: 7_200_000 }, async () => {
    const faults = new Map<string, string>();
    let asked = 0;
    const below = createRandom(20_261_123);
    process.kill(sharedProduct.product.pid, "SIGUSR2");
    for (const { name, row } of calls) {
      await refreshSenders();
      const fields = listFieldPaths(row);
      const sendings = fields.flatMap((path) => chooseValues(name, row, path, below));
      asked += await sendAll(sendings, faults);
    }
    for (const createRequest of await createOddRequests(
      sharedProduct.product.address,
      clinicAndLab,
      fixtures,
      isFull ? oddValues : oddValues.slice(0, 14),
    ))
      asked += await sendAll([createRequest], faults);
    const figures = sharedProduct.readLoopFigures();
    console.info(
      `T-23: ${asked} requests, ${faults.size} faults; longest stall ${figures.stallMs} ms, at most ${figures.megabytes} MB`,
    );
    expect([...faults].map(([where, what]) => `${where}: ${what}`)).toEqual([]);
    expect(figures.megabytes).toBeLessThan(limits.megabytes);
    if (isFull && process.env.ARCADA_QUIET) expect(figures.stallMs).toBeLessThan(limits.stallMs);
  });
});

function chooseValues(
  name: CallName,
  row: Call,
  path: readonly (string | number)[],
  below: (limit: number) => number,
): OddRequest[] {
  const allowed = senders.filter(({ person, name: who }) =>
    row.access === "share"
      ? who === "visitor"
      : row.access === "device"
        ? who === "device"
        : hasAccess(row.access, person?.role),
  );
  const others = senders.filter((one) => !allowed.includes(one));
  const pick = <T>(from: readonly T[]): T[] => (from.length > 0 ? [from[below(from.length)]] : []);
  const values = (count: number) => Array.from({ length: count }, () => below(oddValues.length));
  const unlike = new Set(values(perField.allowed * 3));
  return [
    ...[...unlike]
      .slice(0, perField.allowed)
      .flatMap((at) => pick(allowed).map((who) => createRequest(name, row, path, at, who))),
    ...values(perField.others).flatMap((at) => pick(others).map((who) => createRequest(name, row, path, at, who))),
  ];
}

function createRequest(
  name: CallName,
  row: Call,
  path: readonly (string | number)[],
  at: number,
  who: Sender,
): OddRequest {
  const input = setAtPath(callSamples[name].input(fixtures, clinicAndLab), path, oddValues[at]);
  const title = `${name} ${path.join(".")} = ${JSON.stringify(oddValues[at]).slice(0, 60)} as ${who.name}`;
  const headers = { "accept-language": "en", ...who.headers() };
  if (row.method === "GET") return { name: title, method: "GET", path: `${row.path}?${toQuery(input)}`, headers };
  return {
    name: title,
    method: "POST",
    path: row.path,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(input) ?? "",
  };
}

/** Lists are named again and again, as forms do; half pairs cannot be sent in an address. */
const toQuery = (input: unknown): string =>
  typeof input === "object" && input !== null
    ? Object.entries(input)
        .flatMap(([name, value]) => [value].flat().map((one) => `${encodeText(name)}=${encodeText(toText(one))}`))
        .slice(0, 100)
        .join("&")
        .slice(0, 12_000)
    : encodeText(toText(input)).slice(0, 12_000);
const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
const toText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

async function sendAll(sendings: readonly OddRequest[], faults: Map<string, string>): Promise<number> {
  const left = [...sendings];
  const worker = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const fault = await findFault(one);
      if (fault) faults.set(one.name, fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (sharedProduct.product.pid === 0 || !(await isAlive()))
    throw new Error(
      `the server ended at one of ${sendings
        .map(({ name }) => name)
        .join("; ")
        .slice(0, 4000)}\n${sharedProduct.product.output.slice(-2000)}`,
    );
  return sendings.length;
}
const isAlive = () =>
  fetch(`${sharedProduct.product.address}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

async function findFault({ method, path, headers, body }: OddRequest): Promise<string | null> {
  try {
    const answer = await fetch(`${sharedProduct.product.address}${path}`, {
      method,
      headers,
      redirect: "manual",
      ...(body !== undefined && { body: body as BodyInit }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    // A full quota is refused by name with 507 (RFC 4918): that is an answer, not a failure.
    return answer.status >= 500 && answer.status !== 507 ? `${answer.status} ${text.slice(0, 200)}` : null;
  } catch (error) {
    return `no answer: ${String((error as Error).cause ?? error)}`;
  }
}

/** This restores everybody whom an odd but valid request signed out, removed or renamed. */
async function refreshSenders(): Promise<void> {
  await sharedProduct.testServer.running.database.asSystem(async (db) => {
    await sql`update session set ended_at = null, institution_id = m.institution_id, authority_id = m.authority_id
      from membership m where m.user_id = session.user_id`.execute(db);
    await sql`update membership set state = 'normal' where state <> 'normal'`.execute(db);
  });
}

async function createSenders(): Promise<Sender[]> {
  const afterSales = await clinicAndLab.server.createUser("afterSalesAdmin");
  const operator = await clinicAndLab.server.createUser("operator");
  const device = present((await createApiKeys(clinicAndLab)).find(({ key }) => key.isDevice));
  const visit = await guestSessionHeaders(clinicAndLab.clinic, fixtures.studyId);
  const people = [clinicAndLab.clinic, clinicAndLab.lab, afterSales, operator];
  return [
    { name: "anonymous", person: null, headers: () => ({}) },
    ...people.map((person) => ({ name: person.role, person, headers: () => ({ token: person.token }) })),
    { name: "visitor", person: null, headers: () => visit },
    { name: "device", person: null, headers: () => ({ authorization: `Bearer ${device.key.secret}` }) },
  ];
}
