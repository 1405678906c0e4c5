import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import {
  actions,
  actors,
  newDraftModel,
  isLabMember,
  isAllowedAction,
  applyAction,
  transitions,
} from "@arcada/testing/models/order-model";
import type { Actor, OrderModel } from "@arcada/testing/models/order-model";
import { crownOrderInput, isApproval, smallScanStl } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const full = process.env.ARCADA_PROOF === "full";
/** In CI about 380 commands; the full run has over 10,000. */
const runs = full ? 220 : 8;
const roundsOfARun = 10;
const ended = ["completed", "cancelled", "refused"];

/** Numbers from which the commands of a life are chosen once its state is known; most of them are open to their actor. */
const command = fc.record({
  pick: fc.nat(),
  actor: fc.nat(7),
  blind: fc.integer({ min: 0, max: 9 }),
  stale: fc.integer({ min: 0, max: 9 }),
});
const lives = fc.array(
  fc.record({
    // Properties of a new order, if one begins in this round.
    schemeRequired: fc.boolean(),
    work: fc.constantFrom(["design"] as const, ["machining"] as const, ["design", "machining"] as const),
    commands: fc.array(command, { minLength: 2, maxLength: 8, size: "max" }),
  }),
  { minLength: roundsOfARun, maxLength: roundsOfARun },
);
interface Choice {
  actor: Actor;
  action: OrderAction;
  stale: boolean;
}
/**
 * The aim of those who act at the same time: to advance the order, to do what nobody has done yet, or anything that is
 * open.
 */
type Aim = "on" | "new" | "any";
const aims: readonly Aim[] = ["on", "new", "any"];
const over: readonly OrderAction[] = ["delete", "cancel", "refuse", "cancelByReceiver", "decideCancel"];

function choose(
  model: OrderModel,
  chosen: { pick: number; actor: number; blind: number; stale: number },
  wants: (actor: Actor, action: OrderAction) => boolean,
): Choice {
  const possible = actors.flatMap((actor) =>
    actions.filter((action) => isAllowedAction(model, actor, action)).map((action) => ({ actor, action })),
  );
  // Ends are one choice among many, else few lives would pass the lab's door.
  const goingOn = possible.filter(({ action }) => !over.includes(action) || chosen.pick % 11 === 0);
  const stale = chosen.stale === 0;
  if (chosen.blind === 0 || goingOn.length === 0)
    return { actor: actors[chosen.actor], action: actions[chosen.pick % actions.length], stale };
  const wanted = goingOn.filter(({ actor, action }) => wants(actor, action));
  const from = wanted.length > 0 ? wanted : goingOn;
  return { ...from[chosen.pick % from.length], stale };
}

/** Returns true if an action serves the aim. */
function serves(
  aim: Aim,
  model: OrderModel,
  won: ReadonlyMap<string, number>,
  actor: Actor,
  action: OrderAction,
): boolean {
  const { state, step } = applyAction(model, actor, action);
  return aim === "any" || (aim === "new" ? !won.has(action) : state !== model.state || step !== model.step);
}

type Cast = Record<Actor, TestUser>;
async function cast(env: TestSetup): Promise<Cast & { uploads: Map<TestUser, string> }> {
  const other = await setup();
  const house = (person: TestUser) => ({ id: person.iid });
  const colleague = await env.server.createUser("clinicMember", house(env.clinic));
  const drafter = await env.server.createUser("factoryMember", house(env.lab));
  const people = {
    dentist: env.dentist,
    clinic: env.clinic,
    colleague,
    lab: env.lab,
    designer: env.designer,
    drafter,
    stranger: other.dentist,
    rival: other.lab,
  };
  const uploads = new Map<TestUser, string>();
  for (const person of Object.values(people))
    uploads.set(person, await person.upload("design.stl", smallScanStl(person.uid.charCodeAt(30))));
  return { ...people, uploads };
}

async function ask(who: TestUser, seen: Order, { action, stale }: Choice, upload: string) {
  const revision = seen.revisions.at(-1)?.id;
  if (revision && isApproval(action)) await who.ask("order.openRevision", { id: seen.id, revision });
  return who.ask("order.step", {
    id: seen.id,
    version: stale ? Math.max(0, seen.version - 1) : seen.version,
    action,
    reason: "because",
    text: "words",
    approve: true,
    handDelivery: true,
    promisedDate: "2030-02-02",
    revisionHash: seen.revisions.at(-1)?.hash,
    ...(action === "assign" && { assigneeId: who.uid }),
    ...(action === "proposeChange" && { prescription: reworded(seen) }),
    ...(action === "submitDesign" && { files: [{ upload, role: "design" }] }),
  });
}

const reworded = ({ prescription: { targetIid: _, maskName: __, ...rx }, version }: Order) => ({
  ...rx,
  instructions: `after ${version}`,
});

const lost: RefusalName[] = [
  "orderChanged",
  "orderActionNotAllowed",
  "orderForwardNotAllowed",
  "orderRequestOpen",
  "orderNoRequest",
  "notFound",
];
const outside: Actor[] = ["stranger", "rival"];

describe("an order under concurrent actions", () => {
  it(
    "follows the model, lets exactly one of simultaneous actions win, and offers each user the open actions",
    async () => {
      const env = await setup();
      const people = await cast(env);
      const patientId = await createPatient(env.clinic);
      const won = new Map<string, number>();
      let commands = 0;
      await fc.assert(
        fc.asyncProperty(lives, async (rounds) => {
          let seen: Order | null = null;
          let model = newDraftModel(rounds[0]);
          for (const round of rounds) {
            if (seen === null) {
              model = newDraftModel(round);
              seen = await env.dentist.call(
                "order.save",
                crownOrderInput(patientId, env.lab.iid, {
                  schemeRequired: round.schemeRequired,
                  workKinds: [...round.work],
                }),
              );
            }
            // Every command of a round aims at the same action, because an action with more reads before its write
            // would be overtaken by any other one that runs at the same time.
            const aim = aims[present(round.commands.at(-1)).pick % aims.length];
            const now = model;
            const choices = round.commands.map((each) =>
              choose(now, each, (actor, action) => serves(aim, now, won, actor, action)),
            );
            const winner = await race(people, seen, model, choices);
            commands += round.commands.length;
            if (winner) {
              model = applyAction(model, winner.actor, winner.action);
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
      expect(won.size).toBeGreaterThan(5);
      if (full) expect(Object.keys(transitions).filter((action) => !won.has(action))).toEqual([]);
    },
    full ? 1_800_000 : 900_000,
  );
});

/**
 * All act at once from the same version: exactly one of the permitted actions succeeds, and the others receive the
 * current state.
 */
async function race(
  people: Awaited<ReturnType<typeof cast>>,
  seen: Order,
  model: OrderModel,
  choices: readonly Choice[],
): Promise<Choice | undefined> {
  const answers = await Promise.all(
    choices.map((choice) => ask(people[choice.actor], seen, choice, present(people.uploads.get(people[choice.actor])))),
  );
  const could = choices.map(
    (choice) => isAllowedAction(model, choice.actor, choice.action) && !(choice.stale && seen.version > 0),
  );
  const outcomes = answers.map(refusalOf);
  const winners = choices.filter((_, at) => outcomes[at] === "accepted");
  expect(winners.length, JSON.stringify({ model, choices, outcomes })).toBe(could.some(Boolean) ? 1 : 0);
  for (const [at, choice] of choices.entries()) {
    if (outcomes[at] === "accepted") expect(could[at], `${choice.actor} ${choice.action} in ${model.state}`).toBe(true);
    else
      expect(outside.includes(choice.actor) ? ["notFound"] : lost, `${choice.actor} ${choice.action}`).toContain(
        outcomes[at],
      );
  }
  return winners[0];
}

/** The order as all see it, or null when its life is over. */
async function after(people: Cast, id: string, model: OrderModel): Promise<Order | null> {
  if (model.state === "gone") {
    expect(refusalOf(await people.dentist.ask("order.detail", { id }))).toBe("notFound");
    return null;
  }
  const seen = await same(people, id, model);
  linked(seen);
  return ended.includes(model.state) ? null : seen;
}

/** Every user sees the state of the model, and is offered exactly the actions that it allows. */
async function same(people: Cast, id: string, model: OrderModel): Promise<Order> {
  const answers = await Promise.all(actors.map((actor) => people[actor].ask("order.detail", { id })));
  actors.forEach((actor, at) => {
    const { data } = answers[at];
    const hidden = outside.includes(actor) || (model.state === "draft" && isLabMember(actor));
    expect(refusalOf(answers[at]), actor).toBe(hidden ? "notFound" : "accepted");
    if (hidden) return;
    expect(data).toMatchObject({
      state: model.state,
      turn: model.turn,
      ...(ended.includes(model.state) ? {} : { step: model.step }),
      schemeRevision: model.scheme,
      designRevision: model.design,
      infoRequest: model.isInfoRequested ? "words" : null,
      cancelRequest: model.isCancelRequested ? "because" : null,
    });
    expect(data.proposal !== null, actor).toBe(model.isChangeProposed);
    const open = data.actions.filter((action) => action !== "edit");
    expect([...open].toSorted(), `${actor} in ${model.state}`).toEqual(
      actions.filter((action) => isAllowedAction(model, actor, action)).toSorted(),
    );
  });
  return answers[0].data;
}

/** The timeline is one unbroken chain of steps that the table knows. */
function linked({ events, state }: Order): void {
  let at: string | null = null;
  for (const event of events) {
    expect(event.from).toBe(at);
    const row = orderLifecycle.steps[event.action as OrderAction];
    expect([...row.from, ...(row.from.length === 0 ? [null] : [])]).toContain(event.from);
    expect(row.to).toContain(event.to);
    at = event.to;
  }
  expect(at).toBe(state);
}
