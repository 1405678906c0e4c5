import { sessionCalls } from "@arcada/contract/account/session.calls";
import { sql } from "kysely";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { endSessionChain, lockSession, touchSession } from "./session.ts";

export const sessionRoutes = routes(sessionCalls, {
  logout: async (_, context) => {
    await endSessionChain(context.db, context.principal.sessionId, "signedOut");
    return null;
  },

  touchSession: async (_, { db, principal }) => {
    await touchSession(db, principal.sessionId);
    return null;
  },

  lockSession: async (_, { db, principal }) => {
    await lockSession(db, principal.sessionId);
    return null;
  },

  changeRole: async (input, context) => {
    const held = await context.db
      .selectFrom("membership")
      .select(["institution_id", "authority_id"])
      .where("user_id", "=", context.principal.uid)
      .where("state", "=", "normal")
      .where("authority_id", "=", input.authorityId)
      .orderBy(sql`institution_id is not distinct from ${context.principal.iid}::uuid`, "desc")
      .executeTakeFirst();
    if (!held || input.uuid !== context.principal.uid) refuse("roleNotHeld");
    return context.move({ iid: held.institution_id, authorityId: held.authority_id });
  },

  sessions: async (_, { db, principal }) => {
    return db
      .selectFrom("session")
      .select(["id", "kind", "agent", "chain_since as since"])
      .select([
        sql<string>`greatest(created_at, seen_at)`.as("seen"),
        sql<boolean>`chain = (select chain from session where id = ${principal.sessionId})`.as("current"),
      ])
      .where("user_id", "=", principal.uid)
      .where("ended_at", "is", null)
      .where("rotated_at", "is", null)
      .where(sql<boolean>`expires_at > now()`)
      .orderBy("created_at", "desc")
      .execute();
  },

  endSession: async (input, { db, principal }) => {
    const mine = await db
      .selectFrom("session")
      .select("id")
      .where("id", "=", input.id)
      .where("user_id", "=", principal.uid)
      .executeTakeFirst();
    if (!mine) refuse("notFound");
    await endSessionChain(db, input.id, "endedElsewhere");
    return null;
  },
});
