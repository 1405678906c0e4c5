import { expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const crowns = { name: "Crowns", forAll: false, content: { material: "zirconia" as const, dueDays: 5 } };

it("keeps a person's own templates for that person, and shared ones for the clinic alone", async () => {
  const { clinic, dentist, lab } = await setup();
  const own = await dentist.call("template.save", crowns);
  const shared = await clinic.call("template.save", { ...crowns, name: "House", forAll: true });
  expect((await dentist.call("template.list", {})).map(({ name, mayChange }) => [name, mayChange])).toEqual([
    ["Crowns", true],
    ["House", false],
  ]);
  expect((await clinic.call("template.list", {})).map(({ name }) => name)).toEqual(["House"]);
  expect(refusalOf(await lab.ask("template.list", {}))).toBe("notAllowed");
  const other = await setup();
  expect(await other.dentist.call("template.list", {})).toEqual([]);
  for (const id of [own.id, shared.id])
    expect(refusalOf(await other.clinic.ask("template.remove", { id }))).toBe("notFound");
  expect(await dentist.call("template.list", {})).toHaveLength(2);
});

it("lets its writer and, once it is shared, a manager change a template, and nobody else", async () => {
  const { clinic, dentist } = await setup();
  const own = await dentist.call("template.save", { ...crowns, forAll: true });
  const house = await clinic.call("template.save", { ...crowns, name: "House", forAll: true });
  expect(refusalOf(await dentist.ask("template.save", { ...crowns, id: house.id }))).toBe("notAllowed");
  expect(refusalOf(await dentist.ask("template.remove", { id: house.id }))).toBe("notAllowed");
  await clinic.call("template.save", { ...crowns, id: own.id, name: "Corrected" });
  expect((await dentist.call("template.list", {})).map(({ name, forAll }) => [name, forAll])).toEqual([
    ["Corrected", true],
    ["House", true],
  ]);
  await dentist.call("template.remove", { id: own.id });
  expect((await clinic.call("template.list", {})).map(({ name }) => name)).toEqual(["House"]);
});

it("has one default for a lab in a clinic and one of each person", async () => {
  const { clinic, dentist, lab } = await setup();
  const first = { ...crowns, forAll: true, targetIid: lab.iid, isDefault: true };
  await clinic.call("template.save", first);
  await clinic.call("template.save", { ...first, name: "Newer" });
  await dentist.call("template.save", { ...first, name: "Mine", forAll: false });
  const defaults = (await dentist.call("template.list", {})).filter(({ isDefault }) => isDefault);
  expect(defaults.map(({ name }) => name)).toEqual(["Mine", "Newer"]);
  const nowhere = await clinic.ask("template.save", { ...first, targetIid: clinic.iid });
  expect(refusalOf(nowhere)).toBe("institutionUnknown");
});
