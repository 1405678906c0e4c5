import { describe, expect, it } from "vitest";
import { templateContent } from "@arcada/contract/order/template.calls";
import type { Template } from "@arcada/contract/order/template.calls";
import { startOrder } from "./order-defaults.ts";
import type { OrderContext } from "./order-defaults.ts";

const now = new Date("2030-05-01T08:00:00Z");
const receiver = (iid: string) => ({ iid, name: "Lab", number: "1" });
const work = [{ teeth: [11], kind: "crown" as const, material: "zirconia" as const, shade: "A2" as const }];
const start = (change: Partial<OrderContext>) =>
  startOrder(
    {
      patientId: "p",
      labs: [{ id: "one" }, { id: "two" }],
      templates: [],
      own: undefined,
      patients: undefined,
      studies: [],
      tooth: null,
      isReplaced: false,
      ...change,
    },
    now,
  );

describe("the start of a new order", () => {
  it("goes to the only laboratory, else to the one of the user's latest order", () => {
    expect(start({ labs: [{ id: "one" }] }).draft.targetIid).toBe("one");
    expect(start({ own: { receiver: receiver("two"), work } }).draft.targetIid).toBe("two");
    expect(start({ own: { receiver: receiver("gone"), work } }).draft.targetIid).toBeNull();
  });

  it("takes the material of the user's latest order, and a shade from the same patient only", () => {
    const own = { receiver: receiver("one"), work };
    expect(start({ own, tooth: 16 }).draft.items).toMatchObject([{ teeth: [16], material: "zirconia", shade: null }]);
    expect(start({ own, patients: { work }, tooth: 16 }).draft.items[0]).toMatchObject({ shade: "A2" });
  });

  it("replaces a missing tooth by an implant that is planned first", () => {
    expect(start({ tooth: 46, isReplaced: true }).draft).toMatchObject({
      caseType: "implant",
      schemeRequired: true,
      items: [{ teeth: [46], kind: "crown" }],
    });
  });

  it("adds the latest scan if it is fresh", () => {
    const scan = (id: string, createdAt: string) => ({ id, kind: "model" as const, createdAt });
    const studies = [
      scan("old", "2030-03-01T08:00:00Z"),
      scan("a", "2030-04-20T08:00:00Z"),
      scan("b", "2030-04-30T08:00:00Z"),
    ];
    expect(start({ studies }).draft.studies).toEqual(["b"]);
    expect(start({ studies: studies.slice(0, 1) }).draft.studies).toEqual([]);
  });

  it("applies the laboratory's default template before the latest order", () => {
    const template: Template = {
      id: "t",
      name: "Usual",
      forAll: true,
      targetIid: "one",
      isDefault: true,
      mayChange: true,
      content: templateContent.parse({ material: "pressCeramic", instructions: "Light contacts" }),
    };
    const begun = start({
      labs: [{ id: "one" }],
      templates: [template],
      own: { receiver: receiver("one"), work },
      tooth: 11,
    });
    expect(begun.draft).toMatchObject({ instructions: "Light contacts", items: [{ material: "pressCeramic" }] });
    expect(begun.template).toBe(template);
  });
});
