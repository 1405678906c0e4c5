import { expect, it } from "vitest";
import { world } from "../../../../tests/world.ts";
import { relationById, relationsOf } from "./relation.store.ts";

it("belongs to its two sides by the service's own word, with the database's walls left out", async () => {
  const { clinic, lab, server } = await world();
  const stranger = (await world()).clinic;
  await server.running.database.asSystem(async (db) => {
    const [relation] = await relationsOf(db, clinic.iid!);
    for (const side of [clinic, lab]) expect(await relationById(db, side.iid!, relation!.id)).toBeDefined();
    expect(await relationById(db, stranger.iid!, relation!.id)).toBeUndefined();
    expect((await relationsOf(db, stranger.iid!)).map(({ id }) => id)).not.toContain(relation!.id);
  });
});
