import fc from "fast-check";
import { expect, it } from "vitest";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import {
  applyForwardedAction,
  isStranger,
  isActionTooLate,
  isActionOffered,
  offeredActions,
  actors,
} from "@arcada/testing/models/forwarded-order-model";
import type { ForwardedOrder, OrderSide, ForwardingActor } from "@arcada/testing/models/forwarded-order-model";
import { viewOrder, addSecondLab } from "@arcada/testing/fixtures/forwarding";
import { actions, newDraftModel, applyAction } from "@arcada/testing/models/order-model";
import { isApproval, sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const full = process.env.ARCADA_PROOF === "full";
/** In CI about 90 commands; the full run has over 10,000. */
const runs = full ? 100 : 2;
const roundsOfALife = full ? 24 : 10;
const command = fc.record({
  pick: fc.nat(),
  actor: fc.nat(actors.length - 1),
  blind: fc.integer({ min: 0, max: 9 }),
  stale: fc.integer({ min: 0, max: 9 }),
});
const life = fc.record({
  schemeRequired: fc.boolean(),
  work: fc.constantFrom(["design"] as const, ["machining"] as const, ["design", "machining"] as const),
  rounds: fc.array(
    fc.record({ straight: fc.boolean(), commands: fc.array(command, { minLength: 2, maxLength: 8, size: "max" }) }),
    { minLength: roundsOfALife, maxLength: roundsOfALife },
  ),
});
interface Choice {
  who: ForwardingActor;
  action: OrderAction;
  stale: boolean;
}
type Cast = Record<ForwardingActor, TestUser> & { uploads: Map<TestUser, string> };

const ends: readonly OrderAction[] = ["cancel", "refuse", "cancelByReceiver", "dropForward"];
function choose(
  family: ForwardedOrder,
  kin: OrderSide,
  { pick, actor, blind, stale }: { pick: number; actor: number; blind: number; stale: number },
): Choice {
  const possible = actors.flatMap((who) => offeredActions(family, who, kin).map((action) => ({ who, action })));
  const goingOn = possible.filter(({ action }) => !ends.includes(action) || pick % 9 === 0);
  if (blind === 0 || goingOn.length === 0)
    return { who: actors[actor], action: actions[pick % actions.length], stale: stale === 0 };
  // Passing on is what this is about.
  const forwarding = goingOn.filter(({ action }) => action === "prepareForward" || action === "submit");
  const chosen = forwarding.length > 0 && pick % 3 === 0 ? forwarding : goingOn;
  return { ...chosen[pick % chosen.length], stale: stale === 0 };
}

async function ask(cast: Cast, now: Order, { who, action, stale }: Choice, straight: boolean) {
  const revision = now.revisions.at(-1)?.id;
  if (revision && isApproval(action)) await cast[who].ask("order.openRevision", { id: now.id, revision });
  const { prescription, version } = now;
  const { targetIid: _, maskName: __, ...rx } = prescription;
  return cast[who].ask("order.step", {
    id: now.id,
    version: stale ? Math.max(0, version - 1) : version,
    action,
    reason: "because",
    text: "words",
    approve: true,
    handDelivery: true,
    promisedDate: "2030-02-02",
    revisionHash: now.revisions.at(-1)?.hash,
    ...(action === "proposeChange" && { prescription: { ...rx, instructions: `after ${version}` } }),
    ...(action === "assign" && { assigneeId: cast[who].uid }),
    ...(action === "prepareForward" && { targetIid: cast.plant.iid, straight }),
    ...(action === "submitDesign" && { files: [{ upload: cast.uploads.get(cast[who]), role: "design" }] }),
  });
}
const lost: RefusalName[] = [
  "orderChanged",
  "orderActionNotAllowed",
  "orderForwardNotAllowed",
  "orderRequestOpen",
  "orderNoRequest",
  "orderChildUnderWay",
  "notFound",
];

it("keeps a forwarded order and its child order consistent with the model under concurrent actions", async () => {
  const cast = await actorsOf();
  const won = new Map<string, number>();
  let commands = 0;
  await fc.assert(
    fc.asyncProperty(life, async ({ schemeRequired, work, rounds }) => {
      const rx = { schemeRequired, workKinds: [...work], mayForward: true };
      const sent = await sendOrder({ ...cast, server: cast.lab.server }, rx);
      let parent = await takeStep(cast.lab, sent, "accept");
      const begun = { ...applyAction(newDraftModel({ schemeRequired, work }), "dentist", "submit") };
      let family: ForwardedOrder = {
        parent: applyAction(begun, "lab", "accept"),
        child: null,
        isDirect: false,
        resume: "",
      };
      for (const round of rounds) {
        const child =
          parent.family.child?.order && family.child ? await viewOrder(cast.lab, parent.family.child.order) : null;
        const kin: OrderSide = child && round.commands[0].pick % 3 > 0 ? "child" : "parent";
        const choices = round.commands.map((each) => choose(family, kin, each));
        const winner = await race(
          cast,
          family,
          kin,
          kin === "child" ? present(child) : parent,
          choices,
          round.straight,
        );
        commands += choices.length;
        if (winner) {
          family = applyForwardedAction(family, winner.who, kin, winner.action, round.straight);
          const name = `${kin} ${winner.action}`;
          won.set(name, (won.get(name) ?? 0) + 1);
        }
        parent = await same(cast, "parent", parent, family);
        const born = parent.family.child?.order;
        if (born && family.child) await same(cast, "child", await viewOrder(cast.lab, born), family);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
  const sum = [...won.values()].reduce((total, count) => total + count, 0);
  process.stdout.write(`families: ${commands} commands, ${sum} won, by ${won.size} actions\n`);
  expect(won.size).toBeGreaterThan(full ? 35 : 2);
}, 900_000);

async function actorsOf(): Promise<Cast> {
  const env = await setup();
  const { secondLab: plant, technician: maker } = await addSecondLab(env);
  const colleague = await env.server.createUser("clinicMember", { id: env.clinic.iid });
  const { dentist, clinic, lab, designer } = env;
  const cast = { dentist, clinic, colleague, lab, designer, plant, maker, stranger: (await setup()).lab };
  const uploads = new Map<TestUser, string>();
  for (const [at, person] of Object.values(cast).entries())
    uploads.set(person, await person.upload("design.stl", smallScanStl(at + 1)));
  return { ...cast, uploads };
}

/**
 * All act at once on one of the two orders: exactly one of the permitted actions succeeds, and the others receive the
 * current state.
 */
async function race(
  cast: Cast,
  family: ForwardedOrder,
  kin: OrderSide,
  now: Order,
  choices: readonly Choice[],
  straight: boolean,
): Promise<Choice | undefined> {
  const answers = await Promise.all(choices.map((choice) => ask(cast, now, choice, straight)));
  const could = choices.map(
    ({ who, action, stale }) =>
      isActionOffered(family, who, kin, action) && !isActionTooLate(family, kin, action) && !(stale && now.version > 0),
  );
  const outcomes = answers.map(refusalOf);
  const winners = choices.filter((_, at) => outcomes[at] === "accepted");
  expect(winners.length, JSON.stringify({ kin, family, choices, outcomes })).toBe(could.some(Boolean) ? 1 : 0);
  for (const [at, { who, action }] of choices.entries()) {
    const said = `${who} ${action} on the ${kin} in ${family[kin]?.state}: ${answers[at].msg}`;
    if (outcomes[at] === "accepted") expect(could[at], said).toBe(true);
    else expect(isStranger(kin, who) ? ["notFound"] : lost, said).toContain(outcomes[at]);
  }
  return winners[0];
}

/** Every user sees the state of this order in the model, and is offered exactly the actions that it allows. */
async function same(cast: Cast, kin: OrderSide, { id }: Order, family: ForwardedOrder): Promise<Order> {
  const model = present(family[kin]);
  const answers = await Promise.all(actors.map((who) => cast[who].ask("order.detail", { id })));
  actors.forEach((who, at) => {
    const { data } = answers[at];
    const isMaker = who === "plant" || who === "maker";
    const hidden = isStranger(kin, who) || (kin === "child" && isMaker && model.state === "draft");
    expect(refusalOf(answers[at]), `${who} on the ${kin}`).toBe(hidden ? "notFound" : "accepted");
    if (hidden) return;
    expect(data, `${who} on the ${kin}`).toMatchObject({ state: model.state, turn: model.turn });
    expect(
      (data.cancelRequest !== null) === model.isCancelRequested && (data.proposal !== null) === model.isChangeProposed,
    ).toBe(true);
    expect(
      data.actions.filter((action) => action !== "edit").toSorted(),
      `${who} on the ${kin} in ${model.state}`,
    ).toEqual(offeredActions(family, who, kin).toSorted());
  });
  return answers[actors.indexOf("lab")].data;
}
