import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { mail } from "../apps/server/src/platform/runtime/services.ts";
import type { TestUser, TestServer } from "./world.ts";

export const newEmailAddress = (): string => `${newId()}@example.test`;

/** Creates a user with an account and no institution. */
export async function createNewcomer(server: TestServer): Promise<TestUser & { email: string }> {
  const person = await server.createUser("newUser");
  return Object.assign(person, { email: `${person.uid}@example.test` });
}

/**
 * Returns the newest secret that an email brought to an address, other than a known one. Emails are sent by a queue, so
 * it polls.
 */
export async function findInvitationSecret(_: TestServer, email: string, known = ""): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const emails = (await mail().outbox()).filter(({ to }) => to === email);
    const secrets = emails.map(({ text }) => /\/invitation#([\w-]{43})/.exec(text)?.[1] ?? "");
    const fresh = secrets.find((secret) => secret !== "" && secret !== known);
    if (fresh) return fresh;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no invitation came to ${email}`);
}

/** Returns the actions that a user may take on a record of their institution. */
export async function listAllowedActions(who: TestUser, id: string): Promise<string[]> {
  for (const part of ["members", "invitations", "applications", "history"] as const) {
    const { list } = await who.call("member.list", { part, pageSize: 999 });
    const found = list.find((one) => one.id === id);
    if (found) return found.actions;
  }
  return [];
}
