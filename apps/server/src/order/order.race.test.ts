import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderCycle } from "@arcada/contract/order/order.cycle";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { crownFor, newPatient, smallScan } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, World } from "../../../../tests/world.ts";

const full = process.env.ARCADA_PROOF === "full";
/** In CI some 400 commands; the whole proof has over 10,000. */
const runs = full ? 220 : 8;
const roundsOfARun = 10;
const ended = ["completed", "cancelled", "refused"];

/** An order as the written table sees it; nothing here is taken from the server's own tables. */
interface Model {
  state: string;
  step: string;
  turn: string;
  below: string;
  asked: boolean;
  cancelling: boolean;
  scheme: number;
  design: number;
  schemeRequired: boolean;
  makes: boolean;
  designs: boolean;
  assignee: string | null;
}
type Actor = "dentist" | "clinic" | "colleague" | "lab" | "designer" | "drafter" | "stranger" | "rival";
type Move = (model: Model) => Partial<Model>;
interface Row {
  in: string[];
  by: (actor: Actor, model: Model) => boolean;
  if?: (model: Model) => boolean;
  does: Move;
}
const sender = (actor: Actor) => actor === "dentist" || actor === "clinic";
const labAdmin = (actor: Actor) => actor === "lab";
const labMember = (actor: Actor) => actor === "lab" || actor === "designer" || actor === "drafter";
const maker = (actor: Actor, model: Model) => actor === "lab" || actor === model.assignee;
const work = ["awaiting_scheme", "awaiting_design", "awaiting_dispatch"];
const open = ["pending", ...work];
const to =
  (state: string, step: string, turn: string): Move =>
  () => ({ state, step, below: turn });
const end =
  (state: string): Move =>
  () => ({ state, below: "nobody", asked: false, cancelling: false });
const afterScheme = (model: Model) => (model.designs ? "awaiting_design" : "awaiting_dispatch");
const decided = (model: Model) => model.step === "submitted";
const undecided = (model: Model) => !decided(model);

const table: Partial<Record<OrderAction, Row>> = {
  delete: { in: ["draft"], by: sender, does: () => ({ state: "gone" }) },
  submit: { in: ["draft"], by: sender, does: to("pending", "preparing", "receiver") },
  cancel: { in: ["pending"], by: sender, does: end("cancelled") },
  requestInfo: { in: open, by: maker, if: (model) => !model.asked, does: () => ({ asked: true }) },
  supplyInfo: { in: open, by: sender, if: (model) => model.asked, does: () => ({ asked: false }) },
  accept: {
    in: ["pending"],
    by: labMember,
    does: (model) => ({
      state: model.schemeRequired ? "awaiting_scheme" : afterScheme(model),
      step: "preparing",
      below: "receiver",
      asked: false,
    }),
  },
  refuse: { in: ["pending"], by: labMember, does: end("refused") },
  submitScheme: {
    in: ["awaiting_scheme"],
    by: maker,
    if: undecided,
    does: (model) => ({ step: "submitted", below: "sender", scheme: model.scheme + 1 }),
  },
  confirmScheme: {
    in: ["awaiting_scheme"],
    by: sender,
    if: decided,
    does: (model) => ({ state: afterScheme(model), step: "preparing", below: "receiver" }),
  },
  returnScheme: {
    in: ["awaiting_scheme"],
    by: sender,
    if: decided,
    does: to("awaiting_scheme", "returned", "receiver"),
  },
  submitDesign: {
    in: ["awaiting_design"],
    by: maker,
    if: undecided,
    does: (model) => ({ step: "submitted", below: "sender", design: model.design + 1 }),
  },
  confirmDesign: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => decided(model) && model.makes,
    does: to("awaiting_dispatch", "production", "receiver"),
  },
  confirmDelivery: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => decided(model) && !model.makes,
    does: end("completed"),
  },
  returnDesign: {
    in: ["awaiting_design"],
    by: sender,
    if: decided,
    does: to("awaiting_design", "returned", "receiver"),
  },
  withdraw: {
    in: ["awaiting_scheme", "awaiting_design"],
    by: maker,
    if: decided,
    does: () => ({ step: "preparing", below: "receiver" }),
  },
  backToScheme: {
    in: ["awaiting_design"],
    by: sender,
    if: (model) => model.schemeRequired,
    does: to("awaiting_scheme", "returned", "receiver"),
  },
  backToDesign: {
    in: ["awaiting_dispatch"],
    by: maker,
    if: (model) => model.designs,
    does: to("awaiting_design", "preparing", "receiver"),
  },
  dispatch: {
    in: ["awaiting_dispatch"],
    by: maker,
    if: (model) => !model.cancelling,
    does: () => ({ state: "awaiting_receipt", below: "sender", asked: false }),
  },
  correctShipment: { in: ["awaiting_receipt"], by: maker, does: () => ({}) },
  recallDispatch: {
    in: ["awaiting_receipt"],
    by: maker,
    does: () => ({ state: "awaiting_dispatch", below: "receiver" }),
  },
  confirmReceipt: { in: ["awaiting_receipt"], by: sender, does: end("completed") },
  redeliver: { in: ["awaiting_receipt"], by: sender, does: to("awaiting_dispatch", "returned", "receiver") },
  requestCancel: { in: work, by: sender, if: (model) => !model.cancelling, does: () => ({ cancelling: true }) },
  decideCancel: { in: work, by: labAdmin, if: (model) => model.cancelling, does: end("cancelled") },
  cancelByReceiver: { in: work, by: labAdmin, does: end("cancelled") },
};
const actors: Actor[] = ["dentist", "clinic", "colleague", "lab", "designer", "drafter", "stranger", "rival"];
const actions = Object.keys(orderCycle.steps) as OrderAction[];

const may = (model: Model, actor: Actor, action: OrderAction): boolean => {
  const row = table[action];
  return row !== undefined && row.in.includes(model.state) && row.by(actor, model) && (row.if?.(model) ?? true);
};
function next(model: Model, actor: Actor, action: OrderAction): Model {
  const moved = { ...model, ...table[action]!.does(model) };
  if (action === "accept") moved.assignee = actor;
  return { ...moved, turn: moved.asked ? "sender" : moved.below };
}

/** Numbers from which the commands of a life are chosen once its state is known; most of them are open to their actor. */
const command = fc.record({
  pick: fc.nat(),
  actor: fc.nat(7),
  blind: fc.integer({ min: 0, max: 9 }),
  stale: fc.integer({ min: 0, max: 9 }),
});
const lives = fc.array(
  fc.record({
    // What a new order is like, where one begins with this round.
    schemeRequired: fc.boolean(),
    work: fc.constantFrom(["design"] as const, ["machining"] as const, ["design", "machining"] as const),
    commands: fc.array(command, { minLength: 2, maxLength: 8, size: "max" }),
  }),
  { minLength: roundsOfARun, maxLength: roundsOfARun },
);
const draftModel = ({ schemeRequired, work: kinds }: { schemeRequired: boolean; work: readonly string[] }): Model => ({
  state: "draft",
  step: "preparing",
  turn: "nobody",
  below: "nobody",
  asked: false,
  cancelling: false,
  scheme: 0,
  design: 0,
  schemeRequired,
  makes: kinds.includes("machining"),
  designs: kinds.includes("design"),
  assignee: null,
});
interface Choice {
  actor: Actor;
  action: OrderAction;
  stale: boolean;
}
function choose(model: Model, chosen: { pick: number; actor: number; blind: number; stale: number }): Choice {
  const possible = actors.flatMap((actor) =>
    actions.filter((action) => may(model, actor, action)).map((action) => ({ actor, action })),
  );
  // Ends are one choice among many, else few lives would pass the lab's door.
  const goingOn = possible.filter(
    ({ action }) => !["delete", "cancel", "refuse", "cancelByReceiver"].includes(action) || chosen.pick % 11 === 0,
  );
  const stale = chosen.stale === 0;
  if (chosen.blind === 0 || goingOn.length === 0)
    return { actor: actors[chosen.actor]!, action: actions[chosen.pick % actions.length]!, stale };
  return { ...goingOn[chosen.pick % goingOn.length]!, stale };
}

type Cast = Record<Actor, Person>;
async function cast(here: World): Promise<Cast & { uploads: Map<Person, string> }> {
  const other = await world();
  const house = (person: Person) => ({ id: person.iid! });
  const colleague = await here.server.person("clinicMember", house(here.clinic));
  const drafter = await here.server.person("factoryMember", house(here.lab));
  const people = {
    dentist: here.dentist,
    clinic: here.clinic,
    colleague,
    lab: here.lab,
    designer: here.designer,
    drafter,
    stranger: other.dentist,
    rival: other.lab,
  };
  const uploads = new Map<Person, string>();
  for (const person of Object.values(people))
    uploads.set(person, await person.uploads("design.stl", smallScan(person.uid.charCodeAt(30))));
  return { ...people, uploads };
}

const ask = (who: Person, seen: Order, { action, stale }: Choice, upload: string) =>
  who.asks("order.step", {
    id: seen.id,
    version: stale ? Math.max(0, seen.version - 1) : seen.version,
    action,
    reason: "because",
    text: "words",
    approve: true,
    handDelivery: true,
    revisionHash: seen.revisions.at(-1)?.hash,
    ...(action === "submitDesign" && { files: [{ upload, role: "design" }] }),
  });

const lost: number[] = (
  ["orderChanged", "orderActionNotAllowed", "orderRequestOpen", "orderNoRequest", "notFound"] as const
).map((name) => refusals[name].code);
const outside: Actor[] = ["stranger", "rival"];

describe("an order under many hands", () => {
  it("follows the written table, lets exactly one of those who act at once win, and shows each the actions open to them", async () => {
    const here = await world();
    const people = await cast(here);
    const patientId = await newPatient(here.clinic);
    const won = new Map<string, number>();
    let commands = 0;
    await fc.assert(
      fc.asyncProperty(lives, async (rounds) => {
        let seen: Order | null = null;
        let model = draftModel(rounds[0]!);
        for (const round of rounds) {
          if (seen === null) {
            model = draftModel(round);
            seen = await here.dentist.gets(
              "order.save",
              crownFor(patientId, here.lab.iid, { schemeRequired: round.schemeRequired, workKinds: [...round.work] }),
            );
          }
          const winner = await race(
            people,
            seen,
            model,
            round.commands.map((each) => choose(model, each)),
          );
          commands += round.commands.length;
          if (winner) {
            model = next(model, winner.actor, winner.action);
            won.set(winner.action, (won.get(winner.action) ?? 0) + 1);
          }
          seen = await after(people, seen.id, model);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
    process.stdout.write(
      `orders: ${commands} commands, ${[...won.values()].reduce((sum, count) => sum + count, 0)} won, by ${won.size} actions\n`,
    );
    expect(won.size).toBeGreaterThan(full ? Object.keys(table).length - 1 : 5);
  }, 900_000);
});

/** All at once from the same version: exactly one of those that may be is done, and the others are told what is so now. */
async function race(
  people: Awaited<ReturnType<typeof cast>>,
  seen: Order,
  model: Model,
  choices: readonly Choice[],
): Promise<Choice | undefined> {
  const answers = await Promise.all(
    choices.map((choice) => ask(people[choice.actor], seen, choice, people.uploads.get(people[choice.actor])!)),
  );
  const could = choices.map((choice) => may(model, choice.actor, choice.action) && !(choice.stale && seen.version > 0));
  const codes = answers.map((answer) => answer.code);
  const winners = choices.filter((_, at) => codes[at] === 200);
  expect(winners.length, JSON.stringify({ model, choices, codes })).toBe(could.some(Boolean) ? 1 : 0);
  for (const [at, choice] of choices.entries()) {
    if (codes[at] === 200) expect(could[at], `${choice.actor} ${choice.action} in ${model.state}`).toBe(true);
    else
      expect(
        outside.includes(choice.actor) ? [refusals.notFound.code] : lost,
        `${choice.actor} ${choice.action}`,
      ).toContain(codes[at]);
  }
  return winners[0];
}

/** The order as all see it, or null when its life is over. */
async function after(people: Cast, id: string, model: Model): Promise<Order | null> {
  if (model.state === "gone") {
    expect((await people.dentist.asks("order.detail", { id })).code).toBe(refusals.notFound.code);
    return null;
  }
  const seen = await same(people, id, model);
  linked(seen);
  return ended.includes(model.state) ? null : seen;
}

/** Everyone sees what the model says, and is offered exactly what it allows. */
async function same(people: Cast, id: string, model: Model): Promise<Order> {
  const answers = await Promise.all(actors.map((actor) => people[actor].asks("order.detail", { id })));
  actors.forEach((actor, at) => {
    const { code, data } = answers[at]!;
    const hidden = outside.includes(actor) || (model.state === "draft" && labMember(actor));
    expect(code, actor).toBe(hidden ? refusals.notFound.code : 200);
    if (hidden) return;
    expect(data).toMatchObject({
      state: model.state,
      turn: model.turn,
      ...(ended.includes(model.state) ? {} : { step: model.step }),
      schemeRevision: model.scheme,
      designRevision: model.design,
      infoRequest: model.asked ? "words" : null,
      cancelRequest: model.cancelling ? "because" : null,
    });
    const open = data.actions.filter((action) => action !== "edit");
    expect([...open].toSorted(), `${actor} in ${model.state}`).toEqual(
      actions.filter((action) => may(model, actor, action)).toSorted(),
    );
  });
  return answers[0]!.data;
}

/** The timeline is one unbroken chain of steps that the table knows. */
function linked({ events, state }: Order): void {
  let at: string | null = null;
  for (const event of events) {
    expect(event.from).toBe(at);
    const row = orderCycle.steps[event.action as OrderAction];
    expect([...row.from, ...(row.from.length === 0 ? [null] : [])]).toContain(event.from);
    expect(row.to).toContain(event.to);
    at = event.to;
  }
  expect(at).toBe(state);
}
