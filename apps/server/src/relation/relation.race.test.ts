import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";

/** In CI about 300 commands; the full run has 300 sequences. */
const runs = process.env.ARCADA_PROOF === "full" ? 300 : 25;

type Side = "clinic" | "lab";
type Actor = Side | "deputy" | "dentist";
const sideOf: Record<Actor, Side> = { clinic: "clinic", deputy: "clinic", dentist: "clinic", lab: "lab" };
const opposite = (side: Side): Side => (side === "clinic" ? "lab" : "clinic");

/** The two as the written table sees them, within one day; nothing here is taken from the server's own tables. */
interface Model {
  state: "none" | "requested" | "established" | "rejected" | "cancelled" | "closing" | "ended";
  principal: Side | null;
  leaver: Side | null;
  resent: boolean;
  hidden: Record<Side, boolean>;
  /** True for the sides whose request the other side has rejected today. */
  declined: Record<Side, boolean>;
}
const initialModel = (): Model => ({
  state: "none",
  principal: null,
  leaver: null,
  resent: false,
  hidden: { clinic: false, lab: false },
  declined: { clinic: false, lab: false },
});
const endedStates = ["rejected", "cancelled", "ended"];
const activeStates = ["requested", "established", "closing"];
type Move = (model: Model, side: Side) => Partial<Model>;
interface Row {
  open: (model: Model, side: Side) => boolean;
  does: Move;
}
const asks: Move = (_, side) => ({
  state: "requested",
  principal: side,
  leaver: null,
  resent: false,
  hidden: { clinic: false, lab: false },
});
const to =
  (state: Model["state"]): Move =>
  () => ({ state });
const table: Record<string, Row> = {
  request: { open: (model, side) => !activeStates.includes(model.state) && !model.declined[side], does: asks },
  accept: { open: (model, side) => model.state === "requested" && model.principal !== side, does: to("established") },
  reject: {
    open: (model, side) => model.state === "requested" && model.principal !== side,
    does: (model, side) => ({ state: "rejected", declined: { ...model.declined, [opposite(side)]: true } }),
  },
  cancel: { open: (model, side) => model.state === "requested" && model.principal === side, does: to("cancelled") },
  resend: {
    open: (model, side) => model.state === "requested" && model.principal === side && !model.resent,
    does: () => ({ resent: true }),
  },
  exit: {
    open: (model) => model.state === "established",
    does: (_, side) => ({ state: "closing", leaver: side }),
  },
  resume: {
    open: (model, side) => model.state === "closing" && model.leaver === side,
    does: () => ({ state: "established", leaver: null }),
  },
  hide: {
    open: (model, side) => endedStates.includes(model.state) && !model.hidden[side],
    does: (model, side) => ({ hidden: { ...model.hidden, [side]: true } }),
  },
  askAgain: { open: (model, side) => endedStates.includes(model.state) && !model.declined[side], does: asks },
};
const actions = Object.keys(table) as (Relation["actions"][number] & string)[];
const isAllowed = (model: Model, actor: Actor, action: string): boolean =>
  actor !== "dentist" && table[action].open(model, sideOf[actor]);
const allowedActions = (model: Model, actor: Actor): string[] =>
  actions.filter((action) => action !== "request" && isAllowed(model, actor, action));

interface Choice {
  actor: Actor;
  action: (typeof actions)[number];
}
const actors: Actor[] = ["clinic", "lab", "deputy", "dentist"];
const rounds = fc.array(
  fc.array(fc.record({ actor: fc.nat(3), pick: fc.nat(), blind: fc.nat(5) }), { minLength: 1, maxLength: 4 }),
  {
    minLength: 3,
    maxLength: 6,
  },
);

function chooseActor(
  model: Model,
  { actor: at, pick, blind }: { actor: number; pick: number; blind: number },
  alone: boolean,
): Choice {
  const all = actors.flatMap((actor) => actions.map((action) => ({ actor, action })));
  const open = all.filter(({ actor, action }) => isAllowed(model, actor, action));
  const from = blind === 0 || open.length === 0 ? all.filter(({ actor }) => actor === actors[at]) : open;
  // In a race, a request may see the relationship before or after another step, and hiding changes no state: both are
  // tried alone.
  const fit = from.filter(
    ({ action }) => alone || (action !== "hide" && (action !== "request" || !activeStates.includes(model.state))),
  );
  return fit[pick % fit.length] ?? { actor: "dentist", action: "accept" };
}

type Cast = Record<Actor, TestUser>;
async function createCast(env: TestSetup): Promise<Cast> {
  const deputy = await env.server.createUser("clinicAdmin", { id: env.clinic.iid });
  return { clinic: env.clinic, lab: env.lab, deputy, dentist: env.dentist };
}
const list = (who: TestUser): Promise<Relation[]> => who.call("relation.list", {});

describe("a relationship under concurrent actions", () => {
  it("follows its transition table, lets exactly one of several concurrent actions succeed, and shows each side its open actions", async () => {
    const env = await setup({ related: false });
    const people = await createCast(env);
    let commands = 0;
    let raced = 0;
    const forget = () =>
      env.server.running.database.asSystem(async (db) => {
        await sql`delete from relation_event`.execute(db);
        await sql`delete from relation`.execute(db);
      });
    const act = async ({ actor, action }: Choice, now: Relation | undefined): Promise<boolean> => {
      const other = people[opposite(sideOf[actor])].iid;
      const asked = action === "request" ? { iid: other } : { id: now?.id ?? other, version: now?.version ?? 0 };
      const answer = await people[actor].ask("relation.step", { action, ...asked });
      expect([200, 403, 404, 409, 429], `${actor} ${action}: ${answer.msg}`).toContain(answer.status);
      return answer.status === 200;
    };
    await fc.assert(
      fc.asyncProperty(rounds, async (sequence) => {
        await forget();
        let model = initialModel();
        let now: Relation | undefined;
        for (const round of sequence) {
          const chosen = round.map((each) => chooseActor(model, each, round.length === 1));
          commands += chosen.length;
          const won = await Promise.all(chosen.map((choice) => act(choice, now)));
          const possible = chosen.filter(({ actor, action }) => isAllowed(model, actor, action));
          if (possible.length > 1) raced += 1;
          expect(won.filter(Boolean), JSON.stringify({ model, chosen, won })).toHaveLength(possible.length > 0 ? 1 : 0);
          const winner = chosen[won.indexOf(true)];
          if (winner) {
            expect(possible).toContain(winner);
            model = { ...model, ...table[winner.action].does(model, sideOf[winner.actor]) };
          }
          const views = await Promise.all(actors.map((actor) => list(people[actor])));
          for (const [at, actor] of actors.entries()) {
            const seen = views[at][0];
            if (model.state === "none" || model.hidden[sideOf[actor]]) expect(seen).toBeUndefined();
            else {
              expect(seen).toMatchObject({ state: model.state, mine: model.principal === sideOf[actor] });
              expect(seen.actions, `${actor} in ${JSON.stringify(model)}`).toEqual(allowedActions(model, actor));
              now = seen;
            }
          }
        }
      }),
      { numRuns: runs },
    );
    console.info(
      `relations: ${runs} sequences, ${commands} commands, ${raced} races with more than one that might have won`,
    );
  }, 600_000);
});
