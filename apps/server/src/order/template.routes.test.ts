import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { world } from "../../../../tests/world.ts";

const crowns = { name: "Crowns", forAll: false, content: { material: "zirconia" as const, dueDays: 5 } };

it("keeps a person's own templates for that person, and shared ones for the clinic alone", async () => {
  const { clinic, dentist, lab } = await world();
  const own = await dentist.gets("template.save", crowns);
  const shared = await clinic.gets("template.save", { ...crowns, name: "House", forAll: true });
  expect((await dentist.gets("template.list", {})).map(({ name, mayChange }) => [name, mayChange])).toEqual([
    ["Crowns", true],
    ["House", false],
  ]);
  expect((await clinic.gets("template.list", {})).map(({ name }) => name)).toEqual(["House"]);
  expect((await lab.asks("template.list", {})).code).toBe(refusals.notAllowed.code);
  const other = await world();
  expect(await other.dentist.gets("template.list", {})).toEqual([]);
  for (const id of [own.id, shared.id])
    expect((await other.clinic.asks("template.remove", { id })).code).toBe(refusals.notFound.code);
  expect(await dentist.gets("template.list", {})).toHaveLength(2);
});

it("lets its writer and, once it is shared, a manager change a template, and nobody else", async () => {
  const { clinic, dentist } = await world();
  const own = await dentist.gets("template.save", { ...crowns, forAll: true });
  const house = await clinic.gets("template.save", { ...crowns, name: "House", forAll: true });
  expect((await dentist.asks("template.save", { ...crowns, id: house.id })).code).toBe(refusals.notAllowed.code);
  expect((await dentist.asks("template.remove", { id: house.id })).code).toBe(refusals.notAllowed.code);
  await clinic.gets("template.save", { ...crowns, id: own.id, name: "Corrected" });
  expect((await dentist.gets("template.list", {})).map(({ name, forAll }) => [name, forAll])).toEqual([
    ["Corrected", true],
    ["House", true],
  ]);
  await dentist.gets("template.remove", { id: own.id });
  expect((await clinic.gets("template.list", {})).map(({ name }) => name)).toEqual(["House"]);
});

it("has one default for a lab in a clinic and one of each person", async () => {
  const { clinic, dentist, lab } = await world();
  const first = { ...crowns, forAll: true, targetIid: lab.iid, isDefault: true };
  await clinic.gets("template.save", first);
  await clinic.gets("template.save", { ...first, name: "Newer" });
  await dentist.gets("template.save", { ...first, name: "Mine", forAll: false });
  const defaults = (await dentist.gets("template.list", {})).filter(({ isDefault }) => isDefault);
  expect(defaults.map(({ name }) => name)).toEqual(["Mine", "Newer"]);
  const nowhere = await clinic.asks("template.save", { ...first, targetIid: clinic.iid });
  expect(nowhere.code).toBe(refusals.institutionUnknown.code);
});
