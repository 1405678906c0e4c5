import fc from "fast-check";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Member } from "@arcada/contract/member/member.calls";
import {
  actors,
  applyCommand,
  newMemberModel,
  possibleCommands,
  type Actor,
  type Command,
  type MemberModel,
} from "@arcada/testing/models/member-model";
import { createNewcomer } from "@arcada/testing/fixtures/members";
import { getTestServer, type Answer, type TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const full = process.env.ARCADA_PROOF === "full";
const runCount = full ? 10_000 : 60;
const parallelRuns = 30;

/** Random numbers from which the commands of a round are chosen once the institution's state is known. */
const round = fc.array(fc.record({ actor: fc.nat(99), pick: fc.nat(999), blind: fc.nat(5) }), {
  minLength: 2,
  maxLength: 4,
});
const schedule = fc.array(round, { minLength: 3, maxLength: 5 });

type Cast = Record<Actor, AnyTestUser> & { iid: string; email: string };
const codes: Record<string, number> = { manager: 222, member: 233 };

it(
  `${runCount} lives of an organisation with two to four people at once follow the written table`,
  { timeout: 1_800_000 },
  async () => {
    const env = await getTestServer();
    let commands = 0;
    let won = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(schedule, { minLength: parallelRuns, maxLength: parallelRuns }), async (batch) => {
        const counts = await Promise.all(batch.map((rounds) => playSchedule(env, rounds)));
        for (const count of counts) [commands, won] = [commands + count.commands, won + count.won];
      }),
      { numRuns: Math.ceil(runCount / parallelRuns), endOnFailure: true },
    );
    console.info(`T-19 members: ${runCount} sequences, ${commands} commands, ${won} done, 0 divergences`);
    expect(won).toBeGreaterThan(runCount);
  },
);

async function playSchedule(env: TestServer, rounds: { actor: number; pick: number; blind: number }[][]) {
  const cast = await createCast(env);
  let institution = newMemberModel();
  const count = { commands: 0, won: 0 };
  for (const chosen of rounds) {
    const commands = chosen.map((one) => chooseCommand(institution, one));
    const ids = await listIds(env, cast);
    const answers = await Promise.all(commands.map((command) => runCommand(cast, ids, institution, command)));
    const done = answers.map(({ code }) => code === 200);
    const next = findExplanation(institution, commands, done);
    expect(
      next,
      JSON.stringify({ house: institution, commands, answers: answers.map(({ code, msg }) => [code, msg]) }),
    ).not.toBeNull();
    institution = present(next);
    expect(await observeState(env, cast), JSON.stringify({ commands, done })).toEqual({
      roles: institution.roles,
      invited: institution.invited ? 1 : 0,
      applied: institution.applied ? 1 : 0,
    });
    count.commands += commands.length;
    count.won += done.filter(Boolean).length;
    // A session learns of a changed role half a second later.
    if (commands.some(({ action }, at) => done[at] && action === "changeRole")) await pause(600);
  }
  return count;
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function createCast(env: TestServer): Promise<Cast> {
  const institution = await env.createInstitution("clinic");
  const guest = await createNewcomer(env);
  return {
    chief: await env.createUser("clinicAdmin", institution),
    deputy: await env.createUser("clinicAdmin", institution),
    guest,
    rival: await env.createUser("clinicAdmin", await env.createInstitution("clinic")),
    iid: institution.id,
    email: guest.email,
  };
}

/** Mostly chooses a permitted action, and now and then a forbidden one. */
function chooseCommand(
  institution: MemberModel,
  { actor, pick, blind }: { actor: number; pick: number; blind: number },
): Command {
  const all = actors.flatMap((by) => possibleCommands(institution).map((one) => ({ by, ...one }))).filter(isActive);
  const open = all.filter((command) => applyCommand(institution, command) !== null);
  const from =
    blind === 0 || open.length === 0 ? all : open.filter(({ by }) => by === actors[actor % 4] || actor % 3 > 0);
  return (from.length > 0 ? from : open)[pick % (from.length > 0 ? from : open).length];
}

/**
 * A user invites in their current institution, and applies from outside it: other commands would test nothing about
 * this institution.
 */
const isActive = ({ by, action }: Command): boolean =>
  action === "invite" ? by !== "rival" : action !== "apply" || by === "guest";

/**
 * Returns the institution after some order of the commands in which exactly the successful ones succeed; null if no
 * order explains the result.
 */
function findExplanation(
  institution: MemberModel,
  commands: readonly Command[],
  done: readonly boolean[],
): MemberModel | null {
  if (commands.length === 0) return institution;
  for (const at of commands.keys()) {
    const next = applyCommand(institution, commands[at]);
    if ((next !== null) !== done[at]) continue;
    const rest = findExplanation(next ?? institution, commands.toSpliced(at, 1), done.toSpliced(at, 1));
    if (rest) return rest;
  }
  return null;
}

type Ids = Partial<Record<string, string>>;
async function listIds(env: TestServer, cast: Cast): Promise<Ids> {
  const rows = await env.running.database.asSystem((db) =>
    sql<{ id: string; what: string }>`
      select id, user_id::text as what from membership where institution_id = ${cast.iid} and state = 'normal'
      union all select id, kind from admission where institution_id = ${cast.iid} and ended_at is null`.execute(db),
  );
  return Object.fromEntries(rows.rows.map(({ id, what }) => [what, id]));
}

async function runCommand(cast: Cast, ids: Ids, institution: MemberModel, command: Command): Promise<Answer<Member>> {
  const who = cast[command.by];
  if (command.action === "invite") return who.ask("member.invite", { email: cast.email, authorityId: codes.member });
  if (command.action === "apply") return who.ask("member.apply", { iid: cast.iid });
  const { on } = command;
  const id = on === "invitation" || on === "application" ? ids[on] : ids[cast[on as Actor].uid];
  const other = institution.roles[on as Actor] === "member" ? "manager" : "member";
  const authorityId = command.action === "changeRole" ? codes[other] : codes.member;
  return who.ask("member.update", { id, version: command.seenVersion, action: command.action, authorityId });
}

async function observeState(env: TestServer, cast: Cast) {
  const { rows } = await env.running.database.asSystem((db) =>
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
