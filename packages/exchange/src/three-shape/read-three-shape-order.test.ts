import { describe, expect, it } from "vitest";
import { ExchangeError } from "../exchange-error.ts";
import { readThreeShapeOrder } from "./read-three-shape-order.ts";

type Properties = Record<string, string | number>;
const object = (type: string, properties: Properties): string =>
  `<Object type="TDM_Item_${type}">${Object.entries(properties)
    .map(([name, value]) => `<Property name="${name}" value="${value}" />`)
    .join("")}</Object>`;
const list = (type: string, content: string): string =>
  `<Object name="${type}List" type="TDM_List_${type}"><List name="Items">${content}</List></Object>`;
const container = (...lists: string[]): Uint8Array =>
  new TextEncoder().encode(
    `<?xml version="1.0" encoding="utf-8"?><DentalContainer version="2022-1"><Object type="TDM_Container">${lists.join("")}</Object></DentalContainer>`,
  );
const order = (more: Properties = {}) =>
  list(
    "Order",
    object("Order", { IntOrderID: "HART_1", Patient_LastName: "Hart", Patient_FirstName: "Amelia", ...more }),
  );
const model = (id: string, more: Properties = {}) =>
  object("ModelElement", {
    ModelElementID: id,
    ModelElementType: "meIndicationRegular",
    CacheMaterialName: "Zirconia HT",
    ...more,
  });
const toothElement = (id: string, number: number | string, kind: string, more: Properties = {}) =>
  object("ToothElement", {
    ToothElementID: id,
    ModelElementID: "m1",
    ToothNumber: number,
    CacheToothTypeClass: kind,
    ...more,
  });

describe("an order of 3Shape", () => {
  it("is read by its types in any order: Universal numbers, the patient, the earliest wish and the comments", () => {
    const found = readThreeShapeOrder(
      container(
        list("ToothElement", toothElement("t1", 3, "teCrown") + toothElement("t2", 30, "teInlay")),
        list("ModelElement", model("m1", { DeliveryDate: 1_796_256_000, CacheColor: "A3" })),
        order({
          ExtOrderID: "E-9",
          Patient_RefNo: "M-7",
          OrderComments: "Please call",
          Customer: "Morninglight",
          Items: "crown 46",
        }),
      ),
    );
    expect(found).toMatchObject({
      program: "threeShape",
      name: "HART_1",
      orderNumber: "E-9",
      patient: { number: "M-7", lastName: "Hart", firstName: "Amelia" },
      practice: "Morninglight",
      dueDate: "2026-12-03",
      notes: "Please call",
      items: [
        { teeth: [16], kind: "crown", material: "zirconia", shade: "A3" },
        { teeth: [46], kind: "inlay", material: "zirconia", shade: "A3" },
      ],
      remarks: [],
    });
  });

  it("joins the elements that share a connector into one bridge", () => {
    const link = (id: string, kind: string) => object("Link", { LinkID: id, CacheLinkTypeClass: kind });
    const end = (id: string, tooth: string) => object("LinkToothElement", { LinkID: id, ToothElementID: tooth });
    const { items } = readThreeShapeOrder(
      container(
        order(),
        list("ModelElement", model("m1")),
        list(
          "ToothElement",
          toothElement("a", 12, "teCrown") +
            toothElement("b", 13, "teReducedPontic") +
            toothElement("c", 14, "teCrown") +
            toothElement("d", 15, "teCrown"),
        ),
        list("Link", link("1", "ltConnector") + link("2", "ltConnector") + link("3", "ltAdjacent")),
        list(
          "LinkToothElement",
          end("1", "a") + end("1", "b") + end("2", "b") + end("2", "c") + end("3", "c") + end("3", "d"),
        ),
      ),
    );
    expect(items).toMatchObject([
      { kind: "bridge", teeth: [24, 25, 26], pontics: [25], remark: "teReducedPontic" },
      { kind: "crown", teeth: [27] },
    ]);
  });

  it("reads an abutment and a crown on one tooth as two works, and a repeated element of a redesign once", () => {
    const { items, caseType, fixType, remarks } = readThreeShapeOrder(
      container(
        order(),
        list("ModelElement", model("m1") + model("m1_2", { CacheMaterialName: "Titanium" })),
        list(
          "ToothElement",
          toothElement("a", 19, "teScrewRetained") +
            toothElement("b", 19, "teAbutment", { ModelElementID: "m1_2" }) +
            toothElement("c", 19, "teScrewRetained"),
        ),
      ),
    );
    expect(items).toMatchObject([
      { kind: "crown", teeth: [36] },
      { kind: "customAbutment", teeth: [36], material: "titanium" },
    ]);
    expect({ caseType, fixType }).toEqual({ caseType: "implant", fixType: "screw" });
    expect(remarks).toEqual([{ kind: "toothTwice", teeth: [36], word: "crown" }]);
  });

  it("takes the teeth of a splint for its jaw only, and leaves numbers of milk teeth to a person", () => {
    const { items, remarks } = readThreeShapeOrder(
      container(
        order({ Patient_FirstName: "", Patient_LastName: "Amelia Hart" }),
        list("ModelElement", model("m1", { ModelElementType: "meSplint" }) + model("m2")),
        list(
          "ToothElement",
          toothElement("a", 2, "teSplint") + toothElement("b", "B", "teCrown", { ModelElementID: "m2" }),
        ),
      ),
    );
    expect(items).toMatchObject([{ kind: "other", teeth: [], remark: "mesplint" }]);
    expect(remarks).toEqual([
      { kind: "unknownTooth", teeth: [], word: "B" },
      { kind: "nameInOneField", teeth: [], word: "Amelia Hart" },
    ]);
  });

  it.each([
    ["is another document", new TextEncoder().encode("<Treatment/>"), "notThreeShape"],
    ["has no order", container(list("ModelElement", model("m1"))), "noOrder"],
    ["has two orders", container(order(), order()), "severalOrders"],
  ])("is refused if it %s", (_name, bytes, problem) => {
    expect(() => readThreeShapeOrder(bytes)).toThrow(expect.objectContaining({ problem }) as ExchangeError);
  });
});
