import { describe, expect, it } from "vitest";
import { newEmailAddress } from "@arcada/testing/fixtures/members";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { refusalOf } from "@arcada/testing/refusal-of";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";

const newManager = async (type: "clinic" | "lab") => {
  const server = await getTestServer();
  return server.createUser(type === "clinic" ? "clinicAdmin" : "factoryAdmin", await server.createInstitution(type));
};
const doneOf = async (who: TestUser) =>
  (await who.call("institution.firstSteps", {})).steps.filter(({ done }) => done).map(({ step }) => step);

describe("the first steps of an organisation", () => {
  it("are five and none is done in a new clinic; each is done by the data alone", async () => {
    const clinic = await newManager("clinic");
    const lab = await newManager("lab");
    const { steps, hidden } = await clinic.call("institution.firstSteps", {});
    expect([steps.map(({ step }) => step), hidden]).toEqual([
      ["patient", "invite", "partner", "logo", "notices"],
      false,
    ]);
    expect(await doneOf(clinic)).toEqual([]);
    const patient = await createPatient(clinic);
    await clinic.call("member.invite", { email: newEmailAddress(), authorityId: 233 });
    await clinic.call("relation.step", { iid: lab.iid, action: "request" });
    await clinic.call("notice.preset", { preset: "waits" });
    expect(await doneOf(clinic)).toEqual(["patient", "invite", "partner", "notices"]);
    expect(await doneOf(lab)).toEqual(["partner"]);
    await clinic.call("patient.remove", { id: patient });
    expect(await doneOf(clinic)).not.toContain("patient");
  });

  it("of a laboratory ask for its address and contact in place of a patient", async () => {
    const lab = await newManager("lab");
    await lab.call("institution.update", { address: "Example Road 7", contactWay: "021 5550 100" });
    expect(await doneOf(lab)).toEqual(["contact"]);
  });

  it("can be dismissed and shown again by a manager", async () => {
    const clinic = await newManager("clinic");
    expect((await clinic.call("institution.hideFirstSteps", { hidden: true })).hidden).toBe(true);
    expect((await clinic.call("institution.firstSteps", {})).hidden).toBe(true);
    expect((await clinic.call("institution.hideFirstSteps", { hidden: false })).hidden).toBe(false);
    const dentist = await clinic.server.createUser("clinicMember", { id: clinic.iid });
    expect(refusalOf(await dentist.ask("institution.firstSteps", {}))).toBe("notAllowed");
  });
});
