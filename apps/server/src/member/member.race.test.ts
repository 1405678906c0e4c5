import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Member } from "@arcada/contract/member/member.calls";
import { actors, after, emptyHouse, tries } from "../../../../tests/member-model.ts";
import type { Actor, Command, House } from "../../../../tests/member-model.ts";
import { newcomer } from "../../../../tests/members.ts";
import { server } from "../../../../tests/world.ts";
import type { Answer, Person, TestServer } from "../../../../tests/world.ts";

const full = process.env.ARCADA_PROOF === "full";
const lives = full ? 10_000 : 60;
const atOnce = 30;

/** Random numbers from which the commands of a round are chosen once the institution's state is known. */
const round = fc.array(fc.record({ actor: fc.nat(99), pick: fc.nat(999), blind: fc.nat(5) }), {
  minLength: 2,
  maxLength: 4,
});
const life = fc.array(round, { minLength: 3, maxLength: 5 });

type Cast = Record<Actor, Person> & { iid: string; email: string };
const codes: Record<string, number> = { manager: 222, member: 233 };

it(
  `${lives} lives of an organisation with two to four people at once follow the written table`,
  { timeout: 1_800_000 },
  async () => {
    const here = await server();
    let commands = 0;
    let won = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: atOnce, maxLength: atOnce }), async (batch) => {
        const counts = await Promise.all(batch.map((rounds) => lived(here, rounds)));
        for (const count of counts) [commands, won] = [commands + count.commands, won + count.won];
      }),
      { numRuns: Math.ceil(lives / atOnce), endOnFailure: true },
    );
    console.info(`T-19 members: ${lives} sequences, ${commands} commands, ${won} done, 0 divergences`);
    expect(won).toBeGreaterThan(lives);
  },
);

async function lived(here: TestServer, rounds: { actor: number; pick: number; blind: number }[][]) {
  const cast = await gathered(here);
  let house = emptyHouse();
  const count = { commands: 0, won: 0 };
  for (const chosen of rounds) {
    const commands = chosen.map((one) => choose(house, one));
    const ids = await idsOf(here, cast);
    const answers = await Promise.all(commands.map((command) => given(cast, ids, house, command)));
    const done = answers.map(({ code }) => code === 200);
    const next = explained(house, commands, done);
    expect(
      next,
      JSON.stringify({ house, commands, answers: answers.map(({ code, msg }) => [code, msg]) }),
    ).not.toBeNull();
    house = next!;
    expect(await seen(here, cast), JSON.stringify({ commands, done })).toEqual({
      roles: house.roles,
      invited: house.invited ? 1 : 0,
      applied: house.applied ? 1 : 0,
    });
    count.commands += commands.length;
    count.won += done.filter(Boolean).length;
    // A session learns of a changed role half a second later.
    if (commands.some(({ action }, at) => done[at] && action === "changeRole")) await pause(600);
  }
  return count;
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function gathered(here: TestServer): Promise<Cast> {
  const house = await here.institution("clinic");
  const guest = await newcomer(here);
  return {
    chief: await here.person("clinicAdmin", house),
    deputy: await here.person("clinicAdmin", house),
    guest,
    rival: await here.person("clinicAdmin", await here.institution("clinic")),
    iid: house.id,
    email: guest.email,
  };
}

/** Mostly chooses a permitted action, and now and then a forbidden one. */
function choose(house: House, { actor, pick, blind }: { actor: number; pick: number; blind: number }): Command {
  const all = actors.flatMap((by) => tries(house).map((one) => ({ by, ...one }))).filter(isHere);
  const open = all.filter((command) => after(house, command) !== null);
  const from =
    blind === 0 || open.length === 0 ? all : open.filter(({ by }) => by === actors[actor % 4] || actor % 3 > 0);
  return (from.length > 0 ? from : open)[pick % (from.length > 0 ? from : open).length]!;
}

/**
 * A user invites in their current institution, and applies from outside it: other commands would test nothing about
 * this institution.
 */
const isHere = ({ by, action }: Command): boolean =>
  action === "invite" ? by !== "rival" : action !== "apply" || by === "guest";

/**
 * Returns the institution after some order of the commands in which exactly the successful ones succeed; null if no
 * order explains the result.
 */
function explained(house: House, commands: readonly Command[], done: readonly boolean[]): House | null {
  if (commands.length === 0) return house;
  for (const at of commands.keys()) {
    const next = after(house, commands[at]!);
    if ((next !== null) !== done[at]) continue;
    const rest = explained(next ?? house, commands.toSpliced(at, 1), done.toSpliced(at, 1));
    if (rest) return rest;
  }
  return null;
}

type Ids = Partial<Record<string, string>>;
async function idsOf(here: TestServer, cast: Cast): Promise<Ids> {
  const rows = await here.running.database.asSystem((db) =>
    sql<{ id: string; what: string }>`
      select id, user_id::text as what from membership where institution_id = ${cast.iid} and state = 'normal'
      union all select id, kind from admission where institution_id = ${cast.iid} and ended_at is null`.execute(db),
  );
  return Object.fromEntries(rows.rows.map(({ id, what }) => [what, id]));
}

async function given(cast: Cast, ids: Ids, house: House, command: Command): Promise<Answer<Member>> {
  const who = cast[command.by];
  if (command.action === "invite") return who.asks("member.invite", { email: cast.email, authorityId: codes.member! });
  if (command.action === "apply") return who.asks("member.apply", { iid: cast.iid });
  const { on } = command;
  const id = on === "invitation" || on === "application" ? ids[on] : ids[cast[on as Actor].uid];
  const other = house.roles[on as Actor] === "member" ? "manager" : "member";
  const authorityId = command.action === "changeRole" ? codes[other] : codes.member;
  return who.asks("member.update", { id, version: command.seen, action: command.action, authorityId });
}

async function seen(here: TestServer, cast: Cast) {
  const { rows } = await here.running.database.asSystem((db) =>
    sql<{ user_id: string | null; authority_id: number; kind: string }>`
      select user_id, authority_id, 'member' as kind from membership where institution_id = ${cast.iid} and state = 'normal'
      union all select user_id, authority_id, kind from admission where institution_id = ${cast.iid} and ended_at is null`.execute(
      db,
    ),
  );
  const nameOf = (uid: string | null) => actors.find((actor) => cast[actor].uid === uid);
  const members = rows.filter(({ kind }) => kind === "member");
  expect(
    members.some(({ authority_id }) => authority_id === codes.manager),
    "somebody manages",
  ).toBe(true);
  return {
    roles: Object.fromEntries(
      members.map(({ user_id, authority_id }) => [
        nameOf(user_id),
        authority_id === codes.manager ? "manager" : "member",
      ]),
    ),
    invited: rows.filter(({ kind }) => kind === "invitation").length,
    applied: rows.filter(({ kind }) => kind === "application").length,
  };
}
