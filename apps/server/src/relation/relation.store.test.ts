import { expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";
import { findRelation, listRelations } from "./relation.store.ts";

it("a relationship is visible only to its two sides by the service's own checks, without row-level security", async () => {
  const { clinic, lab, server } = await setup();
  const stranger = (await setup()).clinic;
  await server.running.database.asSystem(async (db) => {
    const [relation] = await listRelations(db, clinic.iid);
    for (const side of [clinic, lab]) expect(await findRelation(db, side.iid, relation.id)).toBeDefined();
    expect(await findRelation(db, stranger.iid, relation.id)).toBeUndefined();
    expect((await listRelations(db, stranger.iid)).map(({ id }) => id)).not.toContain(relation.id);
  });
});
