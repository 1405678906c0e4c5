import { describe, expect, it } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { createNewcomer, findInvitationSecret, newEmailAddress } from "@arcada/testing/fixtures/members";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import {
  createScoredReport,
  keepLicence,
  saveReport,
  setupSigners,
  signReport,
} from "@arcada/testing/fixtures/reports";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import type { TestSetup } from "@arcada/testing/setup/test-server";

const { authorityId: assistantId } = roles.clinicAssistant;

describe("joining with the secret of an invitation", () => {
  const invite = async (env: TestSetup, name?: string, email = newEmailAddress()) => {
    await env.clinic.call("member.invite", { email, authorityId: assistantId, ...(name && { name }) });
    return { email, code: await findInvitationSecret(env.server, email) };
  };
  const join = { password: goodPassword, agree: true } as const;

  it("makes a complete account of the invited name and role, signed in there, and closes the invitation", async () => {
    const env = await setup();
    const { email, code } = await invite(env, "赵助理");
    const joined = await env.server.ask("account.join", { ...join, code });
    const me = (await env.server.ask("account.getUserInfo", {}, { token: joined.data.token })).data;
    expect(me).toMatchObject({ email, userName: "赵助理", iid: env.clinic.iid, initStatus: 0, country: "CN" });
    expect(me).toMatchObject({ roles: ["clinicAssistant"], legalAgreed: true });
    expect((await env.server.ask("member.open", { code })).data).toMatchObject({ status: 6, hasAccount: true });
    expect((await env.clinic.call("notice.query", {})).info["2"].first).toMatchObject({ kind: "memberJoined" });
    expect(refusalOf(await env.server.ask("account.join", { ...join, code }))).toBe("invitationSpent");
  });

  it("needs a name where the invitation has none, the agreement to the terms, and a password that is not common", async () => {
    const env = await setup();
    const { code } = await invite(env);
    const faults = async (more: object) => (await env.server.ask("account.join", { ...join, code, ...more })).data;
    expect(await faults({})).toEqual({ nickName: "nameNeeded" });
    expect(await faults({ agree: false })).toEqual({ agree: "agreeNeeded" });
    expect(await faults({ password: "password" })).toEqual({ password: "passwordCommon" });
    expect((await env.server.ask("account.join", { ...join, code, nickName: "Zhao" })).code).toBe(200);
  });

  it("makes one account of requests that come at the same time", async () => {
    const env = await setup();
    const { code } = await invite(env, "赵助理");
    const answers = await Promise.all([1, 2, 3].map(() => env.server.ask("account.join", { ...join, code })));
    expect(answers.filter(({ code: result }) => result === 200)).toHaveLength(1);
    for (const answer of answers)
      if (answer.code !== 200) expect(["accountTaken", "invitationSpent"]).toContain(refusalOf(answer));
  });

  it("is refused once the invitation is withdrawn, and for an address that has an account meanwhile", async () => {
    const env = await setup();
    const withdrawn = await invite(env, "A");
    const { list } = await env.clinic.call("member.list", { part: "invitations" });
    const open = present(list.find((one) => one.email === withdrawn.email));
    await env.clinic.call("member.update", { id: open.id, version: open.version, action: "cancelInvitation" });
    expect(refusalOf(await env.server.ask("account.join", { ...join, code: withdrawn.code }))).toBe("invitationSpent");
    const known = await createNewcomer(env.server);
    const taken = await invite(env, "B", known.email);
    expect(refusalOf(await env.server.ask("account.join", { ...join, code: taken.code }))).toBe("accountTaken");
  });
});

describe("an assistant", () => {
  const withAssistant = async (env: TestSetup) => ({
    ...env,
    assistant: await env.server.createUser("clinicAssistant", { id: env.clinic.iid }),
  });

  it("keeps patients and writes reports, but cannot sign one", async () => {
    const { assistant, clinic } = await withAssistant(await setupSigners());
    const draft = await createScoredReport(assistant);
    const saved = await saveReport(assistant, draft, { diagnosis: "Caries of 16." });
    expect(saved.actions).toContain("submit");
    expect(saved.actions).not.toContain("sign");
    await keepLicence(clinic, assistant.uid);
    expect(refusalOf(await signReport(assistant, saved))).toBe("notAllowed");
  });

  it("prepares an order for a dentist and cannot send it, and the dentist can", async () => {
    const env = await withAssistant(await setup());
    const patientId = await createPatient(env.assistant);
    const input = crownOrderInput(patientId, env.lab.iid);
    expect(refusalOf(await env.assistant.ask("order.save", { ...input, send: true }))).toBe("orderActionNotAllowed");
    const draft = await env.assistant.call("order.save", input);
    expect(draft.responsibleId).toBe(env.dentist.uid);
    expect(draft.actions).toEqual(expect.arrayContaining(["edit", "delete"]));
    expect(draft.actions).not.toContain("submit");
    const { id, version } = draft;
    expect(refusalOf(await env.assistant.ask("order.step", { id, version, action: "submit" }))).toBe(
      "orderActionNotAllowed",
    );
    const responsibleId = env.assistant.uid;
    expect((await env.dentist.ask("order.save", { ...input, id, version, responsibleId })).data).toEqual({
      responsibleId: "invalid",
    });
    expect((await env.dentist.ask("order.step", { id, version, action: "submit" })).code).toBe(200);
  });
});

describe("the licence number of a dentist", () => {
  it("is kept by managers alone, and is what the dentist signs with", async () => {
    const env = await setupSigners();
    await keepLicence(env.clinic, env.dentist.uid, null);
    const draft = await createScoredReport(env.dentist);
    const saved = await saveReport(env.dentist, draft, { diagnosis: "Caries of 16." });
    expect(refusalOf(await signReport(env.dentist, saved))).toBe("licenceMissing");
    const listed = async () =>
      present((await env.clinic.call("member.list", {})).list.find(({ userId }) => userId === env.dentist.uid));
    const { id, version } = await listed();
    const licence = "CN-77";
    expect(refusalOf(await env.dentist.ask("member.setLicence", { id, version, licence }))).toBe("notAllowed");
    expect(await env.clinic.call("member.setLicence", { id, version, licence })).toMatchObject({ licence });
    expect(refusalOf(await env.clinic.ask("member.setLicence", { id, version, licence: null }))).toBe("memberChanged");
    expect((await signReport(env.dentist, saved)).data).toMatchObject({ licence, state: "signed" });
  });

  it("is shown to managers and to the dentist, not to colleagues", async () => {
    const env = await setupSigners();
    const colleague = await env.server.createUser("clinicMember", { id: env.clinic.iid });
    const seenBy = async (who: typeof colleague) =>
      (await who.call("member.list", {})).list.find(({ userId }) => userId === env.dentist.uid)?.licence;
    expect(await Promise.all([env.clinic, env.dentist, colleague].map(seenBy))).toEqual([
      "110441900000123",
      "110441900000123",
      null,
    ]);
  });
});
