import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { newPatient } from "../../../../tests/uploads.ts";
import { server, world } from "../../../../tests/world.ts";

describe("the clinics that after-sales people look after", () => {
  it("are listed by name, page after page, each once, and no laboratory among them", async () => {
    const here = await server();
    const technician = await here.person("afterSalesMember");
    const made = [];
    for (const name of ["Bee Dental", "ant dental", "Bee Dental", "Cat Dental"])
      made.push(await here.institution("clinic", { name: `${name} of pages` }));
    await here.institution("lab", { name: "Ant Lab of pages" });
    const names: string[] = [];
    const ids = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: { list: { id: string; name: string }[]; total: number; next: string | null } = await technician.gets(
        "clinic.list",
        { search: "of pages", pageSize: 1, ...(cursor && { cursor }) },
      );
      expect(page.total).toBe(4);
      for (const { id, name } of page.list) {
        names.push(name.replace(" of pages", ""));
        ids.add(id);
      }
      cursor = page.next;
    }
    expect(names).toEqual(["ant dental", "Bee Dental", "Bee Dental", "Cat Dental"]);
    expect([...ids].toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect((await technician.asks("clinic.list", { cursor: "made-up" })).code).toBe(refusals.badInput.code);
  });

  it("are found by number, and tell how many work there but nothing of a patient", async () => {
    const { clinic, server: here } = await world();
    const patientId = await newPatient(clinic);
    const manager = await here.person("afterSalesAdmin");
    const [own] = await manager.gets("institution.search", {
      text: (await clinic.gets("institution.detail", {})).number,
    });
    const answer = await manager.gets("clinic.list", { search: own!.number });
    expect(answer).toMatchObject({ total: 1, next: null, list: [{ id: clinic.iid, members: 2, number: own!.number }] });
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${patientId}|王小明`));
    expect((await manager.gets("clinic.list", { search: "100%_\\" })).total).toBe(0);
  });

  it("are nobody else's to look through", async () => {
    const { clinic, designer, server: here } = await world();
    for (const person of [clinic, designer, await here.person("newUser")])
      expect((await person.asks("clinic.list", {})).code).toBe(refusals.notAllowed.code);
    expect((await (await here.person("operator")).asks("clinic.list", {})).code).toBe(200);
  });
});
