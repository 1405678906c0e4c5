import { describe, expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";
import { createDocumentedPatient } from "@arcada/testing/fixtures/patient-with-all-records";
import { refusalOf } from "@arcada/testing/refusal-of";

describe("a patient's timeline", () => {
  it("lists visits, consents, images and orders, by kind and page by page", async () => {
    const mine = await setup();
    const { clinic } = mine;
    const { id } = await createDocumentedPatient(mine);
    await clinic.call("consent.withdraw", { patientId: id, kind: "imaging", by: "x" });
    const kindsOf = async (more: object) =>
      (await clinic.call("patient.timeline", { id, ...more })).list.map(({ kind, label }) => `${kind} ${label}`);
    const all = await kindsOf({});
    expect(all.map((one) => one.split(" ")[0]).toSorted()).toEqual(["consent", "consent", "created", "study", "visit"]);
    expect(await kindsOf({ kinds: "consent" })).toEqual(["consent withdrawn.imaging", "consent imaging"]);
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { list: { kind: string; label: string }[]; next: string | null } = await clinic.call(
        "patient.timeline",
        { id, pageSize: 2, ...(cursor && { cursor }) },
      );
      pages.push(...page.list.map(({ kind, label }) => `${kind} ${label}`));
      cursor = page.next;
    }
    expect(pages).toEqual(all);
    expect(refusalOf(await clinic.ask("patient.timeline", { id, kinds: "nonsense" }))).toBe("badInput");
  });
});
