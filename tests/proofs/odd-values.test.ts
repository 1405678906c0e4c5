import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import type { Call } from "@arcada/contract/kernel/call";
import { mayRole } from "@arcada/contract/kernel/roles";
import { chance } from "../../scripts/truth/mutate.ts";
import { beside, type Beside } from "../beside.ts";
import { planted, type Planted } from "../planted.ts";
import { visitHeaders } from "../visitors.ts";
import { world, type CallName, type Person, type World } from "../world.ts";
import { elsewhere, type Sending } from "./odd-elsewhere.ts";
import { fieldsOf, oddValues, placed } from "./odd-values.ts";
import { programs } from "./programs.ts";
import { samples } from "./samples.ts";

const isFull = process.env.ARCADA_PROOF === "full";
/** Each field gets this many values from senders who may call, and this many from everybody else. */
const perField = isFull ? { allowed: 51, others: 6 } : { allowed: 1, others: 0 };
const atOnce = 6;
const most = { stallMs: 200, megabytes: 2500 } as const;

interface Sender {
  name: string;
  person: Person | null;
  headers: () => Record<string, string>;
}

const calls = everyCall() as { name: CallName; row: Call }[];
let it1: Beside;
let here: World;
let things: Planted;
let senders: Sender[];

beforeAll(async () => {
  it1 = await beside();
  here = await world();
  things = await planted(here);
  senders = await everybody();
}, 180_000);

describe("T-23: odd values in every field of every call", () => {
  it("answers each with a refusal or a result, none with 5xx, and lives on", { timeout: 7_200_000 }, async () => {
    const faults = new Map<string, string>();
    let asked = 0;
    const below = chance(20_261_123);
    process.kill(it1.product.pid, "SIGUSR2");
    for (const { name, row } of calls) {
      await refresh();
      const fields = fieldsOf(row);
      const sendings = fields.flatMap((path) => chosen(name, row, path, below));
      asked += await sendAll(sendings, faults);
    }
    for (const sending of await elsewhere(
      it1.product.address,
      here,
      things,
      isFull ? oddValues : oddValues.slice(0, 14),
    ))
      asked += await sendAll([sending], faults);
    const figures = it1.figures();
    console.info(
      `T-23: ${asked} requests, ${faults.size} faults; longest stall ${figures.stallMs} ms, at most ${figures.megabytes} MB`,
    );
    expect([...faults].map(([where, what]) => `${where}: ${what}`)).toEqual([]);
    expect(figures.megabytes).toBeLessThan(most.megabytes);
    if (isFull && process.env.ARCADA_QUIET) expect(figures.stallMs).toBeLessThan(most.stallMs);
  });
});

function chosen(
  name: CallName,
  row: Call,
  path: readonly (string | number)[],
  below: (limit: number) => number,
): Sending[] {
  const allowed = senders.filter(({ person, name: who }) =>
    row.access === "share"
      ? who === "visitor"
      : row.access === "device"
        ? who === "device"
        : mayRole(row.access, person?.role),
  );
  const others = senders.filter((one) => !allowed.includes(one));
  const pick = <T>(from: readonly T[]): T[] => (from.length > 0 ? [from[below(from.length)]!] : []);
  const values = (count: number) => Array.from({ length: count }, () => below(oddValues.length));
  const unlike = new Set(values(perField.allowed * 3));
  return [
    ...[...unlike]
      .slice(0, perField.allowed)
      .flatMap((at) => pick(allowed).map((who) => sending(name, row, path, at, who))),
    ...values(perField.others).flatMap((at) => pick(others).map((who) => sending(name, row, path, at, who))),
  ];
}

function sending(name: CallName, row: Call, path: readonly (string | number)[], at: number, who: Sender): Sending {
  const input = placed(samples[name].input(things, here), path, oddValues[at]);
  const title = `${name} ${path.join(".")} = ${JSON.stringify(oddValues[at]).slice(0, 60)} as ${who.name}`;
  const headers = { "accept-language": "en", ...who.headers() };
  if (row.method === "GET") return { name: title, method: "GET", path: `${row.path}?${queryOf(input)}`, headers };
  return {
    name: title,
    method: "POST",
    path: row.path,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(input) ?? "",
  };
}

/** Lists are named again and again, as forms do; half pairs cannot be sent in an address. */
const queryOf = (input: unknown): string =>
  typeof input === "object" && input !== null
    ? Object.entries(input)
        .flatMap(([name, value]) => [value].flat().map((one) => `${coded(name)}=${coded(textOf(one))}`))
        .slice(0, 100)
        .join("&")
        .slice(0, 12_000)
    : coded(textOf(input)).slice(0, 12_000);
const coded = (text: string): string => encodeURIComponent(text.toWellFormed());
const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

async function sendAll(sendings: readonly Sending[], faults: Map<string, string>): Promise<number> {
  const left = [...sendings];
  const worker = async () => {
    for (let one = left.shift(); one; one = left.shift()) {
      const fault = await faultOf(one);
      if (fault) faults.set(one.name, fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (it1.product.pid === 0 || !(await isAlive()))
    throw new Error(
      `the server ended at one of ${sendings
        .map(({ name }) => name)
        .join("; ")
        .slice(0, 4000)}\n${it1.product.output.slice(-2000)}`,
    );
  return sendings.length;
}
const isAlive = () =>
  fetch(`${it1.product.address}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

async function faultOf({ method, path, headers, body }: Sending): Promise<string | null> {
  try {
    const answer = await fetch(`${it1.product.address}${path}`, {
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
async function refresh(): Promise<void> {
  await it1.here.running.database.asSystem(async (db) => {
    await sql`update session set ended_at = null, institution_id = m.institution_id, authority_id = m.authority_id
      from membership m where m.user_id = session.user_id`.execute(db);
    await sql`update membership set state = 'normal' where state <> 'normal'`.execute(db);
  });
}

async function everybody(): Promise<Sender[]> {
  const afterSales = await here.server.person("afterSalesAdmin");
  const operator = await here.server.person("operator");
  const device = (await programs(here)).find(({ key }) => key.isDevice)!;
  const visit = await visitHeaders(here.clinic, things.studyId);
  const people = [here.clinic, here.lab, afterSales, operator];
  return [
    { name: "anonymous", person: null, headers: () => ({}) },
    ...people.map((person) => ({ name: person.role, person, headers: () => ({ token: person.token }) })),
    { name: "visitor", person: null, headers: () => visit },
    { name: "device", person: null, headers: () => ({ authorization: `Bearer ${device.key.secret}` }) },
  ];
}
