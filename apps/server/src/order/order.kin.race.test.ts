import fc from "fast-check";
import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.cycle";
import { after, isOutside, isTooLate, mayDo, offered, people } from "../../../../tests/family-model.ts";
import type { Family, Kin, Somebody } from "../../../../tests/family-model.ts";
import { seen, withPlant } from "../../../../tests/forwarding.ts";
import { actions, draftModel, next } from "../../../../tests/order-model.ts";
import { sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Person } from "../../../../tests/world.ts";

const full = process.env.ARCADA_PROOF === "full";
/** In CI about 90 commands; the full run has over 10,000. */
const runs = full ? 100 : 2;
const roundsOfALife = full ? 24 : 10;
const command = fc.record({
  pick: fc.nat(),
  actor: fc.nat(people.length - 1),
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
  who: Somebody;
  action: OrderAction;
  stale: boolean;
}
type Cast = Record<Somebody, Person> & { uploads: Map<Person, string> };

const ends: readonly OrderAction[] = ["cancel", "refuse", "cancelByReceiver", "dropForward"];
function choose(
  family: Family,
  kin: Kin,
  { pick, actor, blind, stale }: { pick: number; actor: number; blind: number; stale: number },
): Choice {
  const possible = people.flatMap((who) => offered(family, who, kin).map((action) => ({ who, action })));
  const goingOn = possible.filter(({ action }) => !ends.includes(action) || pick % 9 === 0);
  if (blind === 0 || goingOn.length === 0)
    return { who: people[actor]!, action: actions[pick % actions.length]!, stale: stale === 0 };
  // Passing on is what this is about.
  const forwarding = goingOn.filter(({ action }) => action === "prepareForward" || action === "submit");
  const chosen = forwarding.length > 0 && pick % 3 === 0 ? forwarding : goingOn;
  return { ...chosen[pick % chosen.length]!, stale: stale === 0 };
}

const ask = (cast: Cast, now: Order, { who, action, stale }: Choice, straight: boolean) => {
  const { prescription, version } = now;
  const { targetIid: _, maskName: __, ...rx } = prescription;
  return cast[who].asks("order.step", {
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
    ...(action === "prepareForward" && { targetIid: cast.plant.iid, straight }),
    ...(action === "submitDesign" && { files: [{ upload: cast.uploads.get(cast[who]), role: "design" }] }),
  });
};
const lost: number[] = (
  [
    "orderChanged",
    "orderActionNotAllowed",
    "orderForwardNotAllowed",
    "orderRequestOpen",
    "orderNoRequest",
    "orderChildUnderWay",
    "notFound",
  ] as const
).map((name) => refusals[name].code);

it("keeps an order and the one by which it is passed on together under many hands, as the written table has them", async () => {
  const cast = await actorsOf();
  const won = new Map<string, number>();
  let commands = 0;
  await fc.assert(
    fc.asyncProperty(life, async ({ schemeRequired, work, rounds }) => {
      const rx = { schemeRequired, workKinds: [...work], mayForward: true };
      const sent = await sentOrder({ ...cast, server: cast.lab.server }, rx);
      let parent = await steps(cast.lab, sent, "accept");
      const begun = { ...next(draftModel({ schemeRequired, work }), "dentist", "submit") };
      let family: Family = { parent: next(begun, "lab", "accept"), child: null, straight: false, resume: "" };
      for (const round of rounds) {
        const child =
          parent.family.child?.order && family.child ? await seen(cast.lab, parent.family.child.order) : null;
        const kin: Kin = child && round.commands[0]!.pick % 3 > 0 ? "child" : "parent";
        const choices = round.commands.map((each) => choose(family, kin, each));
        const winner = await race(cast, family, kin, kin === "child" ? child! : parent, choices, round.straight);
        commands += choices.length;
        if (winner) {
          family = after(family, winner.who, kin, winner.action, round.straight);
          const name = `${kin} ${winner.action}`;
          won.set(name, (won.get(name) ?? 0) + 1);
        }
        parent = await same(cast, "parent", parent, family);
        const born = parent.family.child?.order;
        if (born && family.child) await same(cast, "child", await seen(cast.lab, born), family);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
  const sum = [...won.values()].reduce((total, count) => total + count, 0);
  process.stdout.write(`families: ${commands} commands, ${sum} won, by ${won.size} actions\n`);
  expect(won.size).toBeGreaterThan(full ? 35 : 2);
}, 900_000);

async function actorsOf(): Promise<Cast> {
  const here = await world();
  const { plant, maker } = await withPlant(here);
  const colleague = await here.server.person("clinicMember", { id: here.clinic.iid! });
  const { dentist, clinic, lab, designer } = here;
  const cast = { dentist, clinic, colleague, lab, designer, plant, maker, stranger: (await world()).lab };
  const uploads = new Map<Person, string>();
  for (const [at, person] of Object.values(cast).entries())
    uploads.set(person, await person.uploads("design.stl", smallScan(at + 1)));
  return { ...cast, uploads };
}

/**
 * All act at once on one of the two orders: exactly one of the permitted actions succeeds, and the others receive the
 * current state.
 */
async function race(
  cast: Cast,
  family: Family,
  kin: Kin,
  now: Order,
  choices: readonly Choice[],
  straight: boolean,
): Promise<Choice | undefined> {
  const answers = await Promise.all(choices.map((choice) => ask(cast, now, choice, straight)));
  const could = choices.map(
    ({ who, action, stale }) =>
      mayDo(family, who, kin, action) && !isTooLate(family, kin, action) && !(stale && now.version > 0),
  );
  const codes = answers.map(({ code }) => code);
  const winners = choices.filter((_, at) => codes[at] === 200);
  expect(winners.length, JSON.stringify({ kin, family, choices, codes })).toBe(could.some(Boolean) ? 1 : 0);
  for (const [at, { who, action }] of choices.entries()) {
    const said = `${who} ${action} on the ${kin} in ${family[kin]?.state}: ${answers[at]!.msg}`;
    if (codes[at] === 200) expect(could[at], said).toBe(true);
    else expect(isOutside(kin, who) ? [refusals.notFound.code] : lost, said).toContain(codes[at]);
  }
  return winners[0];
}

/** Everyone sees what the model says of this order, and is offered exactly what it allows. */
async function same(cast: Cast, kin: Kin, { id }: Order, family: Family): Promise<Order> {
  const model = family[kin]!;
  const answers = await Promise.all(people.map((who) => cast[who].asks("order.detail", { id })));
  people.forEach((who, at) => {
    const { code, data } = answers[at]!;
    const isMaker = who === "plant" || who === "maker";
    const hidden = isOutside(kin, who) || (kin === "child" && isMaker && model.state === "draft");
    expect(code, `${who} on the ${kin}`).toBe(hidden ? refusals.notFound.code : 200);
    if (hidden) return;
    expect(data, `${who} on the ${kin}`).toMatchObject({ state: model.state, turn: model.turn });
    expect((data.cancelRequest !== null) === model.cancelling && (data.proposal !== null) === model.changing).toBe(
      true,
    );
    expect(
      data.actions.filter((action) => action !== "edit").toSorted(),
      `${who} on the ${kin} in ${model.state}`,
    ).toEqual(offered(family, who, kin).toSorted());
  });
  return answers[people.indexOf("lab")]!.data;
}
